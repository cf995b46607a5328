// Package difference is the page that compares the open model with that of
// another build: what became of the metric, which changes are to blame, and
// where they are in the call graphs. Every number comes from
// simulation/difference, as for `tierctl diff`.
package difference

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core/quantity"
	"tierscope/gui/background"
	"tierscope/gui/diagram"
	"tierscope/gui/figure"
	"tierscope/gui/look"
	"tierscope/gui/page"
	"tierscope/gui/save"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/project"
	"tierscope/simulation/difference"
)

// ID is the page's place.
const ID = "difference"

// Page compares two builds.
type Page struct {
	host *page.Host
	root *fyne.Container

	other   *widget.SelectEntry // path of the old build's project
	run     *widget.Button
	all     *widget.Check
	pool    *own.Choice
	verdict *own.Verdict
	shares  *own.Plot
	changes *own.DataTable
	graph   *own.Graph
	main    fyne.CanvasObject

	report *difference.Report
	job    *session.Job
}

// New returns the page.
func New(h *page.Host) page.Page {
	p := &Page{host: h, root: container.NewStack(), verdict: own.NewVerdict(), shares: own.NewPlot(h.Session.Runner), graph: own.NewGraph()}
	p.graph.PaintWith(h.Session.Runner)
	p.graph.Scrolls = h.WheelScrolls
	p.other = widget.NewSelectEntry(nil)
	p.other.SetPlaceHolder("project or model of the old build")
	p.other.OnSubmitted = func(string) { p.start() }
	p.run = widget.NewButtonWithIcon("Compare", theme.MediaPlayIcon(), p.start)
	p.run.Importance = widget.HighImportance
	p.all = widget.NewCheck("insignificant ones too", func(bool) { p.fill() })
	p.pool = own.NewChoice(func(string) { p.layOut() })
	p.changes = own.NewDataTable(own.Column{Title: "Change"}, own.Column{Title: "Of", Names: true}, own.Column{Title: "What"}, own.Column{Title: "Old", Right: true},
		own.Column{Title: "New", Right: true}, own.Column{Title: "By", Right: true}, own.Column{Title: "Significant"})
	p.changes.Otherwise("Nothing changed significantly", "What differs within its noise is listed with the box below.")
	below := container.NewHSplit(
		own.Titled("What changed in the model", container.NewBorder(nil, p.all, nil, nil, p.changes)),
		own.Titled("Where in the call graph", container.NewBorder(p.pool, nil, nil, nil, p.graph)))
	below.SetOffset(0.56)
	split := container.NewVSplit(p.shares, below)
	split.SetOffset(0.42)
	p.main = split
	return p
}

// Content implements page.Page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Actions implements page.Actor.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Compare with the old build", Key: "Ctrl+Enter", Run: p.start},
		{Title: "Choose the old build", Key: "/", Run: func() { p.host.Window.Canvas().Focus(p.other) }},
		{Title: "Save the figure of the changes", Key: "Ctrl+E", Figure: true, Run: p.save},
		{Title: "Show the plot as a table", Key: "T", Run: p.shares.ToggleTwin},
		{Title: "Copy as command", Key: "Ctrl+Shift+C", Run: func() { fyne.CurrentApp().Clipboard().SetContent(p.command()) }},
	}
}

// Keys implements page.Keyed.
func (p *Page) Keys() []page.Key { return p.host.GraphKeys() }

// Update implements page.Page.
func (p *Page) Update(e session.Event) {
	switch e {
	case session.ModelChanged:
		p.report, p.job = nil, nil
		p.show()
	case session.PlaceChanged, session.JobsChanged, session.ScenariosChanged:
		p.show()
	case session.SelectionChanged, session.ResultsChanged, session.RunsChanged, session.MeasuredChanged, session.NoticeChanged, session.SettingsChanged:
	}
}

func (p *Page) show() {
	s := p.host.Session
	if s.Model() == nil {
		p.root.Objects = []fyne.CanvasObject{own.Empty("No model is open", "Open the project of the new build on the start page.",
			widget.NewButton("Start page", func() { s.GoPage("start") }))}
		p.root.Refresh()
		return
	}
	var recent []string
	for _, path := range s.Recent() {
		if path != s.Path() {
			recent = append(recent, path)
		}
	}
	p.other.SetOptions(recent)
	browse := own.NewIconButton("Choose a file", theme.FolderOpenIcon(), p.browse)
	bar := container.NewBorder(nil, nil, own.Muted("New: "+s.Name()+", scenario "+s.Scenario().Name+".  Old:"), container.NewHBox(browse, p.run), p.other)
	var body fyne.CanvasObject
	switch {
	case p.job != nil && p.job.State == session.Running:
		body = own.Empty("Comparing", "Both models are simulated on the same random numbers, and in between with one change swapped in or out at a time. "+p.job.Fact)
	case p.report == nil:
		body = own.Empty("Nothing to compare with yet",
			"Give the project of an older build of the same program. Its functions, locks and pools are found again in the open model; what differs is listed, and what each change costs is simulated.")
	default:
		bar = container.NewVBox(bar, p.verdict)
		body = p.main
	}
	p.root.Objects = []fyne.CanvasObject{container.NewBorder(bar, nil, nil, nil, body)}
	p.root.Refresh()
}

// browse asks for the folder of a project.
func (p *Page) browse() {
	p.host.ChooseFile(dialog.NewFolderOpen(func(folder fyne.ListableURI, err error) {
		if err != nil {
			p.host.Session.Notify(session.Failure("The folder cannot be read.", err))
		}
		if folder != nil {
			p.other.SetText(folder.Path())
			p.start()
		}
	}, p.host.Window), filepath.Dir(p.host.Session.Path()))
}

// start compares the open model, in the current scenario, with the old one.
func (p *Page) start() {
	s := p.host.Session
	path := strings.TrimSpace(p.other.Text)
	if s.Model() == nil || p.job != nil && p.job.State == session.Running {
		return
	}
	if path == "" {
		p.host.Window.Canvas().Focus(p.other)
		s.Notify(session.Notice{Level: session.Info, What: "Which build is the old one?", Why: "Type the path of its project or model."})
		return
	}
	scenario, model := s.Scenario(), s.Model()
	simulate, pool := s.Simulator()
	o := difference.Options{Settings: maps.Clone(scenario.Settings), Attribute: true, Simulation: s.Options(), Simulate: simulate}
	o.Simulation.Pool = pool
	p.job = session.StartJob(s, "Compare with "+path, func(ctx context.Context, report func([2]int)) (*difference.Report, error) {
		before, err := project.LoadModel(path)
		if err != nil {
			return nil, err
		}
		after, err := session.Scenario{Edits: scenario.Edits}.Apply(*model)
		if err != nil {
			return nil, err
		}
		o.Progress = func(done, total int) { report([2]int{done, total}) }
		return difference.Run(ctx, before, after, o)
	}, func(j *session.Job, now [2]int) {
		j.Fraction = float64(now[0]) / float64(max(now[1], 1))
		j.Fact = fmt.Sprintf("%d of %d simulations.", now[0], now[1])
	}, func(_ *session.Job, r *difference.Report, _ error) {
		if r != nil {
			p.Show(r)
		}
		p.show()
	})
	p.show()
}

// Show shows a report.
func (p *Page) Show(r *difference.Report) {
	p.report = r
	rule := "Shares are the mean of the effect of a change as the first and as the last one that is made; common random numbers."
	for _, n := range r.Renamed {
		rule += fmt.Sprintf(" %s %s is now %s.", n.Kind, n.Old, n.New)
	}
	confidence := own.Good
	if r.Incomplete {
		confidence, rule = own.Weak, "Cancelled: the shares are of what there was. "+rule
	}
	sure, why := p.host.Session.Sure(string(confidence), rule)
	p.verdict.Set(r.Verdict, own.Confidence(sure), why)
	p.shares.SetFigure(figure.Attribution(r))
	p.fill()
	var graphs []string
	for _, g := range r.After.Graphs {
		graphs = append(graphs, g.ID)
	}
	p.pool.SetValues(graphs, func(id string) string { return "pool " + id })
	p.pool.Choose(p.mostChanged(graphs))
	p.layOut()
}

// mostChanged is the call graph with most significant changes.
func (p *Page) mostChanged(graphs []string) string {
	best, most := "", -1
	for _, id := range graphs {
		n := 0
		for _, c := range p.report.Changes {
			if strings.HasPrefix(c.Of, "graphs/"+id+"/") && c.Significant != difference.Insignificant {
				n++
			}
		}
		if n > most {
			best, most = id, n
		}
	}
	return best
}

// fill lists the changes.
func (p *Page) fill() {
	if p.report == nil {
		return
	}
	var rows [][]own.Cell
	for _, c := range p.report.Changes {
		if c.Significant == difference.Insignificant && !p.all.Checked {
			continue
		}
		row := []own.Cell{own.TextCell(string(c.Kind)), own.TextCell(element(c.Of)), own.TextCell(c.What)}
		if c.Old == 0 && c.New == 0 {
			row = append(row, own.TextCell(""), own.TextCell(""), own.TextCell(""))
		} else {
			row = append(row, own.NumberCell(quantity.Format(c.Old, c.Unit), c.Old), own.NumberCell(quantity.Format(c.New, c.Unit), c.New),
				own.NumberCell(quantity.Change(c.Relative()), c.Relative()))
		}
		rows = append(rows, append(row, own.TextCell(string(c.Significant))))
	}
	p.changes.SetRows(rows)
}

// element is the path of an element of the model in words: "lock L3",
// "parse in worker".
func element(path string) string {
	kind, id, _ := strings.Cut(path, "/")
	if graph, fragment, ok := strings.Cut(id, "/fragments/"); ok && kind == "graphs" {
		return fragment + " in " + graph
	}
	return strings.TrimSpace(strings.TrimSuffix(kind, "s") + " " + id)
}

// layOut draws the call graph of the pool that is chosen, with its changes:
// the stronger the colour, the larger the change, up to a factor of two.
func (p *Page) layOut() {
	r, id := p.report, p.pool.Value()
	if r == nil || id == "" {
		return
	}
	type drawn struct {
		placed *diagram.Placed
		heat   []float64
		notes  []string
	}
	background.Start(p.host.Session.Runner, func(ctx context.Context, _ func(struct{})) (drawn, error) {
		d := diagram.Difference(r.Graphs(id))
		heat, notes := marks(r, d)
		placed, err := diagram.Place(ctx, d, p.host.Layouter, look.Fonts())
		return drawn{placed, heat, notes}, err
	}, nil, func(is drawn, err error) {
		if err == nil && p.report == r && p.pool.Value() == id { // without Graphviz the list beside it says the same
			p.graph.SetDiagram(is.placed)
			p.graph.SetOverlay(is.heat, is.notes)
			if hottest := slices.Index(is.heat, slices.Max(append(is.heat, 0))); hottest >= 0 {
				p.graph.Mark(hottest)
			}
		}
	})
}

func (p *Page) save() {
	if p.report == nil {
		return
	}
	from := p.host.Session.Provenance()
	from.Model = fmt.Sprintf("%s@%.7s → %s", p.report.Old.Name, p.report.Old.Hash, p.report.New.Name)
	from.Revision, from.Scenario = p.report.New.Hash, p.host.Session.Scenario().Name
	save.Figure(p.host, p.shares.Figure(), "attribution", from)
}
