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
	"tierscope/gui/page"
	"tierscope/gui/recipe"
	"tierscope/gui/save"
	"tierscope/gui/session"
	ours "tierscope/gui/widget"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

// answer is the right half of the page: the verdict, the numbers of baseline
// and scenario side by side, and the curve over a parameter.
type answer struct {
	host    *page.Host
	verdict *ours.Verdict
	state   *widget.Label
	enough  *widget.Button
	more    *widget.Button
	table   *ours.DataTable
	metric  *ours.Choice // that the plot shows
	over    *ours.Choice // its knob
	and     *ours.Choice // another knob: a map instead of a curve
	plot    *ours.Plot
	explore *explorer
	drawn   func() // the plot was drawn anew
	root    fyne.CanvasObject
}

func newAnswer(h *page.Host, drawn func()) *answer {
	a := &answer{host: h, drawn: drawn, verdict: ours.NewVerdict(), state: ours.Muted(""), plot: ours.NewPlot(h.Session.Runner),
		table: ours.NewDataTable(ours.Column{Title: "Metric", Names: true}, ours.Column{Title: "baseline", Right: true}, ours.Column{Title: "scenario", Right: true}, ours.Column{Title: "change", Right: true})}
	a.state.Truncation = fyne.TextTruncateEllipsis
	a.enough = widget.NewButton("Enough", func() {
		if o := h.Session.Outcome(h.Session.Scenario()); o != nil && o.Job != nil {
			o.Job.Cancel()
		}
	})
	a.more = widget.NewButton("More precise", func() { h.Session.Sharpen(h.Session.Scenario()) })
	a.explore = newExplorer(h.Session, a.showPlot)
	redraw := func(string) { a.showPlot(); a.ask() }
	a.metric, a.over, a.and = ours.NewChoice(redraw), ours.NewChoice(redraw), ours.NewChoice(redraw)
	a.plot.OnTap = a.tapped
	copyButton := ours.NewIconButton("Copy as command", theme.ContentCopyIcon(), a.copyCommand)
	progress := container.NewBorder(nil, nil, nil, container.NewHBox(a.enough, a.more), a.state)
	plotBar := container.NewBorder(nil, nil, nil, container.NewHBox(ours.NewIconButton("Table of the figure", theme.ListIcon(), a.plot.ToggleTwin), ours.NewIconButton("Save the figure", theme.DocumentSaveIcon(), a.save), copyButton),
		container.NewGridWithColumns(3, ours.Flexible(a.metric), labelled("over", a.over), labelled("and", a.and)))
	split := container.NewVSplit(a.table, container.NewBorder(plotBar, nil, nil, nil, a.plot))
	split.SetOffset(0.42)
	a.root = container.NewBorder(container.NewVBox(a.verdict, progress), nil, nil, nil, split)
	return a
}

// labelled is a control with a word before it.
func labelled(text string, o fyne.CanvasObject) fyne.CanvasObject {
	return container.NewBorder(nil, nil, ours.Muted(text), nil, ours.Flexible(o))
}

func (a *answer) setModel(m *core.Model) {
	load := ""
	for _, p := range m.Parameters {
		if p.Unit == "1/s" && load == "" {
			load = p.Name
		}
	}
	names := m.ParameterNames()
	if load == "" && len(names) > 0 {
		load = names[0]
	}
	same := func(s string) string { return s }
	a.over.SetValues(names, same)
	a.over.Choose(load)
	a.and.SetValues(append([]string{none}, names...), same)
	a.and.Choose(none)
	a.metric.SetValues(nil, recipe.Label)
	a.explore.forget()
}

func (a *answer) copyCommand() {
	fyne.CurrentApp().Clipboard().SetContent(a.host.Session.Command(a.host.Session.Scenario()))
}

func (a *answer) save() {
	ses := a.host.Session
	var r *simulation.Result
	if o := ses.Outcome(ses.Scenario()); o != nil {
		r = o.Result
	}
	from := ses.ProvenanceOf(ses.Scenario(), r)
	if p, ok := a.knob(); ok {
		if _, isMap := a.second(); !isMap {
			_, from.Measured = a.measured(p, a.metric.Value())
		}
	}
	save.Figure(a.host, a.plot.Figure(), "scenario "+ses.Scenario().Name, from)
}

// show draws what is known now.
func (a *answer) show() {
	ses := a.host.Session
	c, base := ses.Scenario(), ses.Scenarios()[0]
	with, was := ses.Outcome(c), ses.Outcome(base)
	a.showState(with)
	estimate, bounds, err := ses.Estimate(c)
	switch {
	case err != nil:
		a.verdict.Set("This configuration cannot be simulated.", ours.Weak, strings.ReplaceAll(err.Error(), "\n", "; "))
	case with != nil && with.Err != nil:
		a.verdict.Set("The simulation failed.", ours.Weak, with.Err.Error())
	case with == nil || with.Result == nil:
		a.verdict.Set(estimated(estimate, bounds), ours.Undecided, "analytic estimate; the simulation is on its way")
	case tooFew(with) && with.Preliminary && with.Result.Replications >= fewest:
		a.verdict.Set("So far: "+session.Describe(with.Result).Sentence, ours.Undecided, "preliminary: the intervals come last, with what is not known of the model")
	case tooFew(with) || ses.Current() != 0 && tooFew(was):
		a.verdict.Set("Simulating"+strings.TrimPrefix(a.state.Text, "sharpening")+".", ours.Undecided, "a verdict needs three replications")
	default:
		v := session.Describe(with.Result)
		if ses.Current() != 0 && was != nil && was.Result != nil {
			v = session.Judge(was.Result, with.Result)
			if of, u := with.Result.Busiest(); of != "" {
				v.Sentence += fmt.Sprintf(" Busiest: %s, %s.", strings.Replace(of, "/", " ", 1), quantity.Share(u))
			}
		}
		if why := ses.Outside(c); why != "" {
			v.Confidence, v.Reason = "weak", "not predictable: "+why
		}
		sure, why := ses.Sure(v.Confidence, v.Reason)
		a.verdict.Set(v.Sentence, ours.Confidence(sure), why)
	}
	a.showTable(was, with, estimate)
	a.showPlot()
}

// fewest is how many replications make an interval that says anything.
const fewest = 3

// tooFew reports whether a result is on its way to an interval.
func tooFew(o *session.Outcome) bool {
	return o != nil && o.Result != nil && (o.Preliminary || o.Result.Replications < fewest) && o.Job != nil && o.Job.State == session.Running
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
		unit := "1/s"
		if b.Closed {
			unit = "users"
		}
		text += fmt.Sprintf("; %s saturates at %s", strings.Replace(b.Bottleneck.Of, "/", " ", 1), quantity.Format(b.Saturation, unit))
	}
	return text + "."
}

func (a *answer) showState(o *session.Outcome) {
	a.enough.Disable()
	a.more.Enable()
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
		text := fmt.Sprintf("%s, seed %d", quantity.Plural(o.Result.Replications, "replication"), o.Result.Seed)
		if o.Result.Interrupted {
			text += ", stopped early"
		} else if why := a.host.Session.Limit(a.host.Session.Scenario()); why != "" {
			a.more.Disable()
			text = quantity.Plural(o.Result.Replications, "replication") + ": " + why
		}
		a.state.SetText(text)
	}
}

// ofParts reports whether a metric is of a fragment or a group of them, none of which the table shows.
func ofParts(m simulation.Metric) bool {
	return strings.HasPrefix(m.Of, "fragment/") || strings.HasPrefix(m.Of, "group/")
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
	columns := []ours.Column{{Title: "Metric", Names: true}, {Title: "change", Right: true}, {Title: name, Right: true}, {Title: "baseline", Right: true}}
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
			if wanted(m) && session.Tells(with.Result, m) {
				v := ours.NumberCell(amount(m.Estimate, m.Unit), m.Estimate.Mean)
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
	for _, c := range simulation.Compare(was, with, func(m simulation.Metric) bool { return !ofParts(m) }) {
		if m := (simulation.Metric{Name: c.Name, Of: c.Of, Stat: c.Stat, Estimate: c.B}); !wanted(m) || !session.Tells(with, m) {
			continue
		}
		change := ours.Cell{Text: session.ChangeWords(c), Key: c.Relative.Mean, Tone: ours.Strong}
		switch {
		case min(c.A.N, c.B.N) < fewest:
			change = ours.Cell{Text: "simulating", Key: 0, Tone: ours.Quiet}
		case c.Absolute.Lo <= 0 && c.Absolute.Hi >= 0:
			change.Key, change.Tone = 0, ours.Quiet
		case !finite(c.Relative.Mean):
			change.Text = ""
		}
		rows = append(rows, []ours.Cell{ours.TextCell(recipe.Label(c.Key())), change,
			ours.NumberCell(amount(c.B, c.Unit), c.B.Mean),
			ours.NumberCell(amount(c.A, c.Unit), c.A.Mean)})
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
		return [][]ours.Cell{row("Makespan", e.Response, "s")}
	}
	return [][]ours.Cell{row("Response time R", e.Response, "s"), row("Throughput X", e.Throughput, "1/s")}
}

// amount is a mean with its interval, or alone while there is none.
func amount(e output.Estimate, unit string) string {
	if e.N < fewest || math.IsInf(e.Lo, -1) && math.IsInf(e.Hi, 1) {
		return "≈ " + quantity.Format(e.Mean, unit)
	}
	return quantity.Amount(e.Mean, e.Lo, e.Hi, unit)
}
