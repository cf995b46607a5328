package pcg

import (
	"fmt"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// ExactLoops puts loop fragments where a cycle of the graph would be wrong.
// "If a loop that performs exactly n iterations is represented as a cycle in
// a PCG, then the number of iterations X will … follow a geometric
// distribution with mean n … If the loop contains the c_out node, the model
// explicitly simulates it. Otherwise the loop is represented as a cycle in
// the PCG" (Tarvo & Reiss 2014, §4.3.1). We simulate every loop exactly whose
// number of iterations varies less than the geometric law would, too.
func ExactLoops(tr *trail.Trail) {
	for _, g := range tr.Modelled {
		forest := trail.FindLoops(g.Sequences)
		tr.Forests[g] = forest
		for _, outer := range forest {
			for _, l := range outer.All() {
				l.Gathered = isGathered(l)
				l.Limited = l.Limited && !l.Gathered && cutByResources(l)
				l.Exact = l.Gathered || l.Limited || isExact(l)
				if l.Limited {
					l.Deadline = deadline(l)
				}
				l.Date()
			}
		}
		tails, all := map[*trail.Loop]int64{}, computed(g.Sequences)
		for _, outer := range forest {
			for _, l := range outer.All() {
				if !l.Exact {
					continue
				}
				if ns, ok := tail(l, all); ok {
					tails[l] = ns
				}
			}
		}
		for _, q := range g.Sequences {
			insertLoops(q, forest, tails, tr.Nodes)
		}
	}
}

// isExact decides how a loop is simulated. A loop that is left because of what
// a resource does (a queue that is closed, another case of a select, a try
// that fails) is left for the same reason in the simulation.
func isExact(l *trail.Loop) bool {
	var counts []int64
	out, more := false, false
	for _, e := range l.Entries {
		if !e.Ended {
			continue
		}
		counts = append(counts, e.Count())
		more = more || len(e.Heads) > 1 // one that was broken off may be the second
		if LeftByResource(l, e) {
			return false
		}
		for i := e.First; i < e.Past; i++ {
			x := e.Seq.Steps[i].Node
			if x.Class == core.OutFragment && x.Virtual == "" || x.Class == core.SpawnFragment {
				out = true
			}
		}
	}
	if len(counts) == 0 || 2*len(counts) < len(l.Entries) {
		return false
	}
	return more && (out || trail.Regular(counts) || len(counts) == 1)
}

// LeftByResource reports whether an entry ended with an outcome that no
// complete iteration had.
func LeftByResource(l *trail.Loop, e trail.Iteration) bool {
	last := len(e.Heads) - 1
	rounds := slices.ContainsFunc(l.Inner, func(in *trail.Loop) bool { return in.Drains })
	usual, got := map[*trail.Node]bool{}, map[*trail.Node]bool{}
	for i := e.First; i < e.Heads[last]; i++ {
		s := &e.Seq.Steps[i]
		usual[s.Node] = true
		got[s.Node] = got[s.Node] || s.Succeeded()
	}
	for i := e.Heads[last]; i <= e.Past && i < len(e.Seq.Steps); i++ {
		s := &e.Seq.Steps[i]
		x := s.Node
		if x.Class == core.NoFetchFragment && !(usual[x] && rounds) {
			return true
		}
		if usual[x] && !got[x] && trace.Tries(x.Op) && s.Lock != nil && s.Succeeded() {
			return true // as a poll of a channel that tells the thread to stop
		}
		outcome := x.CaseLock != nil || x.Virtual == "default"
		if outcome && last > 0 && !usual[x] && l.Members[x.Of] {
			return true
		}
	}
	return false
}

// insertLoops puts the node of an exact loop before every iteration and after
// the last one, and "iterate" at the beginning of the body. An iteration that
// was broken off in the middle is not one of the loop: its fragments become
// nodes of their own after the loop. Otherwise the simulated loop could be
// left, or gone through again, in the middle of a region. Only of a limited loop an iteration may be broken off, and it is
// entered at a node of its own, through which whoever has left it comes back.
//
// What is computed before it belongs to the last iteration, as much of it as tails says.
func insertLoops(q *trail.Sequence, forest []*trail.Loop, tails map[*trail.Loop]int64, nodes *trail.NodeTable) {
	type inserted struct {
		n      *trail.Node
		l      *trail.Loop
		closes bool // the loop, and so belongs to the iteration of an outer one that ends here
	}
	before := map[int][]inserted{}
	last := map[int][]*trail.Loop{} // loops of which the step is in a broken last iteration, outer ones first
	for _, outer := range forest {
		for _, l := range outer.All() { // outer loops first
			if !l.Exact {
				continue
			}
			n := nodes.Virtual(levelName("loop", l.Depth), l.Header, core.LoopFragment)
			it := nodes.Virtual(levelName("iterate", l.Depth), l.Header, core.DispatchFragment)
			n.Loop, it.Loop = l, l
			if l.Limited {
				l.Enter = nodes.Virtual(levelName("enter", l.Depth), l.Header, core.DispatchFragment)
			}
			for _, e := range l.Entries {
				if e.Seq != q {
					continue
				}
				if l.Enter != nil {
					before[e.First] = append(before[e.First], inserted{l.Enter, l, false})
				}
				for k, h := range e.Heads {
					before[h] = append(before[h], inserted{n, l, false})
					if l.Limited || !e.Broken || k+1 < len(e.Heads) {
						before[h] = append(before[h], inserted{it, l, false})
						continue
					}
					for i := h; i < e.Past; i++ {
						last[i] = append(last[i], l)
					}
				}
				if e.Ended && !e.Broken && e.Past < len(q.Steps) {
					before[e.Past] = append([]inserted{{n, l, true}}, before[e.Past]...)
				}
			}
		}
	}
	if len(before) == 0 {
		return
	}
	q.Rewrite(func(i int, s trail.Step) []trail.Step {
		var by []trail.Step
		for _, x := range before[i] {
			n, at := x.n, i
			if x.closes {
				at--
			}
			for _, l := range last[at] {
				if l != x.l && l.Depth < x.l.Depth {
					n = inLast(nodes, n, l)
				}
			}
			own, some := tails[x.l]
			if !some || !x.closes {
				own = s.Gap
			}
			by = append(by, trail.MarkWithin(n, &s, own))
		}
		for _, l := range last[i] {
			s.Node = inLast(nodes, s.Node, l)
		}
		return append(by, s)
	})
}

// inLast returns the copy of n that stands for its execution in a broken last
// iteration of l.
func inLast(t *trail.NodeTable, n *trail.Node, l *trail.Loop) *trail.Node {
	if n == t.End || n == t.Begin {
		return n
	}
	return t.Copy(n, "last\x00"+levelName(l.Header.Key, l.Depth), func(of *trail.Node) *trail.Node { return inLast(t, of, l) })
}

// levelName tells loops with the same header apart.
func levelName(name string, depth int) string {
	if depth == 1 {
		return name
	}
	return fmt.Sprintf("%s %d", name, depth)
}
