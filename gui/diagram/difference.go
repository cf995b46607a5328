package diagram

import (
	"slices"

	"tierscope/core"
)

// Words on what only one of two call graphs has.
const (
	newWord     = "new"
	removedWord = "removed"
)

// Difference is the call graph of a pool in two models that use the same names:
// what only the new one has is marked so, what only the old one has is marked and
// led to by dashed edges. One of the two may be nil.
func Difference(before, after *core.Graph) *Diagram {
	none := &core.Graph{}
	if before == nil {
		before = none
	}
	if after == nil {
		after = none
	}
	both := core.Graph{ID: after.ID, Entry: after.Entry, Fragments: slices.Clone(after.Fragments)}
	if after == none {
		both.ID, both.Entry = before.ID, before.Entry
	}
	for _, f := range before.Fragments {
		if after.Fragment(f.ID) == nil {
			both.Fragments = append(both.Fragments, f)
		}
	}
	d := CallGraph(&both, nil)
	if before == none || after == none {
		return d
	}
	d.Name = "changes of " + both.ID
	old, now := CallGraph(before, nil), CallGraph(after, nil)
	for i := range d.Nodes {
		n := &d.Nodes[i]
		switch {
		case !old.has(n.Path):
			n.Badge = newWord
		case !now.has(n.Path):
			n.Badge = removedWord
		}
	}
	for _, e := range old.Edges { // between fragments that both have, but not any more
		from, to := d.index(old.Nodes[e.From].Path), d.index(old.Nodes[e.To].Path)
		if !slices.ContainsFunc(d.Edges, func(x Edge) bool { return x.From == from && x.To == to }) {
			d.Edges = append(d.Edges, Edge{From: from, To: to, Share: e.Share})
		}
	}
	for i := range d.Edges {
		e := &d.Edges[i]
		from, to := d.Nodes[e.From].Path, d.Nodes[e.To].Path
		switch {
		case !now.joins(from, to):
			e.Dashed, e.Label = true, removedWord
		case !old.joins(from, to) && old.has(from) && old.has(to):
			e.Label = newWord + " " + e.Label
		}
	}
	return d
}

func (d *Diagram) index(path string) int {
	return slices.IndexFunc(d.Nodes, func(n Node) bool { return n.Path == path })
}

func (d *Diagram) has(path string) bool { return d.index(path) >= 0 }

// joins reports whether there is an edge between two nodes.
func (d *Diagram) joins(from, to string) bool {
	return slices.ContainsFunc(d.Edges, func(e Edge) bool { return d.Nodes[e.From].Path == from && d.Nodes[e.To].Path == to })
}
