package model

import (
	"math"

	"tierscope/core/quantity"
	"tierscope/gui/diagram"
	ours "tierscope/gui/widget"
)

// showContrast colours the graph by what B has more or less than A, and lists
// it in the table, if two things are compared; it reports whether they are.
func (p *Page) showContrast(d *diagram.Diagram) bool {
	ses := p.host.Session
	pair := ses.Comparing()
	if pair == nil {
		if p.contrasted {
			p.contrasted = false
			p.fillTable(d)
		}
		return false
	}
	a, b := ses.ResultOf(pair.A), ses.ResultOf(pair.B)
	if a == nil || b == nil {
		p.legend.SetText("Simulating what is compared …")
		p.graph.SetContrast(make([]float64, len(d.Nodes)), nil, nil)
		return true
	}
	deltas := diagram.Deltas(d, a, b)
	nodes, notes := make([]float64, len(deltas)), make([]string, len(deltas))
	for i, x := range deltas {
		nodes[i], notes[i] = x.Signed(), x.Note()
	}
	p.graph.SetContrast(nodes, diagram.Flows(d, a, b), notes)
	p.legend.SetText(diagram.ContrastLegend)
	p.contrastTable(d, deltas, ses.Label(pair.A), ses.Label(pair.B))
	return true
}

// contrastTable lists the elements by what their difference costs a task, the
// dearest first.
func (p *Page) contrastTable(d *diagram.Diagram, deltas []diagram.Delta, a, b string) {
	p.contrasted = true
	p.paths = nil
	var rows [][]ours.Cell
	names := names(d)
	for i, n := range d.Nodes {
		x := deltas[i]
		p.paths = append(p.paths, n.Path)
		row := []ours.Cell{ours.TextCell(names[i]), ours.TextCell(x.Of), {}, {}, {Key: math.Inf(-1)}, {Text: x.Words(), Key: math.NaN(), Tone: ours.Quiet}}
		if x.Known {
			row[2], row[3] = ours.NumberCell(quantity.Format(x.A, x.Unit), x.A), ours.NumberCell(quantity.Format(x.B, x.Unit), x.B)
			row[4] = ours.Cell{Key: -math.Abs(x.Cost)}
			if x.Cost != 0 {
				row[4].Text = sign(x.Cost) + quantity.Format(math.Abs(x.Cost), "s")
			}
			if x.Clear {
				row[5].Tone = ours.Strong
			}
		}
		rows = append(rows, row)
	}
	p.table.SetColumns(ours.Column{Title: "Name", Names: true}, ours.Column{Title: "What"}, ours.Column{Title: a, Right: true}, ours.Column{Title: b, Right: true},
		ours.Column{Title: "Costs a task", Right: true}, ours.Column{Title: "Change"})
	p.table.SetRows(rows)
	p.table.SortBy(4)
}

func sign(v float64) string {
	if v < 0 {
		return "−"
	}
	return "+"
}
