package core

import (
	"fmt"
	"math"
	"slices"
)

// DepartureKind is in what a model is not what its walks are laid over each other.
type DepartureKind string

// Departures.
const (
	Absent      DepartureKind = "absent"      // the model does not have what the walks speak of
	Transitions DepartureKind = "transitions" // a fragment leads elsewhere, or as often as it did not
	Times       DepartureKind = "times"       // a computation or delay has another mean
)

// Departure is where a model was changed since its walks were recorded: walks that visit the fragment do not
// hold there.
type Departure struct {
	Kind     DepartureKind
	Graph    string  // "": it is a lock, queue or pool
	Fragment string  // "": all of the graph
	Element  string  // lock, queue or pool that is absent
	Factor   float64 // of Times: the mean of the model over that of the walks
}

// String says where, and what it is.
func (d Departure) String() string {
	switch {
	case d.Element != "":
		return fmt.Sprintf("%q is not in the model", d.Element)
	case d.Fragment == "":
		return fmt.Sprintf("graph %q is not in the model", d.Graph)
	}
	where := fmt.Sprintf("graph %q: fragment %q ", d.Graph, d.Fragment)
	switch d.Kind {
	case Transitions:
		return where + "leads elsewhere than in the recorded run, or with other probabilities"
	case Times:
		return fmt.Sprintf("%stakes %.3g times as long as in the recorded run", where, d.Factor)
	case Absent:
	}
	return where + "is not in the model"
}

// Tolerances of Departures: probabilities are quotients of counts, rounds are those of entries that were not broken off, means those of times of which the sum was kept as well as
// rounding allows (leastRounded). Convention, sensitivity none.
const (
	sameProbability = 1e-6
	sameMean        = 0.01
	sameRounds      = 0.05
)

// Departures returns where the model is not what walks are laid over each other, in the order of the walks' graphs;
// none: it is the model of their run, as it was built.
func (m *Model) Departures(w *Walks) []Departure {
	var out []Departure
	has := map[string]bool{}
	for _, l := range m.Locks {
		has[l.ID] = true
	}
	for _, q := range m.Queues {
		has[q.ID] = true
	}
	pools := map[string]bool{}
	for _, p := range m.Pools {
		pools[p.ID] = true
	}
	absent := map[string]bool{}
	miss := func(id string, there map[string]bool) {
		if !there[id] && !absent[id] {
			absent[id] = true
			out = append(out, Departure{Kind: Absent, Element: id})
		}
	}
	for _, o := range w.Objects {
		miss(o.Of, has)
	}
	for i := range w.Threads {
		miss(w.Threads[i].Pool, pools)
	}
	folded := w.Fold()
	for _, g := range w.Graphs {
		if i := slices.IndexFunc(m.Graphs, func(x Graph) bool { return x.ID == g.ID }); i >= 0 {
			out = append(out, m.Graphs[i].departures(g, folded[g.ID])...)
		} else {
			out = append(out, Departure{Kind: Absent, Graph: g.ID})
		}
	}
	return out
}

// departures returns where g is not what was folded.
func (g *Graph) departures(of WalkGraph, f Folded) (out []Departure) {
	index := make(map[string]*Fragment, len(g.Fragments))
	for i := range g.Fragments {
		index[g.Fragments[i].ID] = &g.Fragments[i]
	}
	for _, id := range of.Fragments {
		d := Departure{Graph: g.ID, Fragment: id}
		x := index[id]
		switch {
		case f.Visits[id] == 0: // walks say nothing of it
			continue
		case x == nil:
			d.Kind = Absent
			out = append(out, d)
			continue
		case !g.leads(x, f.Next[id]), !x.rounds(f.Next[id]):
			d.Kind = Transitions
			out = append(out, d)
		}
		if factor := x.longer(f.Visits[id], f.Amount[id]); math.Abs(factor-1) > sameMean {
			d.Kind, d.Factor = Times, factor
			out = append(out, d)
		}
	}
	return out
}

// leads reports whether a fragment goes where it was seen to go, as often.
func (g *Graph) leads(x *Fragment, seen map[string]int64) bool {
	ways := map[string]bool{}
	for _, s := range g.Successors(x) {
		ways[s.To] = true
	}
	for to := range seen {
		if !ways[to] {
			return false
		}
	}
	if x.Class == InFragment { // the queue decides
		return true
	}
	var sum int64
	for _, e := range x.Next {
		sum += seen[e.To]
	}
	return sum == 0 || !slices.ContainsFunc(x.Next, func(e Edge) bool {
		return math.Abs(e.Probability-float64(seen[e.To])/float64(sum)) > sameProbability
	})
}

// rounds reports whether a loop goes round as often as it was seen to. Where the model does not keep how often that was, no more often: the
// walks have the rounds of entries that were broken off as well. Copies of a loop, which stand in other places of the graph, have one
// law: it is not compared where it was counted elsewhere too.
func (x *Fragment) rounds(seen map[string]int64) bool {
	if x.Class != LoopFragment || x.Loop == nil {
		return true
	}
	if n := x.Observed.Rounds; n > 0 {
		return math.Abs(x.Loop.Count.Expectation()/n-1) <= sameRounds
	}
	entries, again := int64(0), seen[x.Loop.Body]
	for to, n := range seen {
		if to != x.Loop.Body {
			entries += n
		}
	}
	if n := x.Loop.Count.Samples; n > 0 && n != entries {
		return true
	}
	return entries == 0 || x.Loop.Count.Expectation()*float64(entries) <= (1+sameRounds)*float64(again)
}

// longer is how many times as long as in visits of so many ns in all a computation or delay takes; 1: neither, or the same.
func (x *Fragment) longer(visits, amount int64) float64 {
	var law Distribution
	switch x.Class {
	case CPUFragment:
		law = x.Demand
	case DelayFragment:
		law = x.Delay
	default:
		return 1
	}
	mean, seen := law.Expectation()*orOne(x.Scale), float64(amount)*1e-9/float64(visits)
	if math.Abs(mean-seen) <= 1e-9 {
		return 1 // to the nanosecond
	}
	return mean / seen
}
