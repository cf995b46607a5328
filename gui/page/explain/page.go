package explain

import (
	"context"
	"maps"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core/quantity"
	"tierscope/gui/figure"
	"tierscope/gui/page"
	"tierscope/gui/save"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/simulation/experiment"
	"tierscope/simulation/explain"
)

// Page explains the current scenario.
type Page struct {
	host *page.Host
	root *fyne.Container

	verdict   *own.Verdict
	scenario  *widget.Select
	run       *widget.Button
	activity  *widget.Activity
	breakdown *own.Plot
	gains     *own.Plot
	ranking   *own.DataTable
	findings  *fyne.Container
	fine      *widget.Check

	paired, laws *own.Plot // of two things that are compared; nil until they are
	report       *explain.Report
	of           session.Scenario // that report is about
	job          *session.Job
}

// New returns the page.
func New(h *page.Host) page.Page {
	p := &Page{host: h, root: container.NewStack(), findings: container.NewVBox()}
	p.verdict = own.NewVerdict()
	p.scenario = widget.NewSelect(nil, func(string) {
		h.Session.UseScenario(p.scenario.SelectedIndex())
		p.show()
	})
	p.run = widget.NewButtonWithIcon("Explain", theme.SearchIcon(), p.start)
	p.run.Importance = widget.HighImportance
	p.activity = widget.NewActivity()
	p.breakdown, p.gains = own.NewPlot(h.Session.Runner), own.NewPlot(h.Session.Runner)
	p.gains.OnTap = p.choose
	p.gains.Otherwise("Nothing was made faster", "The model has no resource or code that takes part of the time, or the explanation was stopped before.")
	p.ranking = own.NewDataTable(
		own.Column{Title: "What", Names: true}, own.Column{Title: "Gain, 10 % faster", Right: true}, own.Column{Title: "Gain, 30 % faster", Right: true},
		own.Column{Title: "Busy", Right: true}, own.Column{Title: "Mean number waiting", Right: true}, own.Column{Title: "Wait per task", Right: true}, own.Column{Title: "Kind"})
	p.ranking.OnSelect = func(row int) { p.choose(p.report.Ranking[row].Of) }
	p.fine = widget.NewCheck("show what was checked and is fine", func(bool) { p.showFindings() })
	return p
}

// Content implements page.Page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Actions implements page.Actor.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Explain the scenario", Key: "Ctrl+Enter", Run: p.start},
		{Title: "Save the breakdown", Key: "Ctrl+E", Figure: true, Run: func() { p.save(p.breakdown, "breakdown") }},
		{Title: "Save the ranking of gains", Run: func() { p.save(p.gains, "gains") }},
		{Title: "Show the plots as tables", Key: "T", Run: func() { p.breakdown.ToggleTwin(); p.gains.ToggleTwin() }},
	}
}

// Update implements page.Page.
func (p *Page) Update(e session.Event) {
	switch e {
	case session.ModelChanged:
		p.report, p.job = nil, nil
		p.show()
	case session.PlaceChanged, session.ScenariosChanged, session.JobsChanged:
		p.show()
	case session.ResultsChanged:
		if p.host.Session.Comparing() != nil {
			p.show()
		}
	case session.SelectionChanged, session.RunsChanged, session.MeasuredChanged, session.NoticeChanged, session.SettingsChanged:
	}
}

// current reports whether the report is about the current scenario.
func (p *Page) current() bool {
	now := p.host.Session.Scenario()
	return p.report != nil && maps.Equal(p.of.Settings, now.Settings) && slices.Equal(p.of.Edits, now.Edits)
}

func (p *Page) show() {
	s := p.host.Session
	if s.Model() == nil {
		p.root.Objects = []fyne.CanvasObject{own.Empty("No model is open", "Open a project or a sample on the start page.",
			widget.NewButton("Start page", func() { s.GoPage("start") }))}
		p.root.Refresh()
		return
	}
	p.scenario.Options = nil
	for _, c := range s.Scenarios() {
		p.scenario.Options = append(p.scenario.Options, c.Name)
	}
	p.scenario.Selected = s.Scenario().Name
	p.scenario.Refresh()
	bar := container.NewBorder(nil, nil, own.Muted("Scenario"), container.NewHBox(p.activity, p.run), p.scenario)
	running := p.job != nil && p.job.State == session.Running
	if running {
		p.activity.Start()
		p.activity.Show()
		p.run.Disable()
	} else {
		p.activity.Stop()
		p.activity.Hide()
		p.run.Enable()
	}
	if both := p.contrast(); both != nil {
		p.root.Objects = []fyne.CanvasObject{container.NewBorder(bar, nil, nil, nil, both)}
		p.root.Refresh()
		return
	}
	if !p.current() {
		hint := "Every resource and every important piece of code is made 10 % and 30 % faster in the simulator, on the same random numbers; what helps most comes first."
		if running {
			hint = "The virtual speed-ups are being simulated in the background: " + p.job.Fact
		}
		explain := widget.NewButtonWithIcon("Explain", theme.SearchIcon(), p.start)
		explain.Importance = widget.HighImportance
		if running {
			explain.Disable()
		}
		p.root.Objects = []fyne.CanvasObject{container.NewBorder(bar, nil, nil, nil, own.Empty("Not explained yet", hint, explain))}
		p.root.Refresh()
		return
	}
	plots := container.NewVSplit(p.breakdown, p.gains)
	plots.SetOffset(0.32)
	left := container.NewVSplit(plots, p.ranking)
	left.SetOffset(0.7)
	right := own.Titled("Findings", container.NewBorder(nil, p.fine, nil, nil, own.Scrolled(p.findings)))
	split := container.NewHSplit(left, right)
	split.SetOffset(0.62)
	p.root.Objects = []fyne.CanvasObject{container.NewBorder(container.NewVBox(bar, p.verdict), nil, nil, nil, split)}
	p.root.Refresh()
}

// start explains the current scenario in the background.
func (p *Page) start() {
	s := p.host.Session
	if s.Model() == nil || p.job != nil && p.job.State == session.Running {
		return
	}
	scenario, model := s.Scenario(), s.Model()
	simulate, pool := s.Simulator()
	o := explain.Options{Settings: maps.Clone(scenario.Settings), Simulation: s.Options()}
	p.job = session.StartJob(s, "Explain "+scenario.Name, func(ctx context.Context, report func(experiment.Progress)) (*explain.Report, error) {
		m, err := session.Scenario{Edits: scenario.Edits}.Apply(*model)
		if err != nil {
			return nil, err
		}
		return explain.Run(ctx, &experiment.Runner{Model: m, Ledger: s.Ledger(), Pool: pool, Simulate: simulate, Progress: report}, o)
	}, func(j *session.Job, now experiment.Progress) {
		j.Fraction = float64(now.Done) / math.Max(float64(now.Points), 1)
		j.Remaining = now.Remaining
		j.Fact = quantity.Count(int64(now.Done)) + " of " + quantity.Count(int64(now.Points)) + " configurations"
	}, func(_ *session.Job, r *explain.Report, _ error) {
		if r != nil {
			p.report, p.of = r, scenario
			p.fill()
		}
		p.show()
		s.Reload() // what was simulated on the way is among the runs
	})
	p.show()
}

func (p *Page) fill() {
	r := p.report
	sure, why := p.host.Session.Sure(string(r.Verdict.Confidence), r.Verdict.Rule)
	p.verdict.Set(r.Verdict.Sentence, own.Confidence(sure), why)
	if r.Baseline.Terminating {
		p.breakdown.Otherwise("This program has no tasks", "It starts threads, which compute and end. What they wait for is on the timeline; what would make it faster is below.")
	} else {
		p.breakdown.Otherwise("No task was completed", "Nothing is known about where its time goes: give the scenario a lower load, or simulate for longer.")
	}
	p.breakdown.SetFigure(figure.Breakdown(r))
	p.gains.SetFigure(figure.Gains(r))
	var rows [][]own.Cell
	names := figure.Names(r.Ranking)
	for i, c := range r.Ranking {
		rows = append(rows, candidateRow(names[i], c))
	}
	p.ranking.SetRows(rows)
	p.showFindings()
}

// choose selects what a row or dot is about, for the inspector.
func (p *Page) choose(of string) { p.host.Session.Select(elementPath(of)) }

func (p *Page) save(plot *own.Plot, name string) {
	from := p.host.Session.Provenance()
	if p.report != nil {
		from = p.host.Session.ProvenanceOf(p.of, p.report.Baseline)
	}
	save.Figure(p.host, plot.Figure(), name, from)
}
