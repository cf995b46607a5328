// Package prolongation is the page for hidden dependencies: modules are delayed
// one at a time, in the simulator or in the program, and the page shows who
// becomes slower with whom, in what groups, and through which lock. Every
// number comes from measure/prolong, as for `tierctl prolong`.
package prolongation

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/analysis/factor"
	"tierscope/gui/background"
	"tierscope/gui/diagram"
	"tierscope/gui/figure"
	"tierscope/gui/look"
	"tierscope/gui/page"
	"tierscope/gui/save"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/measure/prolong"
	simulated "tierscope/simulation/prolong"
)

// ID is the page's place.
const ID = "prolongation"

// Views of the matrix.
const (
	simulatedView  = "Simulated"
	measuredView   = "Measured"
	differenceView = "Difference"
)

// Page shows a study.
type Page struct {
	host *page.Host
	root *fyne.Container

	run, load *widget.Button
	view      *widget.RadioGroup
	by        *widget.Select
	verdict   *own.Verdict
	matrix    *own.Plot
	scree     *own.Plot
	loadings  *own.Plot
	graph     *own.Graph
	findings  *fyne.Container

	few   bool // modules: fewer than it takes
	study *prolong.Study
	job   *session.Job
}

// New returns the page.
func New(h *page.Host) page.Page {
	p := &Page{host: h, root: container.NewStack(), findings: container.NewVBox()}
	p.run = widget.NewButtonWithIcon("Delay every module", theme.MediaPlayIcon(), p.start)
	p.run.Importance = widget.HighImportance
	p.load = widget.NewButtonWithIcon("Open measurements", theme.FolderOpenIcon(), p.open)
	p.view = widget.NewRadioGroup([]string{simulatedView, measuredView, differenceView}, func(string) { p.draw() })
	p.view.Horizontal, p.view.Required, p.view.Selected = true, true, simulatedView
	p.by = widget.NewSelect([]string{string(simulated.Function), string(simulated.File), string(simulated.Package)}, func(string) { p.count() })
	p.by.Selected = string(simulated.Function)
	p.verdict = own.NewVerdict()
	p.matrix, p.scree, p.loadings = own.NewPlot(h.Session.Runner), own.NewPlot(h.Session.Runner), own.NewPlot(h.Session.Runner)
	p.scree.Otherwise("No eigenvalues", "There is nothing to compare with unrelated modules.")
	p.loadings.Otherwise("No factor", "No group of modules becomes slower together more than unrelated ones would.")
	p.graph = own.NewGraph()
	p.graph.Scrolls = p.host.WheelScrolls
	return p
}

// Content implements page.Page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Actions implements page.Actor.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Delay every module in the simulator", Key: "Ctrl+Enter", Run: p.start},
		{Title: "Open measured prolongation", Run: p.open},
		{Title: "Save the matrix", Key: "Ctrl+E", Figure: true, Run: func() { save.Figure(p.host, p.matrix.Figure(), "sensitivities", p.host.Session.Provenance()) }},
		{Title: "Show the plots as tables", Key: "T", Run: func() { p.matrix.ToggleTwin(); p.scree.ToggleTwin(); p.loadings.ToggleTwin() }},
		{Title: "Copy as a command", Run: func() { fyne.CurrentApp().Clipboard().SetContent("tierctl prolong " + p.host.Session.Path()) }},
	}
}

// Keys implements page.Keyed.
func (p *Page) Keys() []page.Key { return p.host.GraphKeys() }

// Update implements page.Page.
func (p *Page) Update(e session.Event) {
	switch e {
	case session.ModelChanged:
		p.study = nil
		p.count()
	case session.PlaceChanged, session.JobsChanged:
		p.show()
	case session.ScenariosChanged, session.MeasuredChanged, session.SelectionChanged, session.ResultsChanged, session.RunsChanged, session.NoticeChanged, session.SettingsChanged:
	}
}

func (p *Page) show() {
	bar := container.NewHBox(p.run, own.Muted("modules are"), p.by, p.load)
	if p.few {
		p.run.Disable()
	} else {
		p.run.Enable()
	}
	switch {
	case p.host.Session.Model() == nil:
		p.root.Objects = []fyne.CanvasObject{own.Empty("No model is open", "Modules of a model are delayed one at a time; whoever becomes slower without being called depends on them.",
			widget.NewButton("Start page", func() { p.host.Session.GoPage("start") }))}
	case p.job != nil && p.job.State == session.Running:
		p.root.Objects = []fyne.CanvasObject{own.Empty("Delaying modules", "Every module is delayed at three levels in the simulator, on the same random numbers.")}
	case p.study == nil && p.few:
		p.root.Objects = []fyne.CanvasObject{container.NewBorder(bar, nil, nil, nil, own.Empty("Nothing to delay",
			"It takes two "+p.by.Selected+"s that can be delayed, and this model shows fewer: between its operations, all that its threads compute lies in one."))}
	case p.study == nil:
		p.root.Objects = []fyne.CanvasObject{container.NewBorder(bar, nil, nil, nil, own.Empty("No prolongation yet",
			"Modules are delayed one at a time; whoever becomes slower without being called depends on them through a lock, a queue or another resource. Measurements come from tierctl prolong --program … --out FILE."))}
	default:
		plots := container.NewVSplit(p.scree, p.loadings)
		plots.SetOffset(0.5)
		middle := container.NewHSplit(p.matrix, plots)
		middle.SetOffset(0.62)
		below := container.NewHSplit(p.graph, own.Titled("Dependencies", own.Scrolled(p.findings)))
		all := container.NewVSplit(middle, below)
		all.SetOffset(0.62)
		p.root.Objects = []fyne.CanvasObject{container.NewBorder(container.NewVBox(container.NewHBox(p.run, p.by, p.load, p.view), p.verdict), nil, nil, nil, all)}
	}
	p.root.Refresh()
}

// count sees whether the model has fewer modules than it takes.
func (p *Page) count() {
	m := p.host.Session.Model()
	p.few = m != nil && len(simulated.Modules(m, simulated.Granularity(p.by.Selected))) < 2
	p.show()
}

// start prolongs the model of the session.
func (p *Page) start() {
	s := p.host.Session
	if s.Model() == nil || p.few || p.job != nil && p.job.State == session.Running {
		return
	}
	scenario, model, name, before := s.Scenario(), s.Model(), s.Name(), p.study
	o := simulated.Options{Granularity: simulated.Granularity(p.by.Selected), Seed: s.Options().Seed}
	p.job = session.StartJob(s, "Prolong "+name, func(ctx context.Context, _ func(struct{})) (*prolong.Study, error) {
		m, err := session.Scenario{Edits: scenario.Edits}.Apply(*model)
		if err != nil {
			return nil, err
		}
		study := prolong.New(name)
		if err := study.Simulate(ctx, m, scenario.Settings, o, factor.Options{}); err != nil {
			return nil, err
		}
		if before != nil && before.Measured != nil {
			err = study.UseMeasured(before.Measured.Experiment, factor.Options{})
		}
		return study, err
	}, nil, func(_ *session.Job, study *prolong.Study, _ error) {
		if study != nil {
			p.Show(study)
		}
		p.show()
	})
	p.show()
}

// open asks for a study that tierctl prolong wrote.
func (p *Page) open() {
	p.host.OpenFile("The measurements could not be read.", []string{".json"}, func(_ string, data []byte) { p.Read(string(data)) })
}

// Read takes the measured part of a study, and the simulated one if there is
// none yet.
func (p *Page) Read(text string) {
	study, err := prolong.Read(strings.NewReader(text))
	if err == nil && p.study != nil && p.study.Simulated != nil && study.Measured != nil {
		err = p.study.UseMeasured(study.Measured.Experiment, factor.Options{})
		study = p.study
	}
	if err != nil {
		p.host.Session.Notify(session.Failure("The measurements cannot be used.", err))
		return
	}
	p.Show(study)
	p.show()
}

// Show shows a study.
func (p *Page) Show(study *prolong.Study) {
	p.study = study
	if study.Simulated == nil {
		p.view.Selected = measuredView
	} else if study.Measured == nil {
		p.view.Selected = simulatedView
	}
	p.view.Refresh()
	p.draw()
}

// analysis returns the side that is shown, nil for a side that is not there.
func (p *Page) analysis() *factor.Analysis {
	if p.view.Selected == measuredView || p.study.Simulated == nil {
		return p.study.Measured
	}
	return p.study.Simulated
}

func (p *Page) draw() {
	if p.study == nil {
		return
	}
	a := p.analysis()
	if a == nil || p.view.Selected == differenceView && p.study.Agreement == nil {
		why, hint := "There is nothing "+strings.ToLower(p.view.Selected)+" yet.", "Measurements come from tierctl prolong --program … --out FILE; Delay every module simulates."
		p.verdict.Set(why, own.Weak, hint)
		for _, plot := range []*own.Plot{p.matrix, p.scree, p.loadings} {
			plot.SetFigure(nil)
		}
		p.matrix.Otherwise(why, hint)
		p.findings.RemoveAll()
		p.graph.SetDiagram(nil)
		return
	}
	p.matrix.Otherwise("No module is on both sides", "Simulated and measured modules have no name in common.")
	if p.view.Selected == differenceView {
		p.matrix.SetFigure(figure.Difference(p.study.Simulated, p.study.Measured))
	} else {
		p.matrix.SetFigure(figure.Sensitivities(p.view.Selected, a))
	}
	p.scree.SetFigure(figure.Scree(a))
	p.loadings.SetFigure(figure.Loadings(a))
	p.sentence(a)
	p.findings.RemoveAll()
	for _, d := range a.Dependencies {
		text := own.Wrapped(d.Sentence())
		text.TextStyle.Bold = d.Latent
		p.findings.Add(text)
	}
	for k, group := range a.Groups() {
		if len(group) > 1 {
			p.findings.Add(own.Wrapped(fmt.Sprintf("Factor %d: %s.", k+1, strings.Join(group, ", "))))
		}
	}
	for _, line := range append(append([]string{}, a.Warnings...), p.study.Skipped...) {
		p.findings.Add(own.Muted(line))
	}
	p.findings.Refresh()
	p.layOut(Diagram(a))
}

func (p *Page) sentence(a *factor.Analysis) {
	latent := a.Latent()
	text := "No module depends on another without calling it."
	if len(latent) > 0 {
		text = latent[0].Sentence()
		if len(latent) > 1 {
			text += fmt.Sprintf(" %d more hidden dependencies.", len(latent)-1)
		}
	}
	confidence := own.Good
	if len(a.Warnings) > 0 {
		confidence = own.Fair
	}
	rule := fmt.Sprintf("%d runs; sensitivities are significant at a false discovery rate of 1 %%.", len(a.Experiment.Runs))
	if g := p.study.Agreement; g != nil {
		rule += fmt.Sprintf(" Simulated and measured sensitivities correlate by %.2f over %d pairs.", g.Correlation, g.Pairs)
	}
	p.verdict.Set(text, confidence, rule)
}

// Diagram draws modules with their calls, and latent dependencies in red.
func Diagram(a *factor.Analysis) *diagram.Diagram {
	d := &diagram.Diagram{Name: "modules"}
	index := map[string]int{}
	for i, name := range a.Experiment.Modules {
		index[name] = i
		n := diagram.Node{Path: name, Title: strings.TrimPrefix(name, "main.")}
		if a.Experiment.Carriers != nil && len(a.Experiment.Carriers[i]) > 0 {
			n.Detail = strings.Join(a.Experiment.Carriers[i], ", ")
		}
		d.Nodes = append(d.Nodes, n)
	}
	for i, row := range a.Experiment.Calls {
		for j, calls := range row {
			if calls {
				d.Edges = append(d.Edges, diagram.Edge{From: i, To: j, Label: "calls", Share: 0.3})
			}
		}
	}
	for _, l := range a.Latent() {
		from, to, s := l.A, l.B, l.AB
		if l.BA.Slope > s.Slope {
			from, to, s = l.B, l.A, l.BA
		}
		d.Edges = append(d.Edges, diagram.Edge{From: index[from], To: index[to], Label: fmt.Sprintf("%.2f ms per ms", s.Slope), Share: 1, Latent: true})
	}
	return d
}

func (p *Page) layOut(d *diagram.Diagram) {
	background.Start(p.host.Session.Runner, func(ctx context.Context, _ func(struct{})) (*diagram.Placed, error) {
		return diagram.Place(ctx, d, p.host.Layouter, look.Fonts())
	}, nil, func(placed *diagram.Placed, err error) {
		if err == nil { // without Graphviz the list beside it says the same
			p.graph.SetDiagram(placed)
		}
	})
}
