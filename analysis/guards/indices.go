package guards

import (
	"fmt"
	"math"

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

// idleShare is the part of the work on one index that a thread may compute
// before its first and after its last stay. Convention, sensitivity strong.
const idleShare = 0.2

// takenShare is the least part of the CPU time of its threads that a counter
// must hand out: most of it. Convention, sensitivity strong.
const takenShare = 0.5

// Indices puts a task queue in the place of such regions. Whoever
// starts the threads of a pool puts as many tasks into the queue as they took
// in the run.
func Indices(tr *trail.Trail) {
	for _, g := range tr.Modelled {
		if g.Kind != trail.PoolFixed || g.MaxAlive < 2 || g.Parent == nil || !tr.IsSpawned(g) || trail.FetchesTasks(g) {
			continue // one thread shares nothing; fetchesTasks: its work comes from a queue already
		}
		n := counterOf(g)
		if n == nil {
			continue
		}
		r := &trail.Resource{ID: fmt.Sprintf("work of %s", g.Name), Kind: core.Channel, Task: true, Fed: true, Capacity: core.Unbounded, Place: n.Place}
		tr.Resources = append(tr.Resources, r)
		tr.Nodes.Scope = g.Name
		take := tr.Nodes.Of(trace.OpTryReceive, n.Site)
		tasks := map[int64]int64{} // taken, by thread
		for _, q := range g.Sequences {
			tasks[q.Thread.ID] = takeTasks(q, n, take, r)
		}
		for _, starter := range tr.Pools {
			for _, q := range starter.Sequences {
				shareOut(q, tr.Nodes, g, tasks, r)
			}
		}
		tr.Assume(fmt.Sprintf("pool %s takes work from a counter at %s: it is modelled as a queue", g.Name, trace.ShortPlace(n.Place)))
	}
}

// counterOf returns the operation that locks the counter of a pool, nil if it
// has none.
func counterOf(g *trail.Pool) *trail.Node {
	stays := map[*trail.Node]int{} // threads with regions there
	var order []*trail.Node
	for _, q := range g.Sequences {
		if q.Cut {
			return nil
		}
		seen, other := map[*trail.Node]bool{}, map[*trail.Node]bool{}
		for _, r := range q.Regions() {
			n := q.Steps[r.First].Node
			seen[n] = true
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
	for _, n := range order {
		if stays[n] == len(g.Sequences) && handsOut(g, n) {
			return n
		}
	}
	return nil
}

// handsOut reports whether all work of a pool comes after stays at n, and
// nobody gets any after somebody got none.
func handsOut(g *trail.Pool, n *trail.Node) bool {
	var head, work, tail, taken, lastTake int64
	firstNone := int64(math.MaxInt64)
	for _, q := range g.Sequences {
		first, since, at := true, int64(0), int64(0)
		for i := range q.Steps {
			s := &q.Steps[i]
			since += s.Gap
			if s.Node != n {
				continue
			}
			if first {
				head += since
			} else {
				work += since
				taken++
				lastTake = max(lastTake, at)
			}
			first, since, at = false, 0, s.End
		}
		tail += since
		firstNone = min(firstNone, at)
	}
	threads := int64(len(g.Sequences))
	if taken <= threads || lastTake > firstNone {
		return false
	}
	idle := idleShare * float64(work) / float64(taken) * float64(threads)
	return float64(head) < idle && float64(tail) < idle && float64(work) > takenShare*float64(head+work+tail)
}

// takeTasks puts an attempt to take a task in the place of every stay at n;
// the last one gets none. It returns how many got one.
func takeTasks(q *trail.Sequence, n, take *trail.Node, r *trail.Resource) int64 {
	last := 0
	for i := range q.Steps {
		if q.Steps[i].Node == n {
			last = i
		}
	}
	var taken int64
	inside := false
	q.Rewrite(func(i int, s trail.Step) []trail.Step {
		switch {
		case s.Node == n:
			inside = true
			s.Node, s.Lock, s.Object, s.Result = take, r, 0, 0
			if i < last {
				s.Result = 1
				taken++
			}
			return []trail.Step{s}
		case inside:
			inside = false
			return nil // the release
		}
		return []trail.Step{s}
	})
	return taken
}

// shareOut puts the tasks of every generation of the pool into its queue
// before it is started.
func shareOut(q *trail.Sequence, nodes *trail.NodeTable, g *trail.Pool, tasks map[int64]int64, r *trail.Resource) {
	first := map[int]int64{} // first spawn of a generation: its tasks
	at, n := -1, 0
	for i := range q.Steps {
		s := &q.Steps[i]
		if s.Node.Op != trace.OpSpawn || s.Node.Virtual != "" {
			continue
		}
		k, ok := tasks[int64(s.Value)]
		if !ok {
			continue
		}
		if n%g.MaxAlive == 0 {
			at = i
		}
		n++
		first[at] += k
	}
	q.Rewrite(func(i int, s trail.Step) []trail.Step {
		k := first[i]
		if k == 0 {
			return []trail.Step{s}
		}
		out := trail.Mark(nodes.Virtual("share out", s.Node, core.OutFragment), &s)
		out.Lock, out.Starts = r, k
		return []trail.Step{out, s}
	})
}
