package analysis

import (
	"cmp"
	"slices"

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
func findBarriers(rs []*resource, gs []*group, nodes *nodeTable) []*resource {
	var found []*resource
	for _, r := range rs {
		if r.kind != core.Condition {
			continue
		}
		if n := partiesOf(r); n > 0 {
			r.parties = n
			for _, u := range r.uses {
				r.madeIn = append(r.madeIn, u.of().node.place.Function)
			}
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		return nil
	}
	for _, g := range gs {
		for _, q := range g.seqs {
			q.replaceBarriers(nodes)
		}
	}
	for _, r := range found {
		r.kind, r.monitor = core.Barrier, nil
	}
	return found
}

// partiesOf returns how many threads a condition variable holds back until
// the last one wakes them, 0 if that is not a constant.
func partiesOf(r *resource) int {
	type event struct {
		at   int64
		lift bool
	}
	var es []event
	for _, u := range r.uses {
		s := &u.seq.steps[u.step]
		switch s.node.op {
		case OpCondWait:
			es = append(es, event{s.start, false})
		case OpBroadcast:
			es = append(es, event{s.start, true})
		case OpSignal:
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
func (q *sequence) replaceBarriers(nodes *nodeTable) {
	type region struct {
		last int
		lock *resource
		by   uint64
	}
	regions := map[int]region{}
	inside := map[int]bool{}
	for i := range q.steps {
		if q.steps[i].node.op != OpLock || inside[i] {
			continue
		}
		var r region
		for j := i + 1; j < len(q.steps); j++ {
			s := &q.steps[j]
			if s.lock != nil && s.lock.parties > 0 && (s.node.op == OpCondWait || s.node.op == OpBroadcast) {
				r.lock, r.by = s.lock, s.object
			}
			if s.node.op == OpUnlock && s.object == q.steps[i].object {
				r.last = j
				break
			}
		}
		if r.last == 0 || r.lock == nil {
			continue
		}
		regions[i] = r
		for j := i; j <= r.last; j++ {
			inside[j] = true
		}
	}
	if len(regions) == 0 {
		return
	}
	q.rewrite(func(i int, s step) []step {
		r, ok := regions[i]
		switch {
		case ok:
			n := nodes.virtual("barrier", s.node, core.SyncFragment)
			n.op = OpBarrier
			return []step{{node: n, gap: s.gap + s.cpu, gapWall: s.gapWall, start: s.start,
				end: q.steps[r.last].end, object: r.by, lock: r.lock}}
		case inside[i]:
			return nil
		}
		return []step{s}
	})
}

// findBarriers recognises home-made barriers.
func (b *build) findBarriers() {
	if findBarriers(b.resources, b.groups, b.nodes) != nil {
		b.collectUses()
	}
}
