package results

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"tierscope/core/quantity"
	"tierscope/gui/recipe"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// comparison shows the differences of two runs, B against the baseline A.
type comparison struct {
	root  fyne.CanvasObject
	a, b  *widget.Select
	lock  *widget.Check // keeps A when new runs arrive
	all   *widget.Check // shows fragments too
	text  *widget.Label
	table *own.DataTable
	runs  []experiment.Run
}

func newComparison() *comparison {
	c := &comparison{text: own.Wrapped(""), table: own.NewDataTable(
		own.Column{Title: "Metric", Names: true}, own.Column{Title: "Change", Right: true}, own.Column{Title: "B − A", Right: true},
		own.Column{Title: "A", Right: true}, own.Column{Title: "B", Right: true})}
	c.a, c.b = widget.NewSelect(nil, func(string) { c.show() }), widget.NewSelect(nil, func(string) { c.show() })
	c.lock = widget.NewCheck("lock A", nil)
	c.all = widget.NewCheck("fragments too", func(bool) { c.show() })
	row := container.NewBorder(nil, nil, nil, container.NewHBox(c.lock, c.all), container.NewGridWithColumns(2,
		container.NewBorder(nil, nil, own.Muted("A"), nil, own.Flexible(c.a)), container.NewBorder(nil, nil, own.Muted("B"), nil, own.Flexible(c.b))))
	c.root = own.Titled("Compare two runs", container.NewBorder(container.NewVBox(row, c.text), nil, nil, nil, c.table))
	return c
}

// update offers the runs; the two latest are chosen unless A is locked.
func (c *comparison) update(runs []experiment.Run, reset bool) {
	c.runs = runs
	var names []string
	for i, r := range runs {
		names = append(names, fmt.Sprintf("%d  %s", i+1, session.RunName(r)))
	}
	c.a.Options, c.b.Options = names, names
	if reset {
		c.a.ClearSelected()
		c.b.ClearSelected()
		c.lock.SetChecked(false)
	}
	if len(names) == 0 {
		return
	}
	if !c.lock.Checked || c.a.SelectedIndex() < 0 {
		c.a.Selected = names[0]
	}
	c.b.Selected = names[len(names)-1]
	c.a.Refresh()
	c.b.Refresh()
	c.show()
}

func (c *comparison) show() {
	i, j := c.a.SelectedIndex(), c.b.SelectedIndex()
	if i < 0 || j < 0 || i >= len(c.runs) || j >= len(c.runs) || i == j {
		c.text.SetText("Pick two different runs. Runs of one seed share their random numbers, which makes small differences visible.")
		c.table.SetRows(nil)
		return
	}
	differences := simulation.Compare(c.runs[i].Result, c.runs[j].Result, nil)
	c.text.SetText(sentence(differences))
	var rows [][]own.Cell
	for _, d := range differences {
		if !c.all.Checked && detail(d.Name) || d.A.N == 0 && d.B.N == 0 {
			continue
		}
		rows = append(rows, row(d))
	}
	c.table.SetRows(rows)
}

// detail reports whether a metric is about single fragments or parts of time.
func detail(name string) bool { return name == "E" || name == "V" || name == "B" }

func row(d simulation.Comparison) []own.Cell {
	tone := own.Plain
	if !d.Clear() {
		tone = own.Quiet
	}
	return []own.Cell{
		own.TextCell(recipe.Label(d.Key())),
		{Text: session.ChangeWords(d), Key: d.Relative.Mean, Tone: tone},
		{Text: quantity.Interval(d.Absolute.Mean, d.Absolute.Lo, d.Absolute.Hi, d.Unit), Key: d.Absolute.Mean, Tone: tone},
		own.NumberCell(quantity.Amount(d.A.Mean, d.A.Lo, d.A.Hi, d.Unit), d.A.Mean),
		own.NumberCell(quantity.Amount(d.B.Mean, d.B.Lo, d.B.Hi, d.Unit), d.B.Mean),
	}
}

// sentence says what happened to the response time and throughput, or the
// makespan.
func sentence(differences []simulation.Comparison) string {
	text := ""
	for _, d := range differences {
		if d.Stat != "mean" || d.Name != "R" && d.Name != "X" && d.Name != "T" || d.Name == "X" && len(d.Of) > 6 && d.Of[:6] != "class/" || d.A.N == 0 {
			continue
		}
		if text != "" {
			text += "; "
		}
		text += fmt.Sprintf("%s from %s to %s", recipe.Label(d.Key()), quantity.Format(d.A.Mean, d.Unit), quantity.Format(d.B.Mean, d.Unit))
		text += " (" + session.ChangeWords(d) + ")"
	}
	if text == "" {
		return "The two runs have no metric in common."
	}
	return text + "."
}
