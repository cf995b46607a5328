// Package disk is the page that shows the disks of a model: the service law
// P(t | x), what the code fragments ask of them and how often they hit the cache,
// and, once a scenario is simulated, how busy they are.
package disk

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/gui/figure"
	"tierscope/gui/page"
	"tierscope/gui/save"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
)

// ID is the page in session.Place.
const ID = "disk"

// Page shows disks.
type Page struct {
	host *page.Host
	root *fyne.Container

	disk  *widget.Select
	note  *widget.Label
	law   *own.Plot
	uses  *own.DataTable
	loads *own.DataTable
	shown []figure.DiskUse
}

// New returns the page.
func New(h *page.Host) page.Page {
	p := &Page{host: h, root: container.NewStack(), note: own.Muted(""), law: own.NewPlot(h.Session.Runner)}
	p.note.Wrapping = fyne.TextWrapWord
	p.disk = widget.NewSelect(nil, func(string) { p.fill() })
	p.law.Otherwise("This disk has no law of service", "Measure one with tierctl disk measure, or record the program as root.")
	p.uses = own.NewDataTable(own.Column{Title: "Code fragment"}, own.Column{Title: "Pool's graph"}, own.Column{Title: "Disk"},
		own.Column{Title: "Requests", Right: true}, own.Column{Title: "Standard error", Right: true}, own.Column{Title: "Size", Right: true}, own.Column{Title: "Cache hits", Right: true})
	p.uses.OnSelect = func(row int) {
		h.Session.Select("graphs/" + p.shown[row].Graph + "/fragments/" + p.shown[row].Fragment)
	}
	p.uses.Otherwise("No code fragment asks for this disk", "The program was analysed without reading or writing, or its requests could not be attributed: see the trust report.")
	p.loads = own.NewDataTable(own.Column{Title: "Disk"}, own.Column{Title: "Utilization U", Right: true}, own.Column{Title: "Waiting Q", Right: true},
		own.Column{Title: "Wait W", Right: true}, own.Column{Title: "Service S", Right: true})
	return p
}

// Content implements page.Page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Actions implements page.Actor.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Simulate the scenario", Key: "Ctrl+Enter", Run: func() { p.host.Session.Simulate(p.host.Session.Scenario()) }},
		{Title: "Save the service law", Key: "Ctrl+E", Figure: true, Run: func() { save.Figure(p.host, p.law.Figure(), "service", p.host.Session.Provenance()) }},
		{Title: "Show the plot as a table", Key: "T", Run: p.law.ToggleTwin},
	}
}

// Update implements page.Page.
func (p *Page) Update(e session.Event) {
	switch e {
	case session.ModelChanged, session.PlaceChanged, session.ScenariosChanged:
		p.show()
	case session.ResultsChanged, session.RunsChanged:
		p.fillLoads()
	case session.SelectionChanged, session.JobsChanged, session.MeasuredChanged, session.NoticeChanged, session.SettingsChanged:
	}
}

// model is the model with the changes of the current scenario.
func (p *Page) model() *core.Model {
	s := p.host.Session
	if s.Model() == nil {
		return nil
	}
	m, err := s.Scenario().Apply(*s.Model())
	if err != nil {
		return s.Model()
	}
	return &m
}

func (p *Page) show() {
	s, m := p.host.Session, p.model()
	switch {
	case m == nil:
		p.root.Objects = []fyne.CanvasObject{own.Empty("No model is open", "Open a project or a sample on the start page.",
			widget.NewButton("Start page", func() { s.GoPage("start") }))}
	case len(m.Disks) == 0:
		p.root.Objects = []fyne.CanvasObject{own.Empty("The model has no disk",
			"A program that reads files gets one when its requests to the disk are recorded: analyse it as root, with cold caches.")}
	default:
		names := make([]string, len(m.Disks))
		for i := range m.Disks {
			names[i] = m.Disks[i].ID
		}
		p.disk.Options = names
		if p.disk.SelectedIndex() < 0 {
			p.disk.Selected = names[0]
		}
		p.disk.Refresh()
		p.fill()
		p.fillLoads()
		simulate := widget.NewButton("Simulate", func() { s.Simulate(s.Scenario()) })
		bar := container.NewBorder(nil, p.note, own.Muted("Disk"), simulate, p.disk)
		right := container.NewVSplit(own.Titled("What code fragments ask of disks", p.uses), own.Titled("In scenario "+s.Scenario().Name, p.loads))
		right.SetOffset(0.6)
		split := container.NewHSplit(p.law, right)
		split.SetOffset(0.45)
		p.root.Objects = []fyne.CanvasObject{container.NewBorder(bar, nil, nil, nil, split)}
	}
	p.root.Refresh()
}

// fill shows the chosen disk.
func (p *Page) fill() {
	m := p.model()
	if m == nil {
		return
	}
	for i := range m.Disks {
		if m.Disks[i].ID == p.disk.Selected {
			p.note.SetText(m.Disks[i].Origin.Note)
			p.law.SetFigure(figure.DiskLaw(&m.Disks[i]))
		}
	}
	p.shown = figure.DiskUses(m)
	var rows [][]own.Cell
	for _, u := range p.shown {
		rows = append(rows, []own.Cell{own.TextCell(u.Fragment), own.TextCell(u.Graph), own.TextCell(u.Disk),
			number(u.Requests, ""), number(u.Error, ""), number(u.Bytes, "B"), share(u.Hits)})
	}
	p.uses.SetRows(rows)
}

// fillLoads shows how busy the disks are in the scenario, as far as it was
// simulated.
func (p *Page) fillLoads() {
	m := p.model()
	if m == nil {
		return
	}
	var rows [][]own.Cell
	o := p.host.Session.Outcome(p.host.Session.Scenario())
	for _, d := range m.Disks {
		row := []own.Cell{own.TextCell(d.ID)}
		for _, metric := range []struct{ name, unit string }{{"U", "1"}, {"Q", ""}, {"W", "s"}, {"S", "s"}} {
			value := math.NaN()
			if o != nil && o.Result != nil {
				if found, ok := o.Result.Find(metric.name + " disk/" + d.ID + " mean"); ok {
					value = found.Estimate.Mean
				}
			}
			if metric.unit == "1" {
				row = append(row, share(value))
			} else {
				row = append(row, number(value, metric.unit))
			}
		}
		rows = append(rows, row)
	}
	p.loads.SetRows(rows)
}

// number and share are cells; a dash for what is not known.
func number(v float64, unit string) own.Cell {
	if math.IsNaN(v) {
		return unknown
	}
	return own.NumberCell(quantity.Format(v, unit), v)
}

func share(v float64) own.Cell {
	if math.IsNaN(v) {
		return unknown
	}
	return own.NumberCell(quantity.Share(v), v)
}

var unknown = own.Cell{Text: "–", Key: math.NaN(), Tone: own.Quiet}
