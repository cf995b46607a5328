package analysis

import "tierscope/core"

// threadsOf maps thread ids to their groups.
func threadsOf(gs []*group) map[int64]*group {
	m := map[int64]*group{}
	for _, g := range gs {
		for _, th := range g.threads {
			m[th.ID] = g
		}
	}
	return m
}

// endSignal returns the group whose threads each do the given thing exactly
// once, if nobody else does it: the thing says that a thread has ended.
func endSignal(uses []use, is func(*step) bool, gs []*group) *group {
	per := map[*sequence]int{}
	var by *group
	for _, u := range uses {
		if !is(&u.seq.steps[u.step]) {
			continue
		}
		if by != nil && u.group != by {
			return nil
		}
		by = u.group
		per[u.seq]++
		if per[u.seq] > 1 {
			return nil
		}
	}
	if by == nil || by.parent == nil || len(per) != len(by.seqs) {
		return nil
	}
	return by
}

// markJoins puts joins in the place of wait groups and end channels on which
// every thread of a group reports once in its life. The join waits for as
// many threads as were started, whatever the size of the pool; the counter
// of the program was right for the size of the measuring run only.
func markJoins(rs []*resource, gs []*group, nodes *nodeTable, has func(*group) bool) {
	joins := map[*resource]*group{}
	for _, r := range rs {
		switch r.kind {
		case core.Latch:
			if g := endSignal(r.uses, func(s *step) bool { return s.node.op == OpDone || s.node.op == OpAdd && s.arg < 0 }, gs); g != nil && has(g) {
				joins[r] = g
			}
		case core.Channel:
			g := endSignal(r.uses, func(s *step) bool { return channelOp(s) == core.Send }, gs)
			if g != nil && has(g) && !r.task && receivesAll(r, g) {
				joins[r] = g
			}
		case core.Mutex, core.Monitor, core.RWLock, core.Semaphore, core.Barrier, core.Condition, core.Once,
			core.BlockingQueue, core.Park, core.Phaser, core.Exchanger: // nothing reports an end there
		}
	}
	of := threadsOf(gs)
	for _, g := range gs {
		for _, q := range g.seqs {
			started, ended := map[*group]int{}, map[*group]int{}
			q.rewrite(func(i int, s step) []step {
				if s.node.op == OpSpawn && s.node.virtual == "" {
					started[of[int64(s.value)]]++
				}
				if s.node.op == OpJoin && s.node.virtual == "" {
					// The last of as many as were started waits for all.
					child := of[int64(s.value)]
					if child == nil || !has(child) {
						return nil
					}
					if ended[child]++; ended[child] < started[child] {
						return nil
					}
					return []step{joined(nodes, child, s)}
				}
				child := joins[s.lock]
				if s.lock == nil || child == nil {
					return []step{s}
				}
				switch {
				case s.node.op == OpWaitGroup:
				case s.lock.kind == core.Channel && channelOp(&s) == core.Receive && s.received():
					// The last of as many as were started waits for all.
					if ended[child]++; ended[child] < started[child] {
						return nil
					}
				default:
					return nil
				}
				return []step{joined(nodes, child, s)}
			})
		}
	}
}

// joined returns the join that takes the place of s.
func joined(nodes *nodeTable, child *group, s step) step {
	n := nodes.virtual("join", s.node, core.JoinFragment)
	n.child = child
	return step{node: n, gap: s.gap, gapWall: s.gapWall, start: s.start, end: s.end, cpu: s.cpu, open: s.open}
}

// receivesAll reports whether the group's parent receives one thing from each
// of its threads.
func receivesAll(r *resource, g *group) bool {
	n := 0
	for _, u := range r.uses {
		s := &u.seq.steps[u.step]
		if channelOp(s) != core.Receive || !s.received() {
			continue
		}
		if u.group != g.parent || s.node.op == OpSelect {
			return false
		}
		n++
	}
	return n == len(g.seqs)
}

// markSpawns gives every creation of a thread a node that knows the group,
// leaves out those of groups that the model does not have, and puts one spawn
// in the place of a burst that starts a whole pool.
func markSpawns(gs []*group, nodes *nodeTable, has func(*group) bool) {
	of := threadsOf(gs)
	for _, g := range gs {
		for _, q := range g.seqs {
			q.rewrite(func(i int, s step) []step {
				if s.node.op != OpSpawn || s.node.virtual != "" {
					return []step{s}
				}
				child := of[int64(s.value)]
				if child == nil || !has(child) {
					return nil
				}
				n := nodes.virtual("spawn "+child.name, s.node, core.SpawnFragment)
				n.child = child
				s.node = n
				return []step{s}
			})
		}
	}
	for _, child := range gs {
		if child.kind == GroupFixed && has(child) && inBursts(child, gs) {
			for _, g := range gs {
				for _, q := range g.seqs {
					q.gatherBursts(child)
				}
			}
			child.burst = true
		}
	}
}

// inBursts reports whether all threads of a pool are always started one right
// after the other, as many as the pool has.
func inBursts(child *group, gs []*group) bool {
	for _, g := range gs {
		for _, q := range g.seqs {
			run := 0
			for i := range q.steps {
				if q.steps[i].node.child == child && q.steps[i].node.class == core.SpawnFragment {
					run++
					continue
				}
				if run > 0 && run != child.maxAlive {
					return false
				}
				run = 0
			}
			if run > 0 && run != child.maxAlive {
				return false
			}
		}
	}
	return true
}

// gatherBursts keeps the last spawn of every burst.
func (q *sequence) gatherBursts(child *group) {
	spawns := func(i int) bool {
		return i < len(q.steps) && q.steps[i].node.child == child && q.steps[i].node.class == core.SpawnFragment
	}
	last := map[int]bool{}
	for i := range q.steps {
		last[i] = spawns(i) && !spawns(i+1)
	}
	steps := q.steps
	q.rewrite(func(i int, s step) []step {
		if steps[i].node.child == child && steps[i].node.class == core.SpawnFragment && !last[i] {
			return nil
		}
		return []step{s}
	})
}
