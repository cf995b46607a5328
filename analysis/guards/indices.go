package guards

import (
	"fmt"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// A pool may share its work out by a counter behind a mutex: each thread takes
// the next index until there is none.
//
//	for { mu.Lock(); i := next; next++; mu.Unlock(); if i >= n { return }; work(i) }
//
// No object of the run is a queue, and yet it is one: with more threads each
// takes less. The pattern shows in the run: every thread comes to the same
// short region again and again, computes after each stay but the last, and
// hardly before the first. (Regions that collect results have the work before
// them.) Where the region is left at another place when nothing is left,
// counters.go has seen it already.

// Indices puts a task queue in the place of such regions. Whoever
// starts the threads of a pool puts as many tasks into the queue as they took
// in the run.
func Indices(tr *trail.Trail) {
	for _, g := range tr.Modelled {
		if g.Kind != trail.PoolFixed || g.MaxAlive < 2 || g.Parent == nil || !tr.IsSpawned(g) || trail.FetchesTasks(g) {
			continue // one thread shares nothing; fetchesTasks: its work comes from a queue already
		}
		at, shared := counterOf(g)
		if shared == nil {
			continue
		}
		n := at.first
		r := &trail.Resource{ID: fmt.Sprintf("work of %s", g.Name), Kind: core.Channel, Task: true, Fed: true, Capacity: core.Unbounded, Place: n.Place}
		tr.Resources = append(tr.Resources, r)
		tr.Nodes.Scope = g.Name
		take := tr.Nodes.Of(trace.OpTryReceive, n.Site)
		number(shared)
		for _, x := range shared {
			for _, q := range x.threads {
				takeTasks(q, x, at, take, r)
			}
		}
		for _, starter := range tr.Pools {
			for _, q := range starter.Sequences {
				shareOut(q, tr.Nodes, shared, r)
			}
		}
		tr.Assume(fmt.Sprintf("pool %s takes work from a counter at %s: it is modelled as a queue", g.Name, trace.ShortPlace(n.Place)))
	}
}

// counterPlace is where threads come to a counter: an operation that locks it, or those of one statement, whatever calls lead there.
type counterPlace struct {
	first *trail.Node
	nodes map[*trail.Node]bool
}

// counterOf returns where threads of a pool come to its counter, and what it shares out among each generation of
// threads; nil if it has none.
func counterOf(g *trail.Pool) (counterPlace, []*sharing) {
	stays := map[*trail.Node]int{} // threads with nothing but regions there
	locks := map[*trail.Node]*trail.Resource{}
	var order []*trail.Node
	for _, q := range g.Sequences {
		if q.Cut {
			return counterPlace{}, nil
		}
		seen, other := map[*trail.Node]bool{}, map[*trail.Node]bool{}
		for _, r := range q.Regions() {
			n := q.Steps[r.First].Node
			seen[n], locks[n] = true, r.Lock
			other[n] = other[n] || r.Lock.Kind != core.Mutex || r.Last != r.First+1
		}
		for i := range q.Steps {
			n := q.Steps[i].Node
			if seen[n] && !other[n] {
				if stays[n] == 0 {
					order = append(order, n)
				}
				stays[n]++
			}
			delete(seen, n)
		}
	}
	for _, at := range places(order, locks) {
		if slices.ContainsFunc(g.Sequences, func(q *trail.Sequence) bool { return lastAt(q, at) < 0 }) || !slices.ContainsFunc(order, func(n *trail.Node) bool { return at.nodes[n] && stays[n] == len(g.Sequences) }) {
			continue
		}
		for _, vain := range []staySteps{inVain(g, at), onlyLast(g, at)} {
			if shared := handsOut(g, at, vain); shared != nil {
				return at, shared
			}
		}
	}
	return counterPlace{}, nil
}

// places returns each of these operations alone, and then those of one statement, with one lock, together.
func places(order []*trail.Node, locks map[*trail.Node]*trail.Resource) (all []counterPlace) {
	var together []counterPlace
	for _, n := range order {
		all = append(all, counterPlace{n, map[*trail.Node]bool{n: true}})
		i := slices.IndexFunc(together, func(a counterPlace) bool {
			return locks[a.first] == locks[n] && a.first.Op == n.Op && a.first.Place == n.Place
		})
		if i < 0 {
			i, together = len(together), append(together, counterPlace{n, map[*trail.Node]bool{}})
		}
		together[i].nodes[n] = true
	}
	return append(all, slices.DeleteFunc(together, func(a counterPlace) bool { return len(a.nodes) == 1 })...)
}

// number tells the queues of rounds apart.
func number(shared []*sharing) {
	next := uint64(roundObject)
	for _, x := range shared {
		for k := range x.rounds {
			if len(x.rounds) > 1 {
				x.rounds[k].object = next
				next++
			}
		}
	}
}

// roundObject is above the number of any object of a program's, and below those of normalise.
const roundObject = 1 << 61

// takeTasks puts an attempt to take a task in the place of every stay there.
func takeTasks(q *trail.Sequence, x *sharing, at counterPlace, take *trail.Node, r *trail.Resource) {
	round, inside := 0, false
	q.Rewrite(func(i int, s trail.Step) []trail.Step {
		switch {
		case at.nodes[s.Node]:
			inside = true
			s.Node, s.Lock, s.Object, s.Result = take, r, x.rounds[round].object, 1
			if x.vain[q][i] {
				s.Result = 0
				round++
			}
			return []trail.Step{s}
		case inside:
			inside = false
			return nil // the release
		}
		return []trail.Step{s}
	})
}

// shareOut puts the tasks of every generation of the pool into its queue before it is started.
func shareOut(q *trail.Sequence, nodes *trail.NodeTable, shared []*sharing, r *trail.Resource) {
	of := map[int64]*sharing{} // by thread
	for _, x := range shared {
		for _, t := range x.threads {
			of[t.Thread.ID] = x
		}
	}
	begun := map[*sharing]bool{}
	q.Rewrite(func(_ int, s trail.Step) []trail.Step {
		x := of[int64(s.Value)]
		if s.Node.Op != trace.OpSpawn || s.Node.Virtual != "" || x == nil || begun[x] {
			return []trail.Step{s}
		}
		begun[x] = true
		var steps []trail.Step
		for _, k := range x.rounds {
			out := trail.Mark(nodes.Virtual("share out", s.Node, core.OutFragment), &s)
			out.Lock, out.Object, out.Starts = r, k.object, k.taken
			steps = append(steps, out)
		}
		return append(steps, s)
	})
}
