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
	kept := map[string]bool{}
	for i := range after.Fragments {
		kept[after.Fragments[i].ID] = true
	}
	for _, f := range before.Fragments {
		if !kept[f.ID] {
			both.Fragments = append(both.Fragments, f)
		}
	}
	d := CallGraph(&both, nil)
	if before == none || after == none {
		return d
	}
	d.Name = "changes of " + both.ID
	old, now := drawn(CallGraph(before, nil)), drawn(CallGraph(after, nil))
	index := map[string]int{}
	for i := range d.Nodes {
		n := &d.Nodes[i]
		index[n.Path] = i
		switch {
		case !old.nodes[n.Path]:
			n.Badge = newWord
		case !now.nodes[n.Path]:
			n.Badge = removedWord
		}
	}
	there := drawn(d)
	for _, e := range old.edges { // between fragments that both have, but not any more
		if !there.joined[e.between] {
			d.Edges = append(d.Edges, Edge{From: index[e.between.from], To: index[e.between.to], Share: e.share})
			there.joined[e.between] = true
		}
	}
	for i := range d.Edges {
		e := &d.Edges[i]
		at := between{d.Nodes[e.From].Path, d.Nodes[e.To].Path}
		switch {
		case !now.joined[at]:
			e.Dashed, e.Label = true, removedWord
		case !old.joined[at] && old.nodes[at.from] && old.nodes[at.to]:
			e.Label = newWord + " " + e.Label
		}
	}
	return d
}

// between are the nodes that an edge joins, by their paths.
type between struct{ from, to string }

// content is what a diagram has, by paths.
type content struct {
	nodes  map[string]bool
	joined map[between]bool
	edges  []joint
}

// joint is an edge by paths, with its share.
type joint struct {
	between between
	share   float64
}

func drawn(d *Diagram) content {
	c := content{nodes: map[string]bool{}, joined: map[between]bool{}}
	for i := range d.Nodes {
		c.nodes[d.Nodes[i].Path] = true
	}
	for _, e := range d.Edges {
		at := between{d.Nodes[e.From].Path, d.Nodes[e.To].Path}
		c.joined[at] = true
		c.edges = append(c.edges, joint{at, e.Share})
	}
	return c
}
