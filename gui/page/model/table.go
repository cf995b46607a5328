package model

import (
	"math"
	"strings"

	"tierscope/core/quantity"
	"tierscope/gui/diagram"
	ours "tierscope/gui/widget"
)

// fillTable shows the nodes of a diagram and where they lead as rows.
func (p *Page) fillTable(d *diagram.Diagram) {
	names := names(d)
	next := map[int]string{}
	for _, e := range d.Edges {
		if next[e.From] != "" {
			next[e.From] += ", "
		}
		next[e.From] += names[e.To]
		if e.Label != "" {
			next[e.From] += " (" + e.Label + ")"
		}
	}
	p.paths = nil
	var rows [][]ours.Cell
	for i, n := range d.Nodes {
		p.paths = append(p.paths, n.Path)
		rows = append(rows, []ours.Cell{ours.TextCell(names[i]), ours.TextCell(kinds[n.Shape]), ours.TextCell(n.Detail), ours.TextCell(next[i]), ours.TextCell(n.Path)})
	}
	p.table.SetColumns(ours.Column{Title: "Name", Names: true}, ours.Column{Title: "Class"}, ours.Column{Title: "Parameter"}, ours.Column{Title: "Leads to"}, ours.Column{Title: "Path"})
	p.table.SetRows(rows)
}

// names are the titles of the nodes, and the identifiers of those that have none of their own.
func names(d *diagram.Diagram) []string {
	seen := map[string]int{}
	for _, n := range d.Nodes {
		seen[n.Title]++
	}
	out := make([]string, len(d.Nodes))
	for i, n := range d.Nodes {
		out[i] = n.Title
		if n.Title == "" || seen[n.Title] > 1 {
			_, id, _ := strings.Cut(n.Path, "/")
			if _, fragment, ok := strings.Cut(id, "/fragments/"); ok {
				id = fragment
			}
			out[i] = id
		}
	}
	return out
}

// kinds are the words for the shapes.
var kinds = map[diagram.Shape]string{
	diagram.Box: "cpu", diagram.Cylinder: "disk", diagram.Hexagon: "sync", diagram.TrayIn: "in", diagram.TrayOut: "out",
	diagram.Tray: "queue", diagram.Pill: "pool", diagram.Dot: "source, sink or branch", diagram.Clock: "delay", diagram.Ring: "loop", diagram.Chip: "processor",
}

// legend says what the shapes of a tier mean.
func legend(tier string) string {
	switch tier {
	case "tier2":
		return "Rectangle: CPU · cylinder: disk · hexagon: synchronization · notched: takes a task · pointed: sends a task · double line: loop · numbers: probabilities"
	case "tier3":
		return "Numbers: fragments of the pool that use the resource · hexagon: lock · cylinder: disk"
	}
	return "Round: source, sink · tray: task queue · pill: thread pool (double-click opens its call graph)"
}

// mostRare is the slider's end: fragments that run less than once per task.
const mostRare = 1.0

// threshold maps 0…100 to visits per task: 0 at 0, then from 0.0001 to 1 on a
// logarithmic scale.
func threshold(v float64) float64 {
	if v <= 0 {
		return 0
	}
	return mostRare * math.Pow(10, -4*(1-v/100))
}

func rare(v float64) string { return quantity.Digits(v, 2) }
