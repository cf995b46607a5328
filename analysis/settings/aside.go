package settings

import (
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Who starts threads may be one of those that do the work:
//
//	for (t = 1; t < n; t++) pthread_create(…, work, t);     #pragma omp parallel for
//	work(0);                                                for (…) …
//
// The setting says how many work, and the pool has one thread less. What is divided by their number is divided by the
// setting, in the graph of who started them too.

// aside returns the targets that share out the work of the one thread that does what those of g do, and meets with them if
// they meet, where the setting that decides q, the size of g, counts one more than there are.
func (s *solver) aside(q *quantity, g *trail.Pool) (ts []core.Target) {
	if q.by == nil || q.by.Loose || slope(q.by.Value) != 1 || q.by.Value.Offset != -1 {
		return nil
	}
	loops, n := s.dividedLoops(g, false), float64(g.Size())
	for _, h := range s.tr.Modelled {
		if h == g || h.Size() != 1 {
			continue
		}
		var same []*trail.Loop // as g's
		for _, outer := range s.tr.Forests[h] {
			for _, l := range outer.All() {
				if l.Exact && !l.Gathered && slices.ContainsFunc(loops, func(o *trail.Loop) bool { return here(o.Header, l.Header) }) {
					same = append(same, l)
				}
			}
		}
		graph := graphOf(s.m, h)
		for i, v := range s.tr.Graphs[h].Vertices {
			switch f := &graph.Fragments[i]; {
			case f.Class == core.LoopFragment && slices.Contains(same, v.Key.From.Loop):
				ts = append(ts, core.Target{Path: fragment(h, f) + "/iterations", Factor: n * f.Loop.Count.Expectation(), Power: -1})
			case f.Class == core.CPUFragment && !inside(v, same) && (s.computes(g, loops, v) || s.between(h, g, v)):
				ts = append(ts, core.Target{Path: fragment(h, f) + "/scale", Factor: n, Power: -1})
			}
		}
	}
	meet := slices.ContainsFunc(s.tr.Resources, func(r *trail.Resource) bool {
		return r.Kind == core.Barrier && r.Parties == g.Size()+1 && trail.UsedBy(r, g) && meetAll(r, g)
	})
	if meet || len(ts) > 0 {
		q.aside = true
		if s.tr.IsSpawned(g) { // nobody need be started
			q.Min, q.SupportedMin = 0, 0
		}
	}
	return ts
}

// computes reports whether threads of g compute, outside of loops, between the same places as v.
func (s *solver) computes(g *trail.Pool, loops []*trail.Loop, v *trail.Vertex) bool {
	return slices.ContainsFunc(s.tr.Graphs[g].Vertices, func(o *trail.Vertex) bool {
		return o.IsCPU() && !inside(o, loops) && here(o.Key.From, v.Key.From) && here(o.Key.To, v.Key.To)
	})
}

// between reports whether v is what a thread computes after it has handed something out to threads of g and before it waits for what they
// give back: its own part.
func (s *solver) between(h, g *trail.Pool, v *trail.Vertex) bool {
	return s.passes(h, g, v.Key.From, trace.OpSend) && s.passes(h, g, v.Key.To, trace.OpReceive)
}

// passes reports whether at a node of h, or in the loop that it stands for, something is sent to threads of g, or received from them.
func (s *solver) passes(h, g *trail.Pool, n *trail.Node, op trace.Op) bool {
	return slices.ContainsFunc(s.tr.Graphs[h].Vertices, func(o *trail.Vertex) bool {
		at := o.Key.From
		return !o.IsCPU() && at.Op == op && o.Lock != nil && trail.UsedBy(o.Lock, g) && (at == n || n.Loop != nil && n.Loop.Members[at])
	})
}

// here reports whether two nodes are the same place of the program.
func here(a, b *trail.Node) bool {
	return a.Op == b.Op && a.Place.Function == b.Place.Function && trace.SamePlace(a.Place, b.Place)
}
