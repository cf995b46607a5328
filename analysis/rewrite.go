package analysis

import "tierscope/core"

// rewrite replaces every step by the steps that f returns. A step for which f
// returns none is taken out, and its CPU time joins the computation around
// it: nothing that Build removes takes time or probability mass with it,
// because the graph is counted after the removal. The first of the returned
// steps keeps the gap before the replaced one.
func (q *sequence) rewrite(f func(i int, s step) []step) {
	out := make([]step, 0, len(q.steps))
	var cpu, wall int64
	for i, s := range q.steps {
		by := f(i, s)
		if len(by) == 0 {
			cpu += s.gap + s.cpu
			wall += s.gapWall + s.wall()
			continue
		}
		by[0].gap += cpu
		by[0].gapWall += wall
		cpu, wall = 0, 0
		out = append(out, by...)
	}
	if len(out) > 0 && cpu > 0 {
		// Nothing follows: the thread was cut off by the end of the recording.
		out[len(out)-1].cpu += cpu
	}
	q.steps = out
}

// mark returns a step of a virtual node at the moment when s begins, which
// takes over the gap before s.
func mark(n *node, s *step) step {
	m := step{node: n, gap: s.gap, gapWall: s.gapWall, start: s.start, end: s.start, folded: s.folded}
	s.gap, s.gapWall = 0, 0
	return m
}

// chargeOperations adds the CPU time inside operations to the computations
// around them: that of a release to the one after, so that it is not spent
// holding the lock, that of all others to the one before. Waking another
// thread costs the waker up to wake ns, which the simulated CPU charges
// itself; it is not charged twice.
func chargeOperations(q *sequence, wake int64) {
	for i := range q.steps {
		s := &q.steps[i]
		cost := s.cpu
		if wakes(s.node.op) && cost > wake/2 {
			cost = max(0, cost-wake)
		}
		if releases(s.node.op) {
			if i+1 < len(q.steps) {
				q.steps[i+1].gap += cost
				s.cpu = 0
			}
			continue
		}
		s.gap += cost
		s.cpu = 0
	}
}

// wakes reports whether an operation can make another thread ready.
func wakes(op Op) bool {
	switch op {
	case OpSend, OpReceive, OpTrySend, OpTryReceive, OpSelect, OpClose, OpUnlock, OpRUnlock, OpDone, OpSignal,
		OpBroadcast, OpRelease, OpBarrier, OpUnpark, OpSpawn:
		return true
	}
	return false
}

// releases reports whether an operation ends a region.
func releases(op Op) bool { return op == OpUnlock || op == OpRUnlock || op == OpRelease }

// acquires reports whether an operation begins a region, with the operation
// that ends it.
func acquires(op Op) (Op, bool) {
	switch op {
	case OpLock, OpTryLock:
		return OpUnlock, true
	case OpRLock, OpTryRLock:
		return OpRUnlock, true
	case OpAcquire, OpTryAcquire:
		return OpRelease, true
	}
	return OpNone, false
}

// succeeded reports whether a try got what it wanted, and a call of a Once its
// turn to run the function; operations that wait always do. A receive from a
// channel that is closed does not wait, so it is none that failed.
func (s *step) succeeded() bool {
	if s.node.op == OpTryReceive {
		return s.result != 0
	}
	return s.result == 1 || !tries(s.node.op)
}

// tries reports whether an operation may end without having done anything.
func tries(op Op) bool {
	switch op {
	case OpTryLock, OpTryRLock, OpTryAcquire, OpTrySend, OpTryReceive, OpOnce:
		return true
	}
	return false
}

// held calls f for every step with the resources that the thread holds in the
// gap before it.
func (q *sequence) held(f func(i int, locks []*resource)) {
	type hold struct {
		object uint64
		by     Op
		lock   *resource
	}
	var holds []hold
	var locks []*resource
	for i := range q.steps {
		f(i, locks)
		s := &q.steps[i]
		if s.lock == nil || s.node.class != core.SyncFragment {
			continue
		}
		if by, ok := acquires(s.node.op); ok && s.succeeded() {
			holds = append(holds, hold{s.object, by, s.lock})
			locks = append(locks[:len(locks):len(locks)], s.lock)
			continue
		}
		for j := len(holds) - 1; j >= 0; j-- {
			if holds[j].object == s.object && holds[j].by == s.node.op {
				holds = append(holds[:j:j], holds[j+1:]...)
				locks = append(locks[:j:j], locks[j+1:]...)
				break
			}
		}
	}
}
