package pools

import (
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// A pool may start a worker when there is work for it and there are not enough
// of them yet:
//
//	if running < size { running++; go worker() }
//	work <- task
//
// To a graph of probabilities that is a worker for every so-many-th task, as
// likely late as early, and more or fewer of them than the pool has. Workers that
// begin by waiting for work may as well be there from the start.

// LazyPools finds such pools, all of whose threads live to the end.
func LazyPools(tr *trail.Trail) {
	for _, g := range tr.Modelled {
		if len(g.Threads) == g.MaxAlive && tr.IsSpawned(g) && awaitsWork(g) {
			g.Lazy = startedNowAndThen(tr, g) || startedUnevenly(g)
		}
	}
}

// awaitsWork reports whether the threads of a pool wait for something before
// they do anything else, or look for it under a lock: where they find none, they wait.
func awaitsWork(g *trail.Pool) bool {
	looks := map[*trail.Node]bool{}
	for _, q := range g.Sequences {
		for i := 1; i < len(q.Steps); i++ {
			if q.Steps[i].Node.Op == trace.OpCondWait && q.Steps[i-1].Node.Op == trace.OpLock {
				looks[q.Steps[i-1].Node] = true
			}
		}
	}
	for _, q := range g.Sequences {
		if len(q.Steps) < 2 {
			return false
		}
		switch q.Steps[1].Node.Op {
		case trace.OpReceive, trace.OpSelect, trace.OpCondWait, trace.OpAcquire:
		default:
			if !looks[q.Steps[1].Node] {
				return false
			}
		}
	}
	return true
}

// startedNowAndThen reports whether whoever starts threads of a pool does
// something else, more often, before and after the last of them.
func startedNowAndThen(tr *trail.Trail, g *trail.Pool) bool {
	of := trail.ThreadsOf(tr.Pools)
	for _, starter := range tr.Modelled {
		for _, q := range starter.Sequences {
			last, starts := -1, 0
			for i := range q.Steps {
				if s := &q.Steps[i]; s.Node.Op == trace.OpSpawn && of[int64(s.Value)] == g {
					last = i
					starts++
				}
			}
			if last < 0 {
				continue
			}
			before, times := map[*trail.Node]bool{}, map[*trail.Node]int{}
			for i := range q.Steps {
				n := q.Steps[i].Node
				if times[n]++; i < last {
					before[n] = true
				} else if before[n] && times[n] > starts && n.Op != trace.OpSpawn {
					return true
				}
			}
		}
	}
	return false
}

// startedUnevenly reports whether several threads that are alike have started threads of a pool, and not as many each: whoever
// came first when there were not enough.
func startedUnevenly(g *trail.Pool) bool {
	starts := map[int64]int{}
	for _, th := range g.Threads {
		starts[th.Parent]++
	}
	if len(starts) < 2 {
		return false
	}
	first := g.Parent.Threads[0]
	return slices.ContainsFunc(g.Parent.Threads, func(th *trace.Thread) bool { return starts[th.ID] != starts[first.ID] })
}

// startAtOnce lets the thread that starts all of a lazy pool do so when it
// begins.
func startAtOnce(q *trail.Sequence, child *trail.Pool) {
	var first *trail.Step
	q.Rewrite(func(_ int, s trail.Step) []trail.Step {
		if s.Node.Class != core.SpawnFragment || s.Node.Child != child {
			return []trail.Step{s}
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
	s.Gap, s.GapWall, s.CPU = 0, 0, 0
	s.Start, s.End = q.Steps[0].End, q.Steps[0].End
	q.Steps = append([]trail.Step{q.Steps[0], s}, q.Steps[1:]...)
}
