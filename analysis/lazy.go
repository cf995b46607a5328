package analysis

import "tierscope/core"

// A pool may start a worker when there is work for it and there are not enough
// of them yet:
//
//	if running < size { running++; go worker() }
//	work <- task
//
// To a graph of probabilities that is a worker for every so-many-th task, as
// likely late as early, and more or fewer of them than the pool has. Workers that
// begin by waiting for work may as well be there from the start.

// lazyPools finds such pools, all of whose threads live to the end.
func (b *build) lazyPools() {
	for _, g := range b.modelled {
		if len(g.threads) == g.maxAlive && b.isSpawned(g) && awaitsWork(g) {
			g.lazy = b.startedNowAndThen(g)
		}
	}
}

// awaitsWork reports whether the threads of a group wait for something before
// they do anything else.
func awaitsWork(g *group) bool {
	for _, q := range g.seqs {
		if len(q.steps) < 2 {
			return false
		}
		switch q.steps[1].node.op {
		case OpReceive, OpSelect, OpCondWait, OpAcquire:
		default:
			return false
		}
	}
	return true
}

// startedNowAndThen reports whether whoever starts threads of a group does
// something else, more often, before and after the last of them.
func (b *build) startedNowAndThen(g *group) bool {
	of := threadsOf(b.groups)
	for _, starter := range b.modelled {
		for _, q := range starter.seqs {
			last, starts := -1, 0
			for i := range q.steps {
				if s := &q.steps[i]; s.node.op == OpSpawn && of[int64(s.value)] == g {
					last = i
					starts++
				}
			}
			if last < 0 {
				continue
			}
			before, times := map[*node]bool{}, map[*node]int{}
			for i := range q.steps {
				n := q.steps[i].node
				if times[n]++; i < last {
					before[n] = true
				} else if before[n] && times[n] > starts && n.op != OpSpawn {
					return true
				}
			}
		}
	}
	return false
}

// startAtOnce lets the thread that starts all of a lazy pool do so when it
// begins.
func (q *sequence) startAtOnce(child *group) {
	var first *step
	q.rewrite(func(_ int, s step) []step {
		if s.node.class != core.SpawnFragment || s.node.child != child {
			return []step{s}
		}
		if first == nil {
			first = &s
		}
		return nil
	})
	if first == nil {
		return
	}
	s := *first
	s.gap, s.gapWall, s.cpu = 0, 0, 0
	s.start, s.end = q.steps[0].end, q.steps[0].end
	q.steps = append([]step{q.steps[0], s}, q.steps[1:]...)
}
