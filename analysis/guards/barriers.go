package guards

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// findBarriers recognises cyclic barriers made of a mutex, a condition
// variable and a counter, and puts one operation in place of the region. "When
// the combination of low-level primitives is used to implement a high-level
// lock, the probabilistic call graph may not be able to capture the
// deterministic behavior of such lock … this behavior will be reflected as a
// fork with the probability of lifting the barrier equal to 1/(barrier
// capacity)" (Tarvo & Reiss 2014, §4.2): the paper gives up here; the run
// shows the capacity, as the same number of threads waits at every broadcast.
func findBarriers(rs []*trail.Resource, gs []*trail.Pool, nodes *trail.NodeTable) {
	var found []*trail.Resource
	locked := underLocks()
	for _, r := range rs {
		if r.Kind != core.Condition {
			continue
		}
		if n := partiesOf(r, locked); n > 0 {
			r.Parties = n
			for _, u := range r.Uses {
				r.MadeIn = append(r.MadeIn, u.Step().Node.Place.Function)
			}
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		return
	}
	for _, g := range gs {
		for _, q := range g.Sequences {
			replaceBarriers(q, nodes)
		}
	}
	for _, r := range found {
		r.Kind, r.Monitor = core.Barrier, nil
	}
}

// underLocks returns what tells whether a thread is in a region under a lock at a step.
func underLocks() func(*trail.Sequence, int) bool {
	regions := map[*trail.Sequence][]trail.Region{}
	return func(q *trail.Sequence, at int) bool {
		rs, known := regions[q]
		if !known {
			rs = q.Regions()
			regions[q] = rs
		}
		return slices.ContainsFunc(rs, func(r trail.Region) bool { return r.First < at && at < r.Last })
	}
}

// partiesOf returns how many threads a condition variable holds back until
// the last one wakes them, 0 if that is not a constant. The last one counts and wakes
// under the lock, and is one of a pool that waits in other rounds: who wakes others outside of it,
// or never waits with them, tells them something else, as that all they brought is done.
func partiesOf(r *trail.Resource, locked func(*trail.Sequence, int) bool) int {
	type event struct {
		at   int64
		lift bool
	}
	var es []event
	waits, lifting := map[*trail.Pool]bool{}, map[*trail.Pool]bool{}
	for _, u := range r.Uses {
		s := &u.Sequence.Steps[u.Index]
		switch s.Node.Op {
		case trace.OpCondWait:
			waits[u.Pool] = true
			es = append(es, event{s.Start, false})
		case trace.OpBroadcast:
			if !locked(u.Sequence, u.Index) {
				return 0
			}
			lifting[u.Pool] = true
			es = append(es, event{s.Start, true})
		case trace.OpSignal:
			return 0
		}
	}
	for g := range lifting {
		if !waits[g] {
			return 0
		}
	}
	slices.SortStableFunc(es, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	waiting, parties, lifts := 0, 0, 0
	for _, e := range es {
		if !e.lift {
			waiting++
			continue
		}
		lifts++
		if parties == 0 {
			parties = waiting + 1
		}
		if waiting+1 != parties {
			return 0
		}
		waiting = 0
	}
	if lifts < 2 || parties < 2 {
		return 0
	}
	return parties
}

// replaceBarriers puts a barrier operation in the place of every region that
// waits for or lifts a barrier.
func replaceBarriers(q *trail.Sequence, nodes *trail.NodeTable) {
	type barrier struct {
		last int
		lock *trail.Resource
		by   uint64
	}
	regions := map[int]barrier{}
	inside := map[int]bool{}
	for _, r := range q.Regions() {
		if q.Steps[r.First].Node.Op != trace.OpLock || inside[r.First] {
			continue
		}
		b := barrier{last: r.Last}
		for j := r.First + 1; j < r.Last; j++ {
			if s := &q.Steps[j]; s.Lock != nil && s.Lock.Parties > 0 && (s.Node.Op == trace.OpCondWait || s.Node.Op == trace.OpBroadcast) {
				b.lock, b.by = s.Lock, s.Object
			}
		}
		if b.lock == nil {
			continue
		}
		regions[r.First] = b
		for j := r.First; j <= r.Last; j++ {
			inside[j] = true
		}
	}
	if len(regions) == 0 {
		return
	}
	q.Rewrite(func(i int, s trail.Step) []trail.Step {
		r, ok := regions[i]
		switch {
		case ok:
			n := nodes.Virtual("barrier", s.Node, core.SyncFragment)
			n.Op = trace.OpBarrier
			return []trail.Step{{Node: n, Gap: s.Gap + s.CPU, GapWall: s.GapWall, Start: s.Start,
				End: q.Steps[r.last].End, Object: r.by, Lock: r.lock}}
		case inside[i]:
			return nil
		}
		return []trail.Step{s}
	})
}

// FindBarriers recognises home-made barriers.
func FindBarriers(tr *trail.Trail) {
	findBarriers(tr.Resources, tr.Pools, tr.Nodes)
}
