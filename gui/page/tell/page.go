// Package tell is the page that puts a report together: which parts, what it
// is about, and one self-contained HTML file, the same as `tierctl report`
// writes.
package tell

import (
	"bytes"
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/analysis/stage"
	"tierscope/gui/page"
	"tierscope/gui/palette"
	"tierscope/gui/recipe"
	"tierscope/gui/report"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/measure/validate"
	"tierscope/project"
	"tierscope/simulation/experiment"
	"tierscope/simulation/explain"
)

// Page composes a report.
type Page struct {
	host    *page.Host
	version string
	root    *fyne.Container

	explain, validate, runs *widget.Check
	pinned                  *fyne.Container // a row for every chart
	file                    *widget.Entry
	write                   *widget.Button
	state                   *widget.Label
	job                     *session.Job
}

// New returns the page.
func New(h *page.Host, version string) page.Page {
	p := &Page{host: h, version: version, root: container.NewStack(), file: widget.NewEntry(), pinned: container.NewVBox(), state: own.Wrapped("")}
	p.explain = widget.NewCheck("Explain the current scenario: where the time goes, what would help, findings", nil)
	p.validate = widget.NewCheck("Compare the model with the measurements of the project", nil)
	p.runs = widget.NewCheck("Show all runs over the parameter that varies most", nil)
	for _, c := range []*widget.Check{p.explain, p.validate, p.runs} {
		c.SetChecked(true)
	}
	p.write = widget.NewButtonWithIcon("Write report", theme.DocumentSaveIcon(), p.start)
	p.write.Importance = widget.HighImportance
	return p
}

// Content implements page.Page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Actions implements page.Actor.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Write the report", Key: "Ctrl+Enter", Run: p.start},
		{Title: "Copy the report as a command", Run: func() { fyne.CurrentApp().Clipboard().SetContent(p.command()) }},
	}
}

// Update implements page.Page.
func (p *Page) Update(e session.Event) {
	switch e {
	case session.ModelChanged, session.PlaceChanged, session.MeasuredChanged:
		p.show(e == session.ModelChanged)
	case session.ScenariosChanged, session.SelectionChanged, session.ResultsChanged, session.RunsChanged, session.JobsChanged, session.NoticeChanged, session.SettingsChanged:
	}
}

func (p *Page) show(renew bool) {
	s := p.host.Session
	if s.Model() == nil {
		p.root.Objects = []fyne.CanvasObject{own.Empty("No model is open", "Open a project or a sample on the start page.",
			widget.NewButton("Start page", func() { s.GoPage("start") }))}
		p.root.Refresh()
		return
	}
	if renew || p.file.Text == "" {
		p.file.SetText(strings.TrimSuffix(s.Path(), filepath.Ext(s.Path())) + ".html")
	}
	if len(s.Measured()) == 0 {
		p.validate.SetChecked(false)
		p.validate.Disable()
	} else {
		p.validate.Enable()
	}
	p.showPinned()
	copyButton := widget.NewButtonWithIcon("Copy as command", theme.ContentCopyIcon(), func() { fyne.CurrentApp().Clipboard().SetContent(p.command()) })
	copyButton.Importance = widget.LowImportance
	p.root.Objects = []fyne.CanvasObject{own.Centered(680, container.NewVBox(
		own.Heading("Report"),
		own.Wrapped("One HTML file that needs nothing else: verdicts first, figures with their provenance, sortable tables, and always the method with its limits."),
		own.Card(container.NewVBox(own.Section("Parts"), p.explain, p.validate, p.runs, p.pinned)),
		widget.NewForm(widget.NewFormItem("File", p.file)),
		container.NewHBox(p.write, copyButton), p.state))}
	p.root.Refresh()
}

// showPinned lists the charts that go into the report.
func (p *Page) showPinned() {
	s := p.host.Session
	p.pinned.RemoveAll()
	for _, r := range s.Charts() {
		open := widget.NewButton("Open", func() { s.Go(session.Place{Page: "results", Part: r.Name()}) })
		remove := own.NewIconButton("Take "+r.Name()+" out of the report", theme.DeleteIcon(), func() {
			s.Unpin(r)
			p.show(false)
		})
		open.Importance = widget.LowImportance
		p.pinned.Add(container.NewBorder(nil, nil, widget.NewIcon(theme.FileImageIcon()), container.NewHBox(open, remove), own.Wrapped(r.Name())))
	}
	for i, f := range s.Pins() {
		p.pinned.Add(p.pin(i, f))
	}
	if len(s.Charts())+len(s.Pins()) == 0 {
		p.pinned.Add(own.Caption("Pin figures on their pages with Ctrl+Shift+E; they appear here."))
	}
}

// pin is the row of a figure that was pinned as it was: its note, and its place among the others.
func (p *Page) pin(i int, f recipe.Pin) fyne.CanvasObject {
	s := p.host.Session
	move := func(label string, icon fyne.Resource, by int) *own.IconButton {
		b := own.NewIconButton(label+" "+f.Title, icon, func() {
			s.MovePin(i, by)
			p.show(false)
		})
		if to := i + by; to < 0 || to >= len(s.Pins()) {
			b.Disable()
		}
		return b
	}
	remove := own.NewIconButton("Take "+f.Title+" out of the report", theme.DeleteIcon(), func() {
		s.UnpinFigure(i)
		p.show(false)
	})
	note := widget.NewEntry()
	note.SetPlaceHolder("note on " + f.Title)
	note.SetText(f.Note)
	note.OnChanged = func(text string) { s.NotePin(i, text) }
	grip := own.NewHandle("Drag "+f.Title+" to another place", nil)
	buttons := container.NewHBox(move("Earlier:", theme.MoveUpIcon(), -1), move("Later:", theme.MoveDownIcon(), 1), remove)
	row := container.NewVBox(container.NewBorder(nil, nil, grip, buttons, own.Wrapped(f.Title)), note, own.Caption(f.From))
	grip.OnDragged = func(dy float32) {
		s.MovePin(i, int(math.Round(float64(dy/(row.Size().Height+theme.Padding())))))
		p.show(false)
	}
	return row
}

func (p *Page) command() string {
	command := "tierctl report " + session.Quote(p.host.Session.Path()) + " --out " + session.Quote(p.file.Text)
	for _, part := range []struct {
		name  string
		check *widget.Check
	}{{"explain", p.explain}, {"validate", p.validate}, {"runs", p.runs}} {
		if !part.check.Checked {
			command += " --without " + part.name
		}
	}
	return command
}

// start composes and writes the report in the background.
func (p *Page) start() {
	s := p.host.Session
	if s.Model() == nil || p.job != nil && p.job.State == session.Running {
		return
	}
	path := strings.TrimSpace(p.file.Text)
	if path == "" {
		s.Notify(session.Failure("The report was not written.", errors.New("the file has no name")))
		return
	}
	work := p.work()
	p.write.Disable()
	p.state.SetText("Simulating what the report needs …")
	p.job = session.StartJob(s, "Report", func(ctx context.Context, report func(experiment.Progress)) (struct{}, error) {
		data, err := work(ctx, report)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, project.WriteFile(path, data)
	}, func(j *session.Job, now experiment.Progress) {
		j.Fraction = float64(now.Done) / float64(max(now.Points, 1))
	}, func(_ *session.Job, _ struct{}, err error) {
		p.write.Enable()
		p.state.SetText("")
		if err == nil {
			p.state.SetText("Written: " + path)
		}
	})
}

// work returns what makes the report; it reads nothing of the session later.
func (p *Page) work() func(context.Context, func(experiment.Progress)) ([]byte, error) {
	s := p.host.Session
	m, scenario, o := *s.Model(), s.Scenario(), s.Options()
	simulate, pool := s.Simulator()
	kept := s.Kept("validation")
	c := report.Content{Name: s.Name(), Model: &m, Scenario: scenario.Name, Date: time.Now(), Version: p.version, Lines: palette.Set(s.Settings().Palette)}
	c.Overview, c.Charts, c.Pins = p.runs.Checked, s.Charts(), s.Pins()
	if c.Overview || len(c.Charts) > 0 {
		c.Observations = s.Predictions()
	}
	measured := s.Measured()
	grade, _ := s.Grade()
	withExplain, withValidation, folder := p.explain.Checked, p.validate.Checked && len(measured) > 0, s.Project()
	return func(ctx context.Context, progress func(experiment.Progress)) ([]byte, error) {
		var err error
		if withExplain {
			r := experiment.Runner{Model: m, Pool: pool, Simulate: simulate, Progress: progress}
			if c.Explain, err = explain.Run(ctx, &r, explain.Options{Settings: scenario.Settings, Simulation: o}); err != nil {
				return nil, err
			}
		}
		if withValidation {
			if c.Validation, err = validate.Run(ctx, validate.Request{Model: m, Measured: measured[0].Table, Options: o, Simulate: kept}); err != nil {
				return nil, err
			}
			c.Observations = append(c.Observations, recipe.FromMeasured(measured[0].Table, &m)...)
		}
		if folder != nil {
			trust, err := stage.ReadTrust(folder)
			if err != nil {
				return nil, err
			}
			c.Trust, c.Grade = trust, grade
		}
		var b bytes.Buffer
		err = report.WriteHTML(&b, report.Compose(c))
		return b.Bytes(), err
	}
}
