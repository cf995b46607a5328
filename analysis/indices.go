package analysis

import (
	"fmt"
	"math"

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
// before its first and after its last stay.
const idleShare = 0.2

// takenShare is the least part of the CPU time of its threads that a counter
// must hand out.
const takenShare = 0.5

// shareCounters puts a task queue in the place of such regions. Whoever
// starts the threads of a pool puts as many tasks into the queue as they took
// in the run.
func (b *build) shareCounters() {
	for _, g := range b.modelled {
		if g.kind != GroupFixed || g.maxAlive < 2 || g.parent == nil || !b.isSpawned(g) || fetchesTasks(g) {
			continue // one thread shares nothing; fetchesTasks: its work comes from a queue already
		}
		n := counterOf(g)
		if n == nil {
			continue
		}
		r := &resource{id: fmt.Sprintf("work of %s", g.name), kind: core.Channel, task: true, fed: true, capacity: core.Unbounded, place: n.place}
		b.resources = append(b.resources, r)
		b.nodes.scope = g.name
		take := b.nodes.of(OpTryReceive, n.site)
		tasks := map[int64]int64{} // taken, by thread
		for _, q := range g.seqs {
			tasks[q.thread.ID] = q.takeTasks(n, take, r)
		}
		for _, starter := range b.groups {
			for _, q := range starter.seqs {
				q.shareOut(b.nodes, g, tasks, r)
			}
		}
		b.assume(fmt.Sprintf("pool %s takes work from a counter at %s: it is modelled as a queue", g.name, shortPlace(n.place)))
	}
}

// counterOf returns the operation that locks the counter of a pool, nil if it
// has none.
func counterOf(g *group) *node {
	stays := map[*node]int{} // threads with regions there
	var order []*node
	for _, q := range g.seqs {
		if q.cut {
			return nil
		}
		seen, other := map[*node]bool{}, map[*node]bool{}
		for _, r := range q.regions() {
			n := q.steps[r.first].node
			seen[n] = true
			other[n] = other[n] || r.lock.kind != core.Mutex || r.last != r.first+1
		}
		for i := range q.steps {
			n := q.steps[i].node
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
		if stays[n] == len(g.seqs) && handsOut(g, n) {
			return n
		}
	}
	return nil
}

// handsOut reports whether all work of a pool comes after stays at n, and
// nobody gets any after somebody got none.
func handsOut(g *group, n *node) bool {
	var head, work, tail, taken, lastTake int64
	firstNone := int64(math.MaxInt64)
	for _, q := range g.seqs {
		first, since, at := true, int64(0), int64(0)
		for i := range q.steps {
			s := &q.steps[i]
			since += s.gap
			if s.node != n {
				continue
			}
			if first {
				head += since
			} else {
				work += since
				taken++
				lastTake = max(lastTake, at)
			}
			first, since, at = false, 0, s.end
		}
		tail += since
		firstNone = min(firstNone, at)
	}
	threads := int64(len(g.seqs))
	if taken <= threads || lastTake > firstNone {
		return false
	}
	idle := idleShare * float64(work) / float64(taken) * float64(threads)
	return float64(head) < idle && float64(tail) < idle && float64(work) > takenShare*float64(head+work+tail)
}

// takeTasks puts an attempt to take a task in the place of every stay at n;
// the last one gets none. It returns how many got one.
func (q *sequence) takeTasks(n, take *node, r *resource) int64 {
	last := 0
	for i := range q.steps {
		if q.steps[i].node == n {
			last = i
		}
	}
	var taken int64
	inside := false
	q.rewrite(func(i int, s step) []step {
		switch {
		case s.node == n:
			inside = true
			s.node, s.lock, s.object, s.result = take, r, 0, 0
			if i < last {
				s.result = 1
				taken++
			}
			return []step{s}
		case inside:
			inside = false
			return nil // the release
		}
		return []step{s}
	})
	return taken
}

// shareOut puts the tasks of every generation of the pool into its queue
// before it is started.
func (q *sequence) shareOut(nodes *nodeTable, g *group, tasks map[int64]int64, r *resource) {
	first := map[int]int64{} // first spawn of a generation: its tasks
	at, n := -1, 0
	for i := range q.steps {
		s := &q.steps[i]
		if s.node.op != OpSpawn || s.node.virtual != "" {
			continue
		}
		k, ok := tasks[int64(s.value)]
		if !ok {
			continue
		}
		if n%g.maxAlive == 0 {
			at = i
		}
		n++
		first[at] += k
	}
	q.rewrite(func(i int, s step) []step {
		k := first[i]
		if k == 0 {
			return []step{s}
		}
		out := mark(nodes.virtual("share out", s.node, core.OutFragment), &s)
		out.lock, out.starts = r, k
		return []step{out, s}
	})
}
