package shell

import (
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/session"
	ours "tierscope/gui/widget"
)

// drawer lists the runs under the page; closed it is one line.
type drawer struct {
	s      *Shell
	toggle *widget.Button
	line   *widget.Label
	pause  *ours.IconButton
	clear  *widget.Button
	rows   *fyne.Container
	scroll *container.Scroll
	views  map[int]*jobView
	root   fyne.CanvasObject
}

func newDrawer(s *Shell) *drawer {
	d := &drawer{s: s, views: map[int]*jobView{}, line: ours.Muted(""), rows: container.NewVBox()}
	d.line.Truncation = fyne.TextTruncateEllipsis
	d.toggle = widget.NewButtonWithIcon("Runs", theme.MenuDropUpIcon(), s.ToggleDrawer)
	d.toggle.Importance = widget.LowImportance
	d.clear = widget.NewButton("Clear finished", s.host.Session.ClearJobs)
	d.clear.Importance = widget.LowImportance
	d.pause = ours.NewIconButton("Pause all runs", theme.MediaPauseIcon(), func() { s.host.Session.Pause(!s.host.Session.Paused()) })
	d.scroll = container.NewVScroll(d.rows)
	d.scroll.SetMinSize(fyne.NewSize(200, 130))
	d.root = ours.Bar(container.NewBorder(container.NewBorder(nil, nil, container.NewHBox(d.toggle, d.pause), d.clear, d.line), nil, nil, nil, d.scroll))
	return d
}

func (d *drawer) update() {
	ses := d.s.host.Session
	open := ses.Settings().DrawerOpen
	if open {
		d.toggle.SetIcon(theme.MenuDropDownIcon())
		d.scroll.Show()
		d.clear.Show()
	} else {
		d.toggle.SetIcon(theme.MenuDropUpIcon())
		d.scroll.Hide()
		d.clear.Hide()
	}
	switch {
	case ses.Paused():
		d.pause.SetIcon(theme.MediaPlayIcon())
		d.pause.SetText("Go on")
		d.pause.Show()
	case ses.Active() > 0:
		d.pause.SetIcon(theme.MediaPauseIcon())
		d.pause.SetText("Pause")
		d.pause.Show()
	default:
		d.pause.Hide()
	}
	d.line.SetText(d.summary())
	if !open {
		return
	}
	d.rows.RemoveAll()
	jobs := ses.Jobs()
	if len(jobs) == 0 {
		d.rows.Add(ours.Muted("Nothing has run yet. Change a scenario or start an experiment; runs appear here and never block the window."))
	}
	live := map[int]*jobView{}
	for i := len(jobs) - 1; i >= 0; i-- { // latest first
		v, ok := d.views[jobs[i].ID]
		if !ok {
			v = newJobView()
		}
		v.set(jobs[i])
		live[jobs[i].ID] = v
		d.rows.Add(v.root)
	}
	d.views = live
	d.rows.Refresh()
}

// summary is the one line of the closed drawer.
func (d *drawer) summary() string {
	jobs := d.s.host.Session.Jobs()
	running := d.s.host.Session.Active()
	switch {
	case len(jobs) == 0:
		return "nothing is running"
	case running == 0:
		last := jobs[len(jobs)-1]
		text := fmt.Sprintf("%s: %s", last.Title, last.State)
		if last.Fact != "" {
			text += ", " + last.Fact
		}
		return text
	}
	for i := len(jobs) - 1; i >= 0; i-- {
		if j := jobs[i]; j.State == session.Running {
			text := j.Title + "  " + j.Fact
			if d.s.host.Session.Paused() {
				text += "  paused: no new replication starts"
			}
			if running > 1 {
				text = fmt.Sprintf("%d running · %s", running, text)
			}
			return text
		}
	}
	return ""
}

// jobView is the row of one job.
type jobView struct {
	title, fact *widget.Label
	bar         *widget.ProgressBar
	stop        *ours.IconButton
	root        fyne.CanvasObject
}

func newJobView() *jobView {
	v := &jobView{title: widget.NewLabel(""), fact: ours.Muted(""), bar: widget.NewProgressBar()}
	v.bar.TextFormatter = func() string { return "" }
	v.fact.Truncation = fyne.TextTruncateEllipsis
	v.title.Truncation = fyne.TextTruncateEllipsis
	v.stop = ours.NewIconButton("Stop the run", theme.MediaStopIcon(), nil)
	bar := container.NewGridWrap(fyne.NewSize(150, 22), v.bar)
	v.root = container.NewBorder(nil, nil, container.NewGridWrap(fyne.NewSize(240, 30), v.title),
		container.NewHBox(container.NewCenter(bar), v.stop), v.fact)
	return v
}

func (v *jobView) set(j *session.Job) {
	v.title.SetText(j.Title)
	fact := j.Fact
	switch {
	case j.State == session.Failed:
		fact = "failed: " + j.Err.Error()
	case j.State == session.Cancelled:
		fact = "cancelled; what it had is kept. " + fact
	case j.State == session.Running && j.Remaining > 0:
		fact += " · about " + j.Remaining.Round(time.Second).String() + " left"
	}
	v.fact.SetText(fact)
	v.bar.SetValue(max(j.Fraction, 0))
	v.stop.OnTapped = j.Cancel
	if j.State == session.Running {
		v.stop.Show()
		v.bar.Show()
	} else {
		v.stop.Hide()
		v.bar.Hide()
	}
}
