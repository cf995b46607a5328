// Package timeline is the page that shows what every thread, core, lock, disk
// and queue of a simulated run does.
package timeline

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/gui/background"
	"tierscope/gui/page"
	"tierscope/gui/session"
	ours "tierscope/gui/widget"
	"tierscope/project"
	"tierscope/simulation/des"
	recording "tierscope/simulation/timeline"
)

// ID is the page in session.Place.
const ID = "timeline"

// Page is the timeline.
type Page struct {
	host   *page.Host
	view   *View
	filter *widget.Entry
	hover  *widget.Label
	detail *widget.Label // of what was tapped
	title  *widget.Label
	legend *legend
	run    *widget.Button
	beside *widget.Check // the recorded run beside the simulated one
	main   fyne.CanvasObject
	root   *fyne.Container
	model  *core.Model
	rec    *recording.Recording
	busy   bool
	leave  func() // stops following the film
}

// New returns the page.
func New(h *page.Host) page.Page {
	p := &Page{host: h, view: NewView(), filter: widget.NewEntry(), hover: ours.Muted(""), detail: ours.Wrapped(""), title: widget.NewLabel(""), legend: newLegend(), root: container.NewStack()}
	p.view.PaintWith(h.Session.Runner)
	p.leave = h.Session.WatchFilm(p.follow)
	p.hover.Truncation = fyne.TextTruncateEllipsis
	p.title.Truncation = fyne.TextTruncateEllipsis
	p.title.TextStyle.Bold = true
	p.filter.SetPlaceHolder("Filter rows  /")
	p.filter.OnChanged = p.view.SetFilter
	p.view.OnHover = p.hover.SetText
	p.view.Scrolls = h.WheelScrolls
	p.view.OnTap = func() {
		p.detail.SetText(p.view.Details())
		h.Session.Seek(p.view.cursor)
	}
	p.view.OnRune = p.typed
	p.run = widget.NewButtonWithIcon("Record again", theme.MediaRecordIcon(), p.record)
	p.beside = widget.NewCheck("beside the recorded run", func(bool) {
		if p.rec != nil {
			p.record()
		}
	})
	fit := ours.NewIconButton("Show the whole timeline", theme.ZoomFitIcon(), p.view.Fit)
	export := widget.NewButtonWithIcon("Perfetto file", theme.DocumentSaveIcon(), p.export)
	bar := container.NewBorder(nil, nil, nil, container.NewHBox(
		container.NewGridWrap(fyne.NewSize(150, p.filter.MinSize().Height), p.filter), fit, export, p.beside, p.run), p.title)
	p.main = container.NewBorder(bar, container.NewVBox(p.legend, ours.Close(p.detail, p.hover)), nil, nil, p.view)
	return p
}

// Content returns the page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Close implements page.Closer.
func (p *Page) Close() { p.leave() }

// Update shows a change of the session.
func (p *Page) Update(e session.Event) {
	if m := p.host.Session.Model(); m != p.model || len(p.root.Objects) == 0 {
		p.model, p.rec = m, nil
		p.show()
	}
	switch e {
	case session.SettingsChanged:
		p.view.Refresh()
		p.legend.Refresh()
	case session.PlaceChanged:
		p.follow()
	case session.ScenariosChanged:
		p.rec = nil
		p.show()
	case session.ModelChanged, session.SelectionChanged, session.ResultsChanged, session.RunsChanged, session.MeasuredChanged, session.JobsChanged, session.NoticeChanged:
	}
}

func (p *Page) show() {
	p.root.RemoveAll()
	if p.host.Session.HasRecording() {
		p.beside.Show()
	} else {
		p.beside.Hide()
	}
	start := widget.NewButtonWithIcon("Record a timeline", theme.MediaRecordIcon(), p.record)
	start.Importance = widget.HighImportance
	switch {
	case p.model == nil:
		p.root.Add(ours.Empty("No model is open", "A timeline shows what every simulated thread does, moment by moment.",
			widget.NewButton("Start page", func() { p.host.Session.GoPage("start") })))
	case p.busy:
		p.root.Add(ours.Empty("Recording …", "One replication of scenario "+p.host.Session.Scenario().Name+" is simulated with its timeline."))
	case p.rec == nil:
		p.root.Add(ours.Empty("Runs record totals only", "Simulate one replication of scenario "+p.host.Session.Scenario().Name+" with its timeline to see who waits for whom, and when.", start))
	default:
		p.root.Add(p.main)
	}
	p.root.Refresh()
}

// record simulates one replication of the current scenario with its timeline.
func (p *Page) record() {
	if p.model == nil || p.busy {
		return
	}
	p.busy = true
	p.show()
	p.host.Session.Record(p.beside.Checked, func() {
		p.busy = false
		p.show()
	})
}

// follow shows the film of the session, and its moment.
func (p *Page) follow() {
	switch f := p.host.Session.Film(); {
	case f == nil && p.rec == nil:
	case f == nil:
		p.rec = nil
		p.show()
	case f.Recording != p.rec:
		p.SetRecording(f.Of, f.Recording)
		p.show()
	case f.At() > f.From && f.At() != p.view.cursor:
		p.view.SetCursor(f.At())
	}
}

// SetRecording shows a recording of a scenario.
func (p *Page) SetRecording(scenario string, r *recording.Recording) {
	p.rec = r
	p.view.SetRecording(r)
	p.legend.show(r)
	p.detail.SetText(p.view.Details())
	spans := 0
	for _, l := range r.Lanes {
		spans += len(l.Spans)
	}
	text := fmt.Sprintf("%s · %s spans in %s", scenario, quantity.Count(int64(spans)), quantity.Format(r.Until.Seconds(), "s"))
	if r.Full {
		text += " (the recording is full; the run went on)"
	}
	p.title.SetText(text)
}

// critical highlights the chain that decides when the recording ends, and says
// what it consists of; a second time takes it away.
func (p *Page) critical() {
	if p.rec == nil {
		return
	}
	if p.view.path != nil {
		p.view.SetPath(nil)
		p.detail.SetText(p.view.Details())
		return
	}
	path := p.rec.Critical()
	p.view.SetPath(path)
	length := des.Time(0)
	for _, s := range path {
		length += s.End - s.Start
	}
	p.detail.SetText(fmt.Sprintf("Critical path of %s in %d parts: %s.", quantity.Format(length.Seconds(), "s"), len(path), sharesText(p.rec.Sum(path), length)))
}

func (p *Page) typed(r rune) {
	if r == 'p' || r == 'P' {
		p.critical()
	}
	if r == '/' {
		p.host.Window.Canvas().Focus(p.filter)
	}
}

// export writes the recording for ui.perfetto.dev beside the project.
func (p *Page) export() {
	ses, r := p.host.Session, p.rec
	if r == nil {
		return
	}
	path := strings.TrimSuffix(ses.Path(), string(filepath.Separator)) + "-timeline.pftrace"
	background.Start(ses.Runner, func(context.Context, func(struct{})) (struct{}, error) {
		return struct{}{}, project.WriteTo(path, func(w io.Writer) error { return r.Write(w, path) })
	}, nil, func(_ struct{}, err error) {
		if err != nil {
			ses.Notify(session.Failure("The timeline was not saved.", err))
			return
		}
		ses.Notify(session.Notice{Level: session.Info, What: "Saved " + path + ". Open it at ui.perfetto.dev."})
	})
}

// Keys implements page.Keyed.
func (p *Page) Keys() []page.Key {
	return append([]page.Key{{Name: "Arrows", Does: "move in time, choose a row"}, {Name: "+  −", Does: "zoom in, out"}}, p.host.WheelKeys()...)
}

// Actions are what the keys and the palette can do here.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Record a timeline", Key: "Ctrl+Enter", Run: p.record},
		{Title: "Show the whole timeline", Key: "0", Run: p.view.Fit},
		{Title: "Previous event of the row", Key: "[", Run: func() { p.view.Step(-1) }},
		{Title: "Next event of the row", Key: "]", Run: func() { p.view.Step(1) }},
		{Title: "Critical path of the recording", Key: "P", Run: p.critical},
		{Title: "Filter the rows", Key: "/", Run: func() { p.host.Window.Canvas().Focus(p.filter) }},
		{Title: "Save the timeline for Perfetto", Key: "Ctrl+E", Run: p.export},
	}
}
