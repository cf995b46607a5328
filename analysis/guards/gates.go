package guards

import (
	"fmt"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// An event loop shuts a case of its select by a nil channel while it has nothing to send, as much on its way as may be, or
// nothing more to expect:
//
//	var out chan job                          results <-chan result
//	if len(pending) > 0 { out = jobs }        if !ok { results = nil }
//	select { case j := <-in: pending = append(pending, j); case out <- pending[0]: pending = pending[1:]; … }
//
// A select that takes any ready case would send more than it has received. The trace says of each select which cases were
// shut, and counts say why, if there is a number c and one or two other cases of the select, X, so that a case was open if and
// only if
//
//	c + how often X was taken − how often the case was taken > 0
//
// in every select of the run. The case takes a permit then, and X gives one: before the select the thread tries to acquire
// one, and what comes next is a select with the case or one without it; it gives back what it did not need.

// gate is a case of a select that is shut now and then.
type gate struct {
	node   *trail.Node
	kase   int64
	closed bool  // what takes the permit is that the channel is found closed, not that the case is taken
	gives  []act // what gives one
	first  int   // permits at the start
	lock   *trail.Resource
}

// act is a case of a select that is taken, because there is something, or because its channel is closed.
type act struct {
	node   *trail.Node
	kase   int64
	closed bool
}

// String tells acts apart.
func (a act) String() string {
	if a.node == nil {
		return ""
	}
	return fmt.Sprintf("%s %d %t", a.node.Key, a.kase, a.closed)
}

// Gates puts the permits in.
func Gates(tr *trail.Trail) {
	for _, g := range tr.Pools {
		gates := gatesOf(tr, g)
		for i := range gates {
			k := &gates[i]
			k.lock = &trail.Resource{ID: fmt.Sprintf("case %d of %s", k.kase, trace.ShortPlace(k.node.Place)), Kind: core.Semaphore, Scope: core.PerThread,
				Capacity: k.first, Gate: true, Place: k.node.Place}
			tr.Resources = append(tr.Resources, k.lock)
			tr.Assume(fmt.Sprintf("pool %s: its select at %s takes case %d only as often as other things that its thread does allow", g.Name, trace.ShortPlace(k.node.Place), k.kase))
		}
		if len(gates) == 0 {
			continue
		}
		tr.Nodes.Scope = g.Name
		for _, q := range g.Sequences {
			guardCases(tr, q, gates)
		}
	}
}

// gatesOf finds the gates of a pool.
func gatesOf(tr *trail.Trail, g *trail.Pool) (gates []gate) {
	for n, kases := range shutCases(tr, g) {
		acts := actsOf(g, n)
		for _, kase := range kases {
			if k, ok := counted(tr, g, acts, gate{node: n, kase: kase}); ok {
				gates = append(gates, k)
			}
		}
	}
	slices.SortFunc(gates, func(a, b gate) int { return compareGates(a, b) })
	return gates
}

func compareGates(a, b gate) int {
	if a.node != b.node && a.node.Key < b.node.Key || a.node == b.node && a.kase < b.kase {
		return -1
	}
	return 1
}

// offered are the cases of a select, nil if it is none or not known.
func offered(tr *trail.Trail, s *trail.Step) []trace.Case {
	if s.Node.Op != trace.OpSelect || s.Node.Virtual != "" || s.Arg < 0 || s.Arg >= int64(len(tr.Trace.Offers)) {
		return nil
	}
	return tr.Trace.Offers[s.Arg].Cases
}

// shutCases are the selects of a pool with the cases that were shut sometimes, and open at others.
func shutCases(tr *trail.Trail, g *trail.Pool) map[*trail.Node][]int64 {
	type seen struct{ open, shut bool }
	by := map[*trail.Node][]seen{}
	for _, q := range g.Sequences {
		for i := range q.Steps {
			s := &q.Steps[i]
			for k, c := range offered(tr, s) {
				for len(by[s.Node]) <= k {
					by[s.Node] = append(by[s.Node], seen{})
				}
				x := &by[s.Node][k]
				x.open, x.shut = x.open || c.Object != 0, x.shut || c.Object == 0
			}
		}
	}
	out := map[*trail.Node][]int64{}
	for n, all := range by {
		for k, x := range all {
			if x.open && x.shut {
				out[n] = append(out[n], int64(k))
			}
		}
	}
	return out
}

// did is the case of a select that a step took; false: none.
func did(s *trail.Step) (act, bool) {
	if s.Open || s.Node.Op != trace.OpSelect || s.Result < 0 {
		return act{}, false
	}
	return act{s.Node, s.Result, s.FoundClosed()}, true
}

// actsOf are the kinds of things that the threads of a pool do in a select.
func actsOf(g *trail.Pool, n *trail.Node) (acts []act) {
	for _, q := range g.Sequences {
		for i := range q.Steps {
			if a, ok := did(&q.Steps[i]); ok && a.node == n && !slices.Contains(acts, a) {
				acts = append(acts, a)
			}
		}
	}
	return acts
}

// moment is a select: how often things had been done before it, and whether the case was open.
type moment struct {
	done []int
	open bool
}

// counted finds what the openness of a case goes by.
func counted(tr *trail.Trail, g *trail.Pool, acts []act, k gate) (gate, bool) {
	var all []moment
	for _, q := range g.Sequences {
		done := make([]int, len(acts))
		for i := range q.Steps {
			s := &q.Steps[i]
			if cases := offered(tr, s); s.Node == k.node && k.kase < int64(len(cases)) {
				all = append(all, moment{slices.Clone(done), cases[k.kase].Object != 0})
			}
			if a, ok := did(s); ok {
				if x := slices.Index(acts, a); x >= 0 {
					done[x]++
				}
			}
		}
	}
	holds := func(takes int, gives ...int) bool {
		at := func(m moment) (n int) {
			for _, x := range gives {
				n += m.done[x]
			}
			return n - m.done[takes]
		}
		first := slices.IndexFunc(all, func(m moment) bool { return !m.open })
		k.first = -at(all[first])
		return k.first >= 0 && !slices.ContainsFunc(all, func(m moment) bool { return m.open != (k.first+at(m) > 0) || k.first+at(m) < 0 })
	}
	for _, k.closed = range []bool{true, false} {
		takes := slices.Index(acts, act{k.node, k.kase, k.closed})
		if takes < 0 {
			continue
		}
		if holds(takes) {
			return k, true
		}
		for x, one := range acts {
			if k.gives = []act{one}; x != takes && holds(takes, x) {
				return k, true
			}
			for y := x + 1; y < len(acts); y++ {
				if k.gives = []act{one, acts[y]}; x != takes && y != takes && holds(takes, x, y) {
					return k, true
				}
			}
		}
		k.gives = nil
	}
	return k, false
}

// guardCases lets a thread ask before its selects which cases are open.
func guardCases(tr *trail.Trail, q *trail.Sequence, gates []gate) {
	q.Rewrite(func(_ int, s trail.Step) []trail.Step {
		var before, after []trail.Step
		does, _ := did(&s)
		cases, shut := offered(tr, &s), ""
		for i := range gates {
			k := &gates[i]
			step := func(op trace.Op, at int64, why string) trail.Step {
				n := tr.Nodes.Copy(tr.Nodes.Of(op, k.node.Site), fmt.Sprintf("%s %s", k.lock.ID, why), func(of *trail.Node) *trail.Node { return of })
				return trail.Step{Node: n, Start: at, End: at, Lock: k.lock, Arg: 1, Result: 1}
			}
			if s.Node == k.node && k.kase < int64(len(cases)) {
				ask := step(trace.OpTryAcquire, s.Start, "before"+shut)
				takes := does == act{k.node, k.kase, k.closed}
				switch {
				case cases[k.kase].Object == 0:
					ask.Result = 0
					shut += fmt.Sprintf("\x00without %d", k.kase)
				case !takes && !s.Open:
					after = append(after, step(trace.OpRelease, s.End, does.String()+" unused"+shut))
				}
				before = append(before, ask)
			}
			if slices.Contains(k.gives, does) {
				after = append(after, step(trace.OpRelease, s.End, does.String()+shut))
			}
		}
		if len(before) > 0 {
			before[0].Gap, before[0].GapWall, s.Gap, s.GapWall = s.Gap, s.GapWall, 0, 0
		}
		if shut != "" {
			s.Node = tr.Nodes.Copy(s.Node, shut, func(of *trail.Node) *trail.Node { return of })
		}
		return slices.Concat(before, []trail.Step{s}, after)
	})
}
