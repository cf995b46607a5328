package scenarios

import (
	"fmt"
	"math"
	"strings"

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
	ours "tierscope/gui/widget"
	"tierscope/simulation"
)

// answer is the right half of the page: the verdict, the numbers of baseline
// and scenario side by side, and the curve over a parameter.
type answer struct {
	host    *page.Host
	verdict *ours.Verdict
	state   *widget.Label
	enough  *widget.Button
	table   *ours.DataTable
	what    *widget.Label // that the plot shows
	over    *widget.Select
	bar     *fyne.Container // what and over
	plot    *ours.Plot
	root    fyne.CanvasObject
}

func newAnswer(h *page.Host) *answer {
	a := &answer{host: h, verdict: ours.NewVerdict(), state: ours.Muted(""), what: ours.Muted(""), plot: ours.NewPlot(h.Session.Runner),
		table: ours.NewDataTable(ours.Column{Title: "Metric"}, ours.Column{Title: "baseline", Right: true}, ours.Column{Title: "scenario", Right: true}, ours.Column{Title: "change", Right: true})}
	a.state.Truncation = fyne.TextTruncateEllipsis
	a.enough = widget.NewButton("Enough", func() {
		if o := h.Session.Outcome(h.Session.Scenario()); o != nil && o.Job != nil {
			o.Job.Cancel()
		}
	})
	more := widget.NewButton("More precise", func() {
		h.Session.ChangeSettings(func(s *session.Settings) {
			s.Replications *= 2
			s.Precision /= 2
		})
		h.Session.Simulate(h.Session.Scenarios()[0]) // a difference is as sharp as its duller side
		h.Session.Simulate(h.Session.Scenario())
	})
	a.over = widget.NewSelect(nil, func(string) { a.showPlot() })
	icon := func(r fyne.Resource, f func()) *widget.Button {
		b := widget.NewButtonWithIcon("", r, f)
		b.Importance = widget.LowImportance
		return b
	}
	copyButton := widget.NewButton("Copy as command", a.copyCommand)
	progress := container.NewBorder(nil, nil, nil, container.NewHBox(a.enough, more), a.state)
	a.bar = container.NewHBox(a.what, a.over)
	plotBar := container.NewBorder(nil, nil, a.bar,
		container.NewHBox(icon(theme.ListIcon(), a.plot.ToggleTwin), icon(theme.DocumentSaveIcon(), a.save), copyButton))
	split := container.NewVSplit(a.table, container.NewBorder(plotBar, nil, nil, nil, a.plot))
	split.SetOffset(0.42)
	a.root = container.NewBorder(container.NewVBox(a.verdict, progress), nil, nil, nil, split)
	return a
}

func (a *answer) setModel(m *core.Model) {
	var names []string
	load := ""
	for _, p := range m.Parameters {
		names = append(names, p.Name)
		if p.Unit == "1/s" && load == "" {
			load = p.Name
		}
	}
	a.over.Options = names
	if load == "" && len(names) > 0 {
		load = names[0]
	}
	a.over.Selected = load
	a.over.Refresh()
}

func (a *answer) copyCommand() {
	fyne.CurrentApp().Clipboard().SetContent(a.host.Session.Command(a.host.Session.Scenario()))
}

func (a *answer) save() {
	ses := a.host.Session
	footer := "model " + ses.Model().Name + " · scenario " + ses.Scenario().Name
	if o := ses.Outcome(ses.Scenario()); o != nil && o.Result != nil {
		r := o.Result
		footer += fmt.Sprintf(" · seed %d · n = %d · Tierscope %s", r.Seed, r.Replications, r.Version)
	}
	save.Figure(a.host, a.plot.Figure(), "scenario "+ses.Scenario().Name, footer)
}

// show draws what is known now.
func (a *answer) show() {
	ses := a.host.Session
	c, base := ses.Scenario(), ses.Scenarios()[0]
	with, was := ses.Outcome(c), ses.Outcome(base)
	estimate, bounds, err := ses.Estimate(c)
	switch {
	case err != nil:
		a.verdict.Set("This configuration cannot be simulated.", ours.Weak, strings.ReplaceAll(err.Error(), "\n", "; "))
	case with != nil && with.Err != nil:
		a.verdict.Set("The simulation failed.", ours.Weak, with.Err.Error())
	case with == nil || with.Result == nil:
		a.verdict.Set(estimated(estimate, bounds), ours.Undecided, "analytic estimate; the simulation is on its way")
	default:
		v := session.Describe(with.Result)
		if ses.Current() != 0 && was != nil && was.Result != nil {
			v = session.Judge(was.Result, with.Result)
			if of, u := session.Busiest(with.Result); of != "" {
				v.Sentence += fmt.Sprintf(" Busiest: %s, %s.", strings.Replace(of, "/", " ", 1), quantity.Share(u))
			}
		}
		if why := ses.Outside(c); why != "" {
			v.Confidence, v.Reason = "weak", "not predictable: "+why
		}
		a.verdict.Set(v.Sentence, ours.Confidence(v.Confidence), v.Reason)
	}
	a.showState(with)
	a.showTable(was, with, estimate)
	a.showPlot()
}

// estimated says what operational analysis expects.
func estimated(e core.Estimate, b core.Bounds) string {
	if !b.Stable {
		return fmt.Sprintf("Estimate: arrivals exceed what %s can serve (%s); queues grow for ever.",
			strings.Replace(b.Bottleneck.Of, "/", " ", 1), quantity.Format(b.Throughput, "1/s"))
	}
	text := "Estimate: response time about " + quantity.Format(e.Response, "s")
	if b.Batch {
		return "Estimate: makespan about " + quantity.Format(e.Response, "s") + "."
	}
	text += ", throughput " + quantity.Format(e.Throughput, "1/s")
	if b.Bottleneck.Of != "" && !math.IsInf(b.Saturation, 0) && b.Saturation > 0 {
		text += fmt.Sprintf("; %s saturates at %s", strings.Replace(b.Bottleneck.Of, "/", " ", 1), quantity.Digits(b.Saturation, 3))
	}
	return text + "."
}

func (a *answer) showState(o *session.Outcome) {
	a.enough.Disable()
	switch {
	case o == nil:
		a.state.SetText("estimate only")
	case o.Job != nil && o.Job.State == session.Running:
		a.enough.Enable()
		text := "sharpening"
		if o.Job.Fact != "" {
			text += ": " + o.Job.Fact
		}
		a.state.SetText(text)
	case o.Result != nil:
		text := fmt.Sprintf("%d replications, seed %d", o.Result.Replications, o.Result.Seed)
		if o.Result.Interrupted {
			text += ", stopped early"
		}
		a.state.SetText(text)
	}
}

// wanted reports whether a metric is among the first answers: response time,
// throughput, utilization, loss.
func wanted(m simulation.Metric) bool {
	switch m.Name {
	case "R", "T":
		return m.Stat == "mean" || m.Stat == "p95" || m.Stat == "p99"
	case "X":
		return strings.HasPrefix(m.Of, "class/")
	case "U":
		return !strings.HasPrefix(m.Of, "core/")
	case "D":
		return m.Estimate.Mean > 0
	}
	return false
}

func (a *answer) showTable(was, with *session.Outcome, e core.Estimate) {
	base := a.host.Session.Current() == 0
	name := a.host.Session.Scenario().Name
	columns := []ours.Column{{Title: "Metric"}, {Title: "change", Right: true}, {Title: name, Right: true}, {Title: "baseline", Right: true}}
	if base {
		columns = []ours.Column{columns[0], columns[3]}
	}
	if len(columns) != len(a.table.Columns()) || len(columns) > 2 && columns[2] != a.table.Columns()[2] {
		a.table.SetColumns(columns...)
	}
	var rows [][]ours.Cell
	switch {
	case with == nil || with.Result == nil:
		rows = estimateRows(e, base)
	case base || was == nil || was.Result == nil:
		for _, m := range with.Result.Metrics {
			if wanted(m) {
				v := ours.NumberCell(quantity.Interval(m.Estimate.Mean, m.Estimate.Lo, m.Estimate.Hi, m.Unit), m.Estimate.Mean)
				row := []ours.Cell{ours.TextCell(recipe.Label(m.Key())), v}
				if !base {
					row = []ours.Cell{ours.TextCell(recipe.Label(m.Key())), ours.TextCell(""), v, ours.TextCell("simulating")}
				}
				rows = append(rows, row)
			}
		}
	default:
		rows = comparisonRows(was.Result, with.Result)
	}
	a.table.SetRows(rows)
}

func comparisonRows(was, with *simulation.Result) [][]ours.Cell {
	var rows [][]ours.Cell
	for _, c := range simulation.Compare(was, with) {
		if !wanted(simulation.Metric{Name: c.Name, Of: c.Of, Stat: c.Stat, Estimate: c.B}) {
			continue
		}
		change := ours.Cell{Text: quantity.Change(c.Relative.Mean), Key: c.Relative.Mean, Tone: ours.Strong}
		if !finite(c.Relative.Mean) {
			change.Text = ""
		}
		if c.Absolute.Lo <= 0 && c.Absolute.Hi >= 0 {
			change = ours.Cell{Text: "no clear change", Key: 0, Tone: ours.Quiet}
		}
		rows = append(rows, []ours.Cell{ours.TextCell(recipe.Label(c.Key())), change,
			ours.NumberCell(quantity.Interval(c.B.Mean, c.B.Lo, c.B.Hi, c.Unit), c.B.Mean),
			ours.NumberCell(quantity.Interval(c.A.Mean, c.A.Lo, c.A.Hi, c.Unit), c.A.Mean)})
	}
	return rows
}

// estimateRows are the rows until the simulation answers.
func estimateRows(e core.Estimate, base bool) [][]ours.Cell {
	row := func(label string, v float64, unit string) []ours.Cell {
		text := "≈ " + quantity.Format(v, unit)
		if math.IsInf(v, 1) {
			text = "unstable"
		}
		cell := ours.Cell{Text: text, Key: v, Tone: ours.Quiet}
		if base {
			return []ours.Cell{ours.TextCell(label), cell}
		}
		return []ours.Cell{ours.TextCell(label), {Text: "estimate", Tone: ours.Quiet}, cell, ours.TextCell("")}
	}
	if e.Batch {
		return [][]ours.Cell{row(label("T"), e.Response, "s")}
	}
	return [][]ours.Cell{row(label("R"), e.Response, "s"), row("Throughput X", e.Throughput, "1/s")}
}

// showPlot draws the estimated curves dashed and the simulated points with
// their intervals.
func (a *answer) showPlot() {
	ses := a.host.Session
	m := ses.Model()
	if m == nil {
		return
	}
	p, ok := m.Parameter(a.over.Selected)
	if !ok {
		a.plot.Otherwise("This model has no parameters", "A curve is drawn over one, such as the size of a pool. Add some to the model, or build it with tierctl analyze.")
		a.plot.SetFigure(nil)
		return
	}
	metric := "R"
	if e, _, err := ses.Estimate(ses.Scenario()); err == nil && e.Batch {
		metric = "T"
	}
	if text := label(metric) + " over"; text != a.what.Text {
		a.what.SetText(text)
		a.bar.Refresh() // what is right of it moves
	}
	a.plot.Otherwise(label(metric)+" is nowhere finite", "Queues grow for ever for every "+p.Name+" that was tried. Choose a lower load, or another parameter to draw over.")
	f := chart.Lines{X: chart.Axis{Label: p.Name, Unit: recipe.UnitBeside(p.Name, recipe.Units(m))}, Y: chart.Axis{Label: label(metric), Unit: "s"}}
	scenarios := []session.Scenario{ses.Scenarios()[0]}
	if ses.Current() != 0 {
		scenarios = append(scenarios, ses.Scenario())
	}
	for i, c := range scenarios {
		s := chart.Series{Name: c.Name + ", estimate", Role: chart.Analytic, Colour: i}
		for _, pt := range ses.Curve(c, p.Name) {
			s.Points = append(s.Points, chart.Point{X: pt.Value, Y: pt.Response})
		}
		if len(s.Points) > 0 {
			f.Series = append(f.Series, s)
		}
		if o := ses.Outcome(c); o != nil && o.Result != nil {
			if point, ok := simulated(c, p, o.Result, metric); ok {
				f.Series = append(f.Series, chart.Series{Name: c.Name + ", simulated", Role: chart.Predicted, Colour: i, Points: []chart.Point{point}})
			}
		}
	}
	a.plot.SetFigure(f)
}

// label names what the plot shows: response time, or the makespan of a batch
// program.
func label(metric string) string {
	if metric == "T" {
		return "Makespan"
	}
	return "Response time R"
}

// simulated is the simulated mean of a metric as a point of the curve.
func simulated(c session.Scenario, p core.Parameter, r *simulation.Result, metric string) (chart.Point, bool) {
	x := p.Default
	if v, ok := c.Settings[p.Name]; ok {
		x = v
	}
	for _, m := range r.Metrics {
		if m.Name == metric && m.Stat == "mean" {
			e := m.Estimate
			if !finite(e.Lo) || !finite(e.Hi) {
				return chart.Point{X: x, Y: e.Mean}, finite(e.Mean)
			}
			return chart.Point{X: x, Y: e.Mean, Lo: e.Lo, Hi: e.Hi}, true
		}
	}
	return chart.Point{}, false
}
