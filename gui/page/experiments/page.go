package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/background"
	"tierscope/gui/page"
	"tierscope/gui/recipe"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// Page designs, runs and watches sweeps.
type Page struct {
	host *page.Host
	root *fyne.Container // the page, or why it is empty

	designer *designer
	preview  *widget.Label
	run      *widget.Button
	pause    *widget.Button
	cancel   *widget.Button
	progress *widget.ProgressBar
	fact     *widget.Label

	points *own.DataTable
	plot   *own.Plot
	metric *own.Choice

	plan     *experiment.Plan // of the design; nil while it is not understood
	planning int              // number of the latest request for a plan
	awaited  bool             // Run was pressed before the plan of what was typed was there
	shown    *experiment.Plan // whose points are in the table
	job      *session.Job
}

// New returns the page.
func New(h *page.Host) page.Page {
	p := &Page{host: h, root: container.NewStack()}
	p.preview = own.Wrapped("")
	p.fact = own.Muted("")
	p.run = widget.NewButtonWithIcon("Run", theme.MediaPlayIcon(), p.start)
	p.run.Importance = widget.HighImportance
	p.pause = widget.NewButtonWithIcon("Pause", theme.MediaPauseIcon(), p.togglePause)
	p.cancel = widget.NewButtonWithIcon("Cancel", theme.CancelIcon(), func() {
		if p.job != nil {
			p.job.Cancel()
		}
	})
	p.progress = widget.NewProgressBar()
	p.points = own.NewDataTable()
	p.points.OnSelect = p.openPoint
	p.plot = own.NewPlot(h.Session.Runner)
	p.plot.OnTap = p.openRun
	p.metric = own.NewChoice(func(string) { p.draw() })
	p.designer = newDesigner(p.designChanged)
	return p
}

// Content implements page.Page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Actions implements page.Actor.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Run the sweep", Key: "Ctrl+Enter", Run: p.start},
		{Title: "Copy the sweep as a command", Run: p.copyCommand},
		{Title: "Show the plot as a table", Key: "T", Run: p.plot.ToggleTwin},
	}
}

// Update implements page.Page.
func (p *Page) Update(e session.Event) {
	switch e {
	case session.ModelChanged:
		p.plan, p.shown = nil, nil
		p.open()
	case session.PlaceChanged:
		if len(p.root.Objects) == 0 {
			p.open()
		}
	case session.RunsChanged, session.JobsChanged:
		p.showJob()
	case session.ScenariosChanged, session.SelectionChanged, session.ResultsChanged, session.MeasuredChanged, session.NoticeChanged, session.SettingsChanged:
	}
}

// open builds the page for the open model.
func (p *Page) open() {
	m := p.host.Session.Model()
	if m == nil || len(m.Parameters) == 0 {
		why, hint := "No model is open", "Open a project or a sample on the start page; a sweep varies its parameters."
		if m != nil {
			why, hint = "This model has no parameters", "A sweep varies named parameters, such as the size of a pool. Add some to the model, or build it with tierctl analyze."
		}
		p.root.Objects = []fyne.CanvasObject{own.Empty(why, hint, widget.NewButton("Start page", func() { p.host.Session.GoPage("start") }))}
		p.root.Refresh()
		return
	}
	p.designer.open(m, p.host.Session.Settings())
	copyButton := widget.NewButtonWithIcon("Copy as command", theme.ContentCopyIcon(), p.copyCommand)
	form := container.NewVBox(p.designer.root, container.NewHBox(p.run, p.pause, p.cancel), // above what changes its height while one types
		p.preview, copyButton, p.progress, p.fact)
	p.metric.SetValues(nil, recipe.Label)
	figure := container.NewBorder(container.NewBorder(nil, nil, own.Muted("Metric"), nil, p.metric), nil, nil, nil, p.plot)
	right := container.NewVSplit(figure, p.points)
	right.SetOffset(0.58)
	split := container.NewHSplit(own.Titled("Sweep", container.NewVScroll(form)), right)
	split.SetOffset(0.32)
	p.root.Objects = []fyne.CanvasObject{split}
	p.root.Refresh()
	p.showJob()
	p.designChanged()
}

// designChanged asks for a new plan of what was typed.
func (p *Page) designChanged() {
	e, err := p.designer.design().experiment()
	p.planning++
	p.plan, p.awaited = nil, false // not the plan of what was typed before
	if err != nil {
		p.plan = nil
		p.preview.SetText(err.Error())
		p.run.Disable()
		return
	}
	if p.job == nil {
		p.run.Enable() // pressed early it waits for the plan
	}
	request, runner := p.planning, p.runner(nil)
	background.Start(p.host.Session.Runner, func(ctx context.Context, _ func(struct{})) (*experiment.Plan, error) {
		return runner.Plan(ctx, e)
	}, nil, func(plan *experiment.Plan, err error) {
		if request != p.planning {
			return // a later design is on its way
		}
		p.plan = plan
		if err != nil {
			p.plan = nil
			p.preview.SetText(err.Error())
			p.run.Disable()
			return
		}
		p.recall(plan)
		p.preview.SetText(preview(plan) + p.unpredictable(plan))
		if p.job == nil {
			p.run.Enable()
			p.show(p.partial(plan))
		}
		if p.awaited {
			p.start()
		}
	})
}

// unpredictable is the warning about points outside of what a study of
// predictability says.
func (p *Page) unpredictable(plan *experiment.Plan) string {
	var settings []map[string]float64
	for _, point := range plan.Points {
		settings = append(settings, point.Settings)
	}
	if why := p.host.Session.OutsideAmong(settings...); why != "" {
		return "\n! Not predictable: " + why
	}
	return ""
}

// recall fills in what was simulated in this session: a model without a
// project has no ledger.
func (p *Page) recall(plan *experiment.Plan) {
	for i := range plan.Points {
		point := &plan.Points[i]
		if run, ok := p.host.Session.Run(point.ID); ok && point.Result == nil && !run.Result.Interrupted {
			point.Result, point.Known = run.Result, true
			plan.Known++
		}
	}
}

// partial is a plan with what interrupted runs have of the points that have no
// result: they are shown, and simulated again.
func (p *Page) partial(plan *experiment.Plan) *experiment.Plan {
	shown := *plan
	shown.Points = slices.Clone(plan.Points)
	for i := range shown.Points {
		point := &shown.Points[i]
		if run, ok := p.host.Session.Run(point.ID); ok && point.Result == nil {
			point.Result = run.Result
		}
	}
	return &shown
}

func (p *Page) runner(progress func(experiment.Progress)) *experiment.Runner {
	return p.host.Session.Experimenter(progress)
}

// start runs the plan in the background.
func (p *Page) start() {
	if p.job != nil {
		return
	}
	if p.awaited = p.plan == nil; p.awaited {
		return
	}
	plan, s := p.plan, p.host.Session
	title := fmt.Sprintf("Sweep of %d runs", len(plan.Points))
	p.show(p.partial(plan))
	p.job = session.StartJob(s, title, func(ctx context.Context, report func(experiment.Progress)) (*experiment.Plan, error) {
		return p.runner(report).Run(ctx, plan)
	}, func(j *session.Job, now experiment.Progress) {
		j.Fraction = float64(now.Done) / math.Max(float64(now.Points), 1)
		j.Remaining = now.Remaining
		j.Fact = fmt.Sprintf("%d of %d runs", now.Done, now.Points)
		p.arrived(now.Finished)
		p.showJob()
	}, func(_ *session.Job, done *experiment.Plan, _ error) {
		p.job = nil
		if done != nil {
			p.keep(done)
			p.show(done)
		}
		p.showJob()
		p.designChanged()
	})
	p.showJob()
	p.draw()
}

// arrived shows points as soon as they are known.
func (p *Page) arrived(finished []experiment.Point) {
	if p.shown == nil {
		return
	}
	results := map[string]*simulation.Result{}
	for _, point := range finished {
		results[point.ID] = point.Result
	}
	next, news := *p.shown, false
	next.Points = slices.Clone(p.shown.Points)
	for i := range next.Points {
		point := &next.Points[i]
		if r := results[point.ID]; r != nil && r != point.Result {
			point.Result, news = r, true
		}
	}
	if news {
		p.show(&next)
	}
}

// keep notes the points that were simulated among the runs of the session.
func (p *Page) keep(plan *experiment.Plan) {
	var fresh []experiment.Run
	for _, point := range plan.Points {
		run, kept := p.host.Session.Run(point.ID)
		curves := kept && !run.Asked(p.host.Session.Model())
		if point.Result != nil && (!point.Known || curves) {
			fresh = append(fresh, experiment.Run{ID: point.ID, Time: time.Now().UTC(), Scenario: plan.Experiment.Name, Inputs: plan.Experiment.Options().Inputs(), Result: point.Result})
		}
	}
	p.host.Session.AddRuns(fresh...)
}

func (p *Page) togglePause() {
	p.host.Session.Pause(!p.host.Session.Paused())
}

func (p *Page) showJob() {
	p.pause.SetText("Pause")
	p.pause.SetIcon(theme.MediaPauseIcon())
	if p.host.Session.Paused() {
		p.pause.SetText("Go on")
		p.pause.SetIcon(theme.MediaPlayIcon())
	}
	if p.job == nil {
		p.pause.Disable()
		p.cancel.Disable()
		p.progress.Hide()
		p.fact.SetText("")
		if p.plan != nil {
			p.run.Enable()
		}
		return
	}
	p.run.Disable()
	p.pause.Enable()
	p.cancel.Enable()
	p.progress.Show()
	p.progress.SetValue(math.Max(p.job.Fraction, 0))
	text := p.job.Fact
	if p.host.Session.Paused() {
		text += ", paused"
	} else if p.job.Remaining > 0 {
		text += ", about " + experiment.Roughly(p.job.Remaining) + " to go"
	}
	p.fact.SetText(text)
}

func (p *Page) copyCommand() {
	e, err := p.designer.design().experiment()
	if err != nil {
		p.host.Session.Notify(session.Failure("The sweep cannot be copied as a command yet.", err))
		return
	}
	fyne.CurrentApp().Clipboard().SetContent(command(e, p.host.Session.Path(), p.host.Session.Despite()))
}

// openPoint makes the configuration of a row a scenario.
func (p *Page) openPoint(row int) {
	if p.shown != nil && row < len(p.shown.Points) {
		p.scenario(p.shown.Points[row])
	}
}

func (p *Page) openRun(id string) {
	if p.shown == nil {
		return
	}
	for _, point := range p.shown.Points {
		if point.ID == id {
			p.scenario(point)
			return
		}
	}
}

func (p *Page) scenario(point experiment.Point) {
	name := ""
	for _, parameter := range p.shown.Parameters() {
		if v, ok := point.Settings[parameter]; ok {
			if name != "" {
				name += ", "
			}
			name += parameter + " " + strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	p.host.Session.AddSettings(name, point.Settings)
	p.host.Session.GoPage("scenarios")
}

// show fills table and plot with the points of a plan.
func (p *Page) show(plan *experiment.Plan) {
	p.shown = plan
	showPoints(p.points, plan, func(settings map[string]float64) string { return p.host.Session.OutsideAmong(settings) })
	if keys := recipe.Metrics(p.observations()); len(keys) > 0 { // what was chosen outlasts a design that has no results yet
		p.metric.SetValues(keys, recipe.Label)
		if p.metric.Value() == "" {
			p.metric.Choose(keys[0])
		}
	}
	p.draw()
}

func (p *Page) observations() []recipe.Observation {
	if p.shown == nil {
		return nil
	}
	var all []recipe.Observation
	m := p.host.Session.Model()
	for _, point := range p.shown.Points {
		if point.Result != nil {
			all = append(all, recipe.FromResult(point.Result, m.Beside(point.Result.Configuration), point.ID)...)
		}
	}
	return recipe.Extrapolated(all, m)
}

func (p *Page) draw() {
	if p.host.Session.Model() == nil {
		return
	}
	observations := p.observations()
	switch {
	case len(observations) > 0:
		p.plot.Otherwise("No run has this metric", "Choose another metric above; the table below has those of every run.")
	case p.job != nil:
		p.plot.Otherwise("The first runs are on their way", "A point appears as soon as its run is done, here and in the table below.")
	default:
		p.plot.Otherwise("None of these configurations has run yet", "Press Run: the plot grows while the sweep runs, and so does the table below. A sweep that was cancelled goes on where it was.")
	}
	r := recipe.Suggest(observations, p.metric.Value())
	if r.X == "" && p.shown != nil && len(p.shown.Experiment.Axes) > 0 {
		r.X = p.shown.Experiment.Axes[0].Parameter // one point is on the way to a line
	}
	p.plot.SetFigure(r.Lines(observations, recipe.Units(p.host.Session.Model())))
}
