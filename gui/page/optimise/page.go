// Package optimise is the page that answers "which configuration is best?": a
// grid of configurations, limits that must be kept, a goal, and an answer that
// says how sure it is.
package optimise

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core/quantity"
	"tierscope/gui/chart"
	"tierscope/gui/page"
	"tierscope/gui/recipe"
	"tierscope/gui/save"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/simulation/experiment"
	"tierscope/simulation/optimise"
)

// ID is the page in session.Place.
const ID = "optimise"

// Page searches for the best configuration.
type Page struct {
	host *page.Host
	root *fyne.Container

	form    *form
	problem *widget.Label
	left    *fyne.Container // the question; laid out again when the problem has more lines
	run     *widget.Button
	cancel  *widget.Button
	bar     *widget.ProgressBar
	fact    *widget.Label
	verdict *own.Verdict
	plot    *own.Plot
	table   *own.DataTable
	right   *fyne.Container // answer, or why there is none

	job      *session.Job
	question optimise.Question // of the answer
	answer   *optimise.Answer
}

// New returns the page.
func New(h *page.Host) page.Page {
	p := &Page{host: h, root: container.NewStack(), problem: own.Wrapped(""), fact: own.Muted(""), bar: widget.NewProgressBar(),
		verdict: own.NewVerdict(), plot: own.NewPlot(h.Session.Runner), table: own.NewDataTable(), right: container.NewStack()}
	p.run = widget.NewButtonWithIcon("Search", theme.SearchIcon(), p.start)
	p.run.Importance = widget.HighImportance
	p.cancel = widget.NewButtonWithIcon("Enough", theme.CancelIcon(), func() {
		if p.job != nil {
			p.job.Cancel()
		}
	})
	p.fact.Truncation = fyne.TextTruncateEllipsis
	p.table.OnSelect = func(row int) { p.open(p.answer.Candidates[row]) }
	p.plot.Otherwise("No configuration was simulated", "Operational laws decide all of them, or the search was stopped before; the table says which.")
	p.plot.OnTap = p.openID
	p.form = newForm(p.check)
	return p
}

// Content implements page.Page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Actions implements page.Actor.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Search for the best configuration", Key: "Ctrl+Enter", Run: p.start},
		{Title: "Copy the search as a command", Key: "Ctrl+Shift+C", Run: p.copyCommand},
		{Title: "Show the plot as a table", Key: "T", Run: p.plot.ToggleTwin},
		{Title: "Save the figure", Key: "Ctrl+E", Figure: true, Run: p.save},
	}
}

// Update implements page.Page.
func (p *Page) Update(e session.Event) {
	switch e {
	case session.ModelChanged:
		p.answer, p.job = nil, nil
		p.build()
	case session.PlaceChanged:
		if len(p.root.Objects) == 0 {
			p.build()
		}
	case session.JobsChanged:
		p.showJob()
	case session.ScenariosChanged, session.SelectionChanged, session.ResultsChanged, session.RunsChanged, session.MeasuredChanged, session.NoticeChanged, session.SettingsChanged:
	}
}

// build makes the page for the open model.
func (p *Page) build() {
	m := p.host.Session.Model()
	if m == nil || len(m.Parameters) == 0 {
		why, hint := "No model is open", "Open a project or a sample on the start page."
		if m != nil {
			why, hint = "This model has no parameters", "A search needs parameters to vary, such as the size of a pool. Add some to the model, or build it with tierctl analyze."
		}
		p.root.Objects = []fyne.CanvasObject{own.Empty(why, hint, widget.NewButton("Start page", func() { p.host.Session.GoPage("start") }))}
		p.root.Refresh()
		return
	}
	p.form.open(m)
	copyButton := widget.NewButtonWithIcon("Copy as command", theme.ContentCopyIcon(), p.copyCommand)
	p.left = container.NewVBox(p.form.root, p.problem, copyButton)
	below := container.NewVBox(p.bar, p.fact, container.NewHBox(p.run, p.cancel)) // in sight, however long the form is
	split := container.NewHSplit(own.Titled("Which configuration is best?", container.NewBorder(nil, below, nil, nil, container.NewVScroll(p.left))), p.right)
	split.SetOffset(0.36)
	p.root.Objects = []fyne.CanvasObject{split}
	p.root.Refresh()
	p.check()
	p.show()
	p.showJob()
}

// check says what is wrong with the question, or what the search means.
func (p *Page) check() {
	if p.left != nil {
		defer p.left.Refresh()
	}
	q, err := p.form.question(p.host.Session.Options())
	if err != nil {
		p.problem.SetText(err.Error())
		p.run.Disable()
		return
	}
	grid, err := q.Grid.Grid(p.host.Session.Model())
	switch {
	case err != nil:
		p.problem.SetText(err.Error())
		p.run.Disable()
		return
	case len(grid) == 0:
		p.problem.SetText("The constraints leave no configuration.")
		p.run.Disable()
		return
	}
	p.problem.SetText(fmt.Sprintf("%d configurations. Those that are undecided are simulated longer; what the ledger has is not simulated again.", len(grid)))
	if p.job == nil {
		p.run.Enable()
	}
}

// start searches in the background.
func (p *Page) start() {
	s := p.host.Session
	if s.Model() == nil || p.job != nil {
		return
	}
	q, err := p.form.question(s.Options())
	if err != nil {
		p.check()
		return
	}
	model := s.Model()
	p.job = session.StartJob(s, "Search for the best configuration", func(ctx context.Context, report func(experiment.Progress)) (*optimise.Answer, error) {
		return optimise.Run(ctx, s.Experimenter(report), q)
	}, func(j *session.Job, now experiment.Progress) {
		j.Fraction = float64(now.Done) / math.Max(float64(now.Points), 1)
		j.Remaining = now.Remaining
		j.Fact = fmt.Sprintf("%d of %d configurations of this round", now.Done, now.Points)
		p.showJob()
	}, func(_ *session.Job, a *optimise.Answer, err error) {
		p.job = nil
		if s.Model() != model {
			return
		}
		if a != nil {
			p.question, p.answer = q, a
			p.keep(a, q)
		}
		p.show()
		p.showJob()
		p.check()
	})
	p.showJob()
	p.show()
}

// keep notes what was simulated among the runs of the session: all that the
// search has put into the ledger, or, without one, the candidates.
func (p *Page) keep(a *optimise.Answer, q optimise.Question) {
	if p.host.Session.Ledger() != nil {
		p.host.Session.Reload()
		return
	}
	var fresh []experiment.Run
	for _, c := range a.Candidates {
		if c.Result != nil && !c.Known {
			fresh = append(fresh, experiment.Run{ID: c.ID, Time: time.Now().UTC(), Scenario: q.Grid.Name, Inputs: q.Grid.Options().Inputs(), Result: c.Result})
		}
	}
	p.host.Session.AddRuns(fresh...)
}

func (p *Page) showJob() {
	if p.job == nil {
		p.cancel.Disable()
		p.bar.Hide()
		p.fact.SetText("")
		return
	}
	p.run.Disable()
	p.cancel.Enable()
	p.bar.Show()
	p.bar.SetValue(math.Max(p.job.Fraction, 0))
	p.fact.SetText(p.job.Fact)
}

// show shows the answer, or why there is none.
func (p *Page) show() {
	switch {
	case p.answer == nil && p.job != nil:
		p.right.Objects = []fyne.CanvasObject{own.Empty("Searching …", "The whole grid is simulated on the same random numbers, then the undecided configurations longer.")}
	case p.answer == nil:
		p.right.Objects = []fyne.CanvasObject{own.Empty("Not searched yet", "Every configuration of the grid is judged by the probability that it keeps all limits. The best of those that do wins; rivals that cannot be told apart from it are named.")}
	default:
		confidence, reason := confidence(p.answer)
		sure, why := p.host.Session.Sure(string(confidence), reason)
		p.verdict.Set(p.answer.Sentence, own.Confidence(sure), why)
		p.fill()
		split := container.NewVSplit(p.plot, p.table)
		split.SetOffset(0.5)
		p.right.Objects = []fyne.CanvasObject{container.NewBorder(p.verdict, nil, nil, nil, split)}
	}
	p.right.Refresh()
}

// confidence is how far the answer can be trusted.
func confidence(a *optimise.Answer) (own.Confidence, string) {
	switch {
	case a.Incomplete:
		return own.Weak, "the search was stopped; the answer is of what there was"
	case a.State == optimise.Undecided:
		return own.Undecided, "more replications are needed to tell"
	}
	return own.Good, "probabilities are about the noise of the simulation; Validate says how well the model fits"
}

// fill shows the candidates: the best first.
func (p *Page) fill() {
	columns := []own.Column{{Title: "State"}}
	var names []string
	for _, a := range p.question.Grid.Axes {
		names = append(names, a.Parameter)
		columns = append(columns, own.Column{Title: a.Parameter, Right: true})
	}
	columns = append(columns, own.Column{Title: "P(limits met)", Right: true})
	goal := p.question.Maximise != "" || p.question.Minimise != "" // else the cost is the goal
	if goal {
		columns = append(columns, own.Column{Title: "Goal: " + p.form.goalLabel(p.question), Right: true})
	}
	if p.question.Cost != "" {
		columns = append(columns, own.Column{Title: "Cost", Right: true})
	}
	columns = append(columns, own.Column{Title: "Why"})
	var rows [][]own.Cell
	for i, c := range p.answer.Candidates {
		row := []own.Cell{stateCell(c, i)}
		for _, name := range names {
			row = append(row, own.NumberCell(strconv.FormatFloat(c.Settings[name], 'g', 6, 64), c.Settings[name]))
		}
		row = append(row, probability(c))
		if goal {
			row = append(row, p.goal(c))
		}
		if p.question.Cost != "" {
			row = append(row, own.NumberCell(quantity.Digits(c.Cost, 4), c.Cost))
		}
		rows = append(rows, append(row, own.TextCell(c.Why)))
	}
	p.table.SetColumns(columns...)
	p.table.SetRows(rows)
	p.plot.SetFigure(p.figure())
}

// stateCell says how a configuration stands to the limits, in a word, a sign
// and a colour.
func stateCell(c optimise.Candidate, rank int) own.Cell {
	cell := own.Cell{Key: float64(rank)}
	switch c.State {
	case optimise.Meets:
		cell.Text, cell.Tone = "● meets", own.GoodTone
		if c.Best {
			cell.Text, cell.Tone = "▲ best", own.Strong
		} else if c.Rival {
			cell.Text = "● rival"
		}
	case optimise.Undecided:
		cell.Text, cell.Tone = "? undecided", own.FairTone
	case optimise.Fails:
		cell.Text, cell.Tone = "× fails", own.BadTone
	case optimise.Dropped:
		cell.Text, cell.Tone = "– dropped", own.Quiet
	case optimise.NotRun:
		cell.Text, cell.Tone = "· not run", own.Quiet
	}
	return cell
}

func probability(c optimise.Candidate) own.Cell {
	if c.Result == nil {
		return own.TextCell("–")
	}
	return own.NumberCell(optimise.Probability(c.Probability), c.Probability)
}

// goal is the value of the objective with its interval.
func (p *Page) goal(c optimise.Candidate) own.Cell {
	e := c.Objective
	if c.Result == nil {
		return own.TextCell("–")
	}
	unit := p.form.goalUnit(p.question)
	if e.Lo == e.Hi {
		return own.NumberCell(quantity.Format(e.Mean, unit), e.Mean)
	}
	return own.NumberCell(quantity.Amount(e.Mean, e.Lo, e.Hi, unit), e.Mean)
}

// figure draws the metric of the first limit, or the goal, over the axis with
// the most values.
func (p *Page) figure() chart.Lines {
	m := p.host.Session.Model()
	var all []recipe.Observation
	for _, c := range p.answer.Candidates {
		if c.Result != nil {
			all = append(all, recipe.FromResult(c.Result, m.Beside(c.Result.Configuration), c.ID)...)
		}
	}
	metrics := recipe.Metrics(all)
	if len(metrics) == 0 {
		return chart.Lines{}
	}
	key := metrics[0]
	for _, c := range p.answer.Candidates {
		if len(c.Checks) > 0 {
			stat := c.Checks[0].Limit.Stat
			if stat == "" {
				stat = "mean"
			}
			key = strings.Join([]string{c.Checks[0].Limit.Name, c.Checks[0].Of, stat}, " ")
			break
		}
	}
	what := recipe.Suggest(all, key)
	if axes := p.question.Grid.Axes; what.X == "" && len(axes) > 0 { // only one configuration was simulated
		what.X = axes[0].Parameter
	}
	return what.Lines(all, recipe.Units(m))
}

func (p *Page) openID(id string) {
	for _, c := range p.answer.Candidates {
		if c.ID == id {
			p.open(c)
			return
		}
	}
}

// open makes a candidate the current scenario.
func (p *Page) open(c optimise.Candidate) {
	p.host.Session.AddSettings(session.Changes(c.Settings, nil), c.Settings)
	p.host.Session.GoPage("scenarios")
}

func (p *Page) copyCommand() {
	q, err := p.form.question(p.host.Session.Options())
	if err != nil {
		p.host.Session.Notify(session.Failure("The search cannot be copied as a command yet.", err))
		return
	}
	fyne.CurrentApp().Clipboard().SetContent(command(q, p.host.Session.Path(), p.host.Session.Despite()))
}

func (p *Page) save() {
	if p.answer == nil {
		save.Figure(p.host, nil, "", chart.Provenance{})
		return
	}
	from := p.host.Session.Provenance()
	from.Runs, from.Seed = len(p.answer.Candidates), p.question.Grid.Seed
	save.Figure(p.host, p.plot.Figure(), "best configuration", from)
}
