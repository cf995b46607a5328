package results

import (
	"cmp"
	"maps"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/gui/chart"
	"tierscope/gui/page"
	"tierscope/gui/recipe"
	"tierscope/gui/save"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/simulation/experiment"
)

// Page shows and compares the runs of the open model.
type Page struct {
	host *page.Host
	root *fyne.Container

	metric     *own.Choice
	x, by      *widget.Select
	logX, logY *widget.Check
	plot       *own.Plot
	comparison *comparison

	observations []recipe.Observation
	chosen       bool   // the analyst has chosen axes
	shown        string // hash of the model the page was built for
}

// New returns the page.
func New(h *page.Host) page.Page {
	p := &Page{host: h, root: container.NewStack()}
	choose := func(string) { p.chosen = true; p.draw() }
	p.metric = own.NewChoice(func(string) { p.suggest() })
	p.x, p.by = widget.NewSelect(nil, choose), widget.NewSelect(nil, choose)
	p.logX = widget.NewCheck("log x", func(bool) { choose("") })
	p.logY = widget.NewCheck("log y", func(bool) { choose("") })
	p.plot = own.NewPlot(h.Session.Runner)
	p.plot.OnTap = p.openRun
	p.plot.Otherwise("No run has this metric over this parameter", "Choose another metric, or another parameter to draw it over.")
	p.comparison = newComparison()
	return p
}

// Content implements page.Page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Actions implements page.Actor.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Show the plot as a table", Key: "T", Run: p.plot.ToggleTwin},
		{Title: "Save the figure", Key: "Ctrl+E", Figure: true, Run: p.save},
		{Title: "Pin the figure to the report", Key: "Ctrl+Shift+E", Run: p.pin},
	}
}

// Update implements page.Page.
func (p *Page) Update(e session.Event) {
	switch e {
	case session.ModelChanged, session.RunsChanged:
		p.refresh()
	case session.PlaceChanged:
		p.refresh()
		p.open(p.host.Session.Place().Part)
	case session.ScenariosChanged, session.SelectionChanged, session.ResultsChanged, session.MeasuredChanged, session.JobsChanged, session.NoticeChanged, session.SettingsChanged:
	}
}

func (p *Page) refresh() {
	s := p.host.Session
	if later := s.WithPredictions(p.show); later && p.shown != s.Hash() {
		p.shown = ""
		p.root.Objects = []fyne.CanvasObject{own.Empty("Reading "+quantity.Plural(len(s.Runs()), "run")+" …", "They are laid over each other by what they set.")}
		p.root.Refresh()
	}
}

// show shows what the runs have shown.
func (p *Page) show(observations []recipe.Observation) {
	s := p.host.Session
	p.observations = observations
	if len(p.observations) == 0 {
		p.shown = ""
		why, hint := "No run of this model yet", "Run a scenario or a sweep; every run is kept and appears here."
		actions := []*widget.Button{
			widget.NewButton("Scenarios", func() { s.GoPage("scenarios") }),
			widget.NewButton("Design a sweep", func() { s.GoPage("experiments") }),
		}
		if s.Model() == nil {
			why, hint = "No model is open", "Open a project or a sample on the start page."
			actions = []*widget.Button{widget.NewButton("Start page", func() { s.GoPage("start") })}
		}
		p.root.Objects = []fyne.CanvasObject{own.Empty(why, hint, actions...)}
		p.root.Refresh()
		return
	}
	p.metric.SetValues(recipe.Metrics(p.observations), recipe.Label)
	hash := s.Hash()
	p.comparison.update(runsOf(s.Runs(), s.Model(), hash), hash != p.shown)
	if hash != p.shown {
		p.shown, p.chosen = hash, false
		p.build()
		p.metric.Choose(p.metric.Values()[0])
	}
	p.suggest()
}

// runsOf returns the runs of one revision of the model that somebody asked for.
func runsOf(all []experiment.Run, m *core.Model, hash string) []experiment.Run {
	return slices.DeleteFunc(slices.Clone(all), func(r experiment.Run) bool { return r.Result.ModelHash != hash || !r.Asked(m) })
}

func (p *Page) build() {
	labelled := func(text string, o fyne.CanvasObject) fyne.CanvasObject {
		return container.NewBorder(nil, nil, own.Muted(text), nil, own.Flexible(o))
	}
	saveButton := widget.NewButtonWithIcon("Save", theme.DocumentSaveIcon(), p.save)
	tableButton := own.NewIconButton("Table of the figure", theme.ListIcon(), p.plot.ToggleTwin)
	pinButton := widget.NewButtonWithIcon("Pin", theme.ContentAddIcon(), p.pin)
	controls := container.NewBorder(nil, nil, nil, container.NewHBox(p.logX, p.logY, tableButton, saveButton, pinButton),
		container.NewGridWithColumns(3, labelled("Metric", p.metric), labelled("over", p.x), labelled("one line per", p.by)))
	split := container.NewVSplit(container.NewBorder(controls, nil, nil, nil, p.plot), p.comparison.root)
	split.SetOffset(0.6)
	p.root.Objects = []fyne.CanvasObject{split}
	p.root.Refresh()
}

// none is the choice of a single line.
const none = "–"

// suggestAxes offers the parameters that vary.
func (p *Page) suggestAxes() {
	names := slices.Sorted(maps.Keys(recipe.Varied(p.observations)))
	if len(names) == 0 {
		for _, parameter := range p.host.Session.Model().Parameters {
			names = append(names, parameter.Name)
		}
	}
	p.x.Options, p.by.Options = names, append([]string{none}, names...)
	p.x.Refresh()
	p.by.Refresh()
}

// suggest chooses axes for the metric, unless the analyst has.
func (p *Page) suggest() {
	p.suggestAxes()
	r := recipe.Suggest(p.observations, p.metric.Value())
	if !p.chosen {
		p.x.Selected, p.by.Selected = r.X, r.By
		if r.X == "" && len(p.x.Options) > 0 {
			p.x.Selected = p.x.Options[0]
		}
		if p.by.Selected == "" {
			p.by.Selected = none
		}
		p.x.Refresh()
		p.by.Refresh()
		p.logX.Checked, p.logY.Checked = p.lines().Steep()
		p.logX.Refresh()
		p.logY.Refresh()
	}
	p.draw()
}

// recipe returns what the controls ask for.
func (p *Page) recipe() recipe.Recipe {
	r := recipe.Recipe{Metric: p.metric.Value(), X: p.x.Selected, By: p.by.Selected, LogX: p.logX.Checked, LogY: p.logY.Checked}
	if r.By == none || r.By == r.X {
		r.By = ""
	}
	return r
}

func (p *Page) draw() {
	if p.metric.Value() != "" && p.host.Session.Model() != nil {
		f := p.lines()
		f.X.Linear, f.Y.Linear = !p.logX.Checked, !p.logY.Checked
		p.plot.SetFigure(f)
	}
}

// lines is the figure that the controls ask for.
func (p *Page) lines() chart.Lines {
	return p.recipe().Lines(p.observations, recipe.Units(p.host.Session.Model()))
}

func (p *Page) save() {
	s := p.host.Session
	save.Figure(p.host, p.plot.Figure(), recipe.Label(p.metric.Value()), s.ProvenanceOfRuns(s.Runs()))
}

// pin keeps the figure for the report, as what it shows: it will be drawn with
// the runs that are known then.
func (p *Page) pin() {
	s := p.host.Session
	if len(p.observations) == 0 {
		s.Notify(session.Notice{Level: session.Info, What: "There is no figure to pin yet."})
		return
	}
	r := p.recipe()
	s.Pin(r)
	s.Notify(session.Notice{Level: session.Info, What: "Pinned to the report: " + r.Name() + ".", Action: "Open the report", Do: func() { s.GoPage("report") }})
}

// open shows a chart that was pinned, by its name; other names are ignored.
func (p *Page) open(name string) {
	for _, r := range p.host.Session.Charts() {
		if name == "" || r.Name() != name || len(p.observations) == 0 {
			continue
		}
		p.metric.Choose(r.Metric)
		p.chosen = true
		p.x.Selected, p.by.Selected = r.X, cmp.Or(r.By, none)
		p.logX.Checked, p.logY.Checked = r.LogX, r.LogY
		for _, o := range []fyne.CanvasObject{p.x, p.by, p.logX, p.logY} {
			o.Refresh()
		}
		p.draw()
	}
}

// openRun makes the configuration of a point the current scenario.
func (p *Page) openRun(id string) {
	run, ok := p.host.Session.Run(id)
	if !ok {
		return
	}
	p.host.Session.AddSettings(title(run), run.Result.Configuration)
	p.host.Session.GoPage("scenarios")
}

// title names a run by what it sets.
func title(r experiment.Run) string { return session.Changes(r.Result.Configuration, r.Edits) }

// figure is what the plot shows, for tests.
func (p *Page) figure() chart.Figure { return p.plot.Figure() }
