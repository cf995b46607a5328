// Package ledger is the page of every run ever made of the open project:
// filter and sort them, open a result, make it a scenario, repeat it. Nothing
// is ever overwritten.
package ledger

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/gui/page"
	"tierscope/gui/recipe"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
)

// ID is the page in session.Place.
const ID = "ledger"

// Page lists the runs; Place.Part is the ID of the run that is open.
type Page struct {
	host *page.Host
	root *fyne.Container

	filter  *widget.Entry
	every   *widget.Check // lists what nobody asked for too
	count   *widget.Label
	table   *own.DataTable
	verdict *own.Verdict
	inputs  *widget.Label
	metrics *own.DataTable
	repeat  *widget.Button
	use     *widget.Button
	main    fyne.CanvasObject

	shown  []session.Record
	listed listing // what shown is of
	open   string  // ID of the run whose result is shown, "" for none
}

// listing is what a list of runs depends on.
type listing struct {
	model   *core.Model
	version int
	filter  string
	every   bool
}

// New returns the page.
func New(h *page.Host) page.Page {
	p := &Page{host: h, root: container.NewStack(), filter: widget.NewEntry(), count: own.Muted(""), verdict: own.NewVerdict(), inputs: own.Muted("")}
	p.filter.SetPlaceHolder("Filter: scenario, parameter and value, date, state  /")
	p.filter.OnChanged = func(string) { p.fill() }
	p.every = widget.NewCheck("points of curves and speed-ups too", func(bool) { p.fill() })
	p.inputs.Truncation = fyne.TextTruncateEllipsis
	p.table = own.NewDataTable()
	p.table.OnSelect = func(row int) {
		h.Session.Go(session.Place{Page: ID, Part: p.shown[row].ID, Selected: h.Session.Selected()})
	}
	p.table.Otherwise("No run passes the filter", "Change or empty it above.")
	p.metrics = own.NewDataTable(own.Column{Title: "Metric"}, own.Column{Title: "Value", Right: true}, own.Column{Title: "n", Right: true}, own.Column{Title: "Remarks"})
	p.metrics.Otherwise("No run is open", "Choose one above to see its result.")
	p.use = widget.NewButtonWithIcon("Open as scenario", theme.NavigateNextIcon(), p.useRun)
	p.repeat = widget.NewButtonWithIcon("Repeat with another seed", theme.ViewRefreshIcon(), p.repeatRun)
	copyButton := widget.NewButtonWithIcon("Copy as command", theme.ContentCopyIcon(), p.copyCommand)
	top := container.NewBorder(nil, nil, own.Heading("Ledger"), container.NewHBox(p.every, p.count), p.filter)
	buttons := container.NewHBox(p.use, p.repeat, copyButton)
	detail := container.NewBorder(container.NewVBox(p.verdict, container.NewBorder(nil, nil, nil, buttons, p.inputs)), nil, nil, nil, p.metrics)
	split := container.NewVSplit(p.table, own.Titled("Result", detail))
	split.SetOffset(0.5)
	p.main = container.NewBorder(top, nil, nil, nil, split)
	return p
}

// Content implements page.Page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Actions implements page.Actor.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Filter the runs", Key: "/", Run: func() { p.host.Window.Canvas().Focus(p.filter) }},
		{Title: "Open the run as a scenario", Key: "Ctrl+Enter", Run: p.useRun},
		{Title: "Repeat the run", Run: p.repeatRun},
		{Title: "Copy as command", Key: "Ctrl+Shift+C", Run: p.copyCommand},
	}
}

// Update implements page.Page.
func (p *Page) Update(e session.Event) {
	switch e {
	case session.ModelChanged:
		p.open = ""
		p.show()
	case session.PlaceChanged, session.RunsChanged:
		if part := p.host.Session.Place().Part; e == session.PlaceChanged && part != "" {
			p.open = part
		}
		p.show()
	case session.ScenariosChanged, session.SelectionChanged, session.ResultsChanged, session.MeasuredChanged, session.JobsChanged, session.NoticeChanged, session.SettingsChanged:
	}
}

func (p *Page) show() {
	s := p.host.Session
	switch {
	case s.Model() == nil:
		p.root.Objects = []fyne.CanvasObject{own.Empty("No model is open", "Open a project or a sample on the start page.",
			widget.NewButton("Start page", func() { s.GoPage("start") }))}
	case len(s.Runs()) == 0:
		p.root.Objects = []fyne.CanvasObject{own.Empty("No run yet", "Every run of a scenario, a sweep or a comparison is kept here with its inputs and results, and is never overwritten.",
			widget.NewButton("Scenarios", func() { s.GoPage("scenarios") }), widget.NewButton("Design a sweep", func() { s.GoPage("experiments") }))}
	default:
		p.root.Objects = []fyne.CanvasObject{p.main}
		p.fill()
	}
	p.root.Refresh()
}

// fill lists the runs that pass the filter.
func (p *Page) fill() {
	s := p.host.Session
	if now := (listing{s.Model(), s.RunsVersion(), p.filter.Text, p.every.Checked}); now != p.listed {
		p.listed = now
		p.list()
	}
	if _, ok := p.run(); !ok && len(p.shown) > 0 {
		p.open = p.shown[0].ID
	}
	p.table.Mark(slices.IndexFunc(p.shown, func(c session.Record) bool { return c.ID == p.open }))
	p.showRun()
}

// list makes the rows: of 10 000 runs this takes a moment.
func (p *Page) list() {
	s := p.host.Session
	p.shown = s.Records(p.filter.Text)
	if !p.every.Checked {
		p.shown = slices.DeleteFunc(p.shown, func(c session.Record) bool { return c.ID != p.open && !c.Asked(s.Model()) })
	}
	all := len(s.Runs())
	p.count.SetText(quantity.Count(int64(all)) + " runs")
	if len(p.shown) != all {
		p.count.SetText(fmt.Sprintf("%s of %s runs", quantity.Count(int64(len(p.shown))), quantity.Count(int64(all))))
	}
	columns := []own.Column{{Title: "Configuration"}, {Title: "Made for"}, {Title: "R", Right: true}, {Title: "X", Right: true},
		{Title: "n", Right: true}, {Title: "Seed", Right: true}, {Title: "State"}, {Title: "Made", Right: true}}
	names := []string{"R", "X"}
	if e, _, err := s.Estimate(s.Scenarios()[0]); err == nil && e.Batch {
		columns[2].Title, names[0] = "T", "T"
	}
	var rows [][]own.Cell
	for _, c := range p.shown {
		row := []own.Cell{own.TextCell(c.Changes), own.TextCell(c.Scenario)}
		for _, name := range names {
			text, mean, ok := session.Headline(c.Result, name)
			if !ok {
				mean = math.Inf(1)
			}
			row = append(row, own.NumberCell(text, mean))
		}
		state := own.Cell{Text: c.State, Key: math.NaN(), Tone: own.Quiet}
		if c.Result.Interrupted {
			state.Tone = own.FairTone
		}
		rows = append(rows, append(row, own.NumberCell(fmt.Sprint(c.Result.Replications), float64(c.Result.Replications)),
			own.NumberCell(fmt.Sprint(c.Inputs.Seed), float64(c.Inputs.Seed)), state,
			own.NumberCell(c.Time.Local().Format("2006-01-02 15:04:05"), float64(c.Time.Unix()))))
	}
	if len(p.table.Columns()) == 0 || p.table.Columns()[2] != columns[2] {
		p.table.SetColumns(columns...)
	}
	p.table.SetRows(rows)
}

// run returns the run that is open.
func (p *Page) run() (session.Record, bool) {
	for _, c := range p.shown {
		if c.ID == p.open {
			return c, true
		}
	}
	return session.Record{}, false
}

// showRun shows the result of the open run.
func (p *Page) showRun() {
	c, ok := p.run()
	for _, b := range []*widget.Button{p.use, p.repeat} {
		if ok && c.Present {
			b.Enable()
		} else {
			b.Disable()
		}
	}
	p.repeat.SetText("Repeat with another seed")
	if !ok {
		p.verdict.Set("Choose a run to see its result.", own.Undecided, "every run was kept with all its inputs")
		p.inputs.SetText("")
		p.metrics.SetRows(nil)
		return
	}
	if c.Result.Interrupted {
		p.repeat.SetText("Complete it")
	}
	v := session.Describe(c.Result)
	if c.State == session.EarlierModel {
		v.Confidence, v.Reason = "undecided", "made with another revision of the model, which cannot be simulated any more"
	}
	sure, why := p.host.Session.Sure(v.Confidence, v.Reason)
	p.verdict.Set(v.Sentence, own.Confidence(sure), why)
	p.inputs.SetText(inputs(c))
	var rows [][]own.Cell
	for _, m := range c.Result.Metrics {
		if m.Estimate.N == 0 {
			continue
		}
		rows = append(rows, []own.Cell{own.TextCell(recipe.Label(m.Key())),
			own.NumberCell(quantity.Amount(m.Estimate.Mean, m.Estimate.Lo, m.Estimate.Hi, m.Unit), m.Estimate.Mean),
			own.NumberCell(fmt.Sprint(m.Estimate.N), float64(m.Estimate.N)), own.TextCell(strings.Join(m.Estimate.Warnings, "; "))})
	}
	p.metrics.SetRows(rows)
}

// inputs says how a run was made.
func inputs(c session.Record) string {
	r := c.Result
	text := fmt.Sprintf("seed %d · %s", c.Inputs.Seed, quantity.Plural(r.Replications, "replication"))
	if c.Inputs.Precision > 0 {
		text += ", asked for " + quantity.PlusMinus(c.Inputs.Precision)
	}
	if !r.Terminating {
		text += fmt.Sprintf(" · %s after a warm-up of %s", quantity.Format(r.Duration, "s"), quantity.Format(r.Warmup, "s"))
	}
	return text + fmt.Sprintf(" · took %s · model %.7s · simulator %s · run %.8s", quantity.Format(r.Elapsed.Seconds(), "s"), r.ModelHash, r.Version, c.ID)
}

// useRun makes the configuration of the run the current scenario.
func (p *Page) useRun() {
	if c, ok := p.run(); ok && c.Present {
		p.host.Session.AddSettings(c.Changes, c.Result.Configuration, c.Edits...)
		p.host.Session.GoPage("scenarios")
	}
}

// repeatRun makes the run again: with another seed, or, if it was interrupted,
// to its end.
func (p *Page) repeatRun() {
	c, ok := p.run()
	if !ok || !c.Present {
		return
	}
	seed := c.Inputs.Seed
	if !c.Result.Interrupted {
		for _, r := range p.host.Session.Runs() {
			seed = max(seed, r.Inputs.Seed)
		}
		seed++
	}
	p.host.Session.Repeat(c.Run, seed)
}

func (p *Page) copyCommand() {
	if c, ok := p.run(); ok {
		fyne.CurrentApp().Clipboard().SetContent(p.host.Session.RunCommand(c.Run))
	}
}
