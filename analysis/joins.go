package analysis

import (
	"cmp"
	"slices"

	"tierscope/core"
)

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

// round is what happens to an object until somebody has waited for it. The wait
// group of the next step, or another one at the same address, has another round.
type round struct {
	object uint64
	n      int
}

// rounds are the ends of the waits for objects, in order. Those that overlap
// are of one round.
type rounds map[uint64][]int64

func roundsOf(uses []use) rounds {
	waits := map[uint64][]*step{}
	for _, u := range uses {
		if s := u.of(); s.node.op == OpWaitGroup && !s.open {
			waits[s.object] = append(waits[s.object], s)
		}
	}
	ends := rounds{}
	for object, ws := range waits {
		slices.SortFunc(ws, func(a, b *step) int { return cmp.Compare(a.end, b.end) })
		for _, w := range ws {
			if n := len(ends[object]); n > 0 && w.start < ends[object][n-1] {
				ends[object][n-1] = w.end
				continue
			}
			ends[object] = append(ends[object], w.end)
		}
	}
	return ends
}

// of returns the round in which something happened to an object.
func (r rounds) of(object uint64, at int64) round {
	n, _ := slices.BinarySearch(r[object], at)
	return round{object, n}
}

// reporters returns for every round the groups whose threads do the given
// thing with its object, if each of their threads does so exactly once in its
// life and nobody else does: the thing says that a thread has ended.
func reporters(uses []use, ends rounds, is func(*step) bool) map[round][]*group {
	per := map[*sequence]int{}
	threads := map[*group]int{}
	by := map[round][]*group{}
	for _, u := range uses {
		s := &u.seq.steps[u.step]
		if !is(s) {
			continue
		}
		if per[u.seq]++; per[u.seq] > 1 || u.group.parent == nil {
			return nil
		}
		threads[u.group]++
		if r := ends.of(s.object, s.start); !slices.Contains(by[r], u.group) {
			by[r] = append(by[r], u.group)
		}
	}
	for g, n := range threads {
		if n != len(g.seqs) {
			return nil
		}
	}
	return by
}

// markJoins puts joins in the place of wait groups and end channels on which
// every thread of some groups reports once in its life. The join waits for as
// many threads as were started, whatever the size of the pool; the counter
// of the program was right for the size of the measuring run only.
func markJoins(rs []*resource, gs []*group, nodes *nodeTable, has func(*group) bool) {
	type reports struct {
		ends rounds
		by   map[round][]*group
	}
	joins := map[*resource]reports{}
	all := func(by map[round][]*group, ok func(*group) bool) bool {
		for _, gs := range by {
			if slices.ContainsFunc(gs, func(g *group) bool { return !ok(g) }) {
				return false
			}
		}
		return len(by) > 0
	}
	for _, r := range rs {
		switch r.kind {
		case core.Latch:
			ends := roundsOf(r.uses)
			by := reporters(r.uses, ends, func(s *step) bool { return s.node.op == OpDone || s.node.op == OpAdd && s.arg < 0 })
			if all(by, has) && !outlived(r.uses, ends) {
				joins[r] = reports{ends, by}
			}
		case core.Channel:
			by := reporters(r.uses, nil, func(s *step) bool { return channelOp(s) == core.Send })
			one := groupsOf(by)
			if len(one) == 1 && has(one[0]) && !r.task && receivesAll(r, one[0]) && endsWithReport(r, one[0]) {
				joins[r] = reports{nil, by}
			}
		case core.Mutex, core.Monitor, core.RWLock, core.Semaphore, core.Barrier, core.Condition, core.Once,
			core.BlockingQueue, core.Park, core.Phaser, core.Exchanger: // nothing reports an end there
		}
	}
	of := threadsOf(gs)
	for _, g := range gs {
		for _, q := range g.seqs {
			started, ended, waited := map[*group]int{}, map[*group]int{}, map[*group]int64{}
			over := q.overAnyway(of)
			q.rewrite(func(i int, s step) []step {
				if s.node.op == OpSpawn && s.node.virtual == "" {
					started[of[int64(s.value)]] += int(max(1, s.starts))
				}
				if s.node.op == OpJoin && s.node.virtual == "" {
					// The last of as many as were started waits for all.
					child := of[int64(s.value)]
					if child == nil || !has(child) {
						return nil
					}
					ended[child]++
					for len(over[child]) > 0 && over[child][0] <= s.end {
						ended[child]++
						over[child] = over[child][1:]
					}
					if ended[child] < started[child] {
						waited[child] += s.wall()
						return nil
					}
					s.start, s.gapWall = s.start-waited[child], s.gapWall-waited[child] // what the others waited is its, not the computation's before it
					waited[child] = 0
					return []step{joined(nodes, child, s)}
				}
				reported, ok := joins[s.lock]
				if s.lock == nil || !ok {
					return []step{s}
				}
				switch {
				case s.node.op == OpWaitGroup:
					return joinedAll(nodes, reported.by[reported.ends.of(s.object, s.end)], g, s)
				case s.lock.kind == core.Channel && channelOp(&s) == core.Receive && s.received():
					// The last of as many as were started waits for all.
					child := groupsOf(reported.by)[0]
					if ended[child]++; ended[child] >= started[child] {
						return []step{joined(nodes, child, s)}
					}
				}
				return nil
			})
		}
	}
}

// overAnyway returns when the threads have ended that a thread has started and of which it
// joins others but not these, as who asks whether a thread is alive before it joins it; by
// group, in order.
func (q *sequence) overAnyway(of map[int64]*group) map[*group][]int64 {
	joined := map[int64]bool{}
	for _, s := range q.steps {
		if s.node.op == OpJoin && s.node.virtual == "" {
			joined[int64(s.value)] = true
		}
	}
	over := map[*group][]int64{}
	for _, s := range q.steps {
		g := of[int64(s.value)]
		if len(joined) == 0 || s.node.op != OpSpawn || s.node.virtual != "" || g == nil || joined[int64(s.value)] {
			continue
		}
		for _, th := range g.threads {
			if th.ID == int64(s.value) && th.Ended > 0 {
				over[g] = append(over[g], th.Ended)
			}
		}
	}
	for _, ends := range over {
		slices.Sort(ends)
	}
	return over
}

// outlived reports whether a thread still waited for something else when the wait for what it had
// reported was over: what it reported was the end of a task, of which each thread had
// one, and not its own. A join would wait for threads that wait for more tasks.
func outlived(uses []use, ends rounds) bool {
	for _, u := range uses {
		s := u.of()
		if s.node.op != OpDone && (s.node.op != OpAdd || s.arg >= 0) {
			continue
		}
		n := ends.of(s.object, s.start).n
		if n >= len(ends[s.object]) {
			continue
		}
		for i := u.step + 1; i < len(u.seq.steps); i++ {
			switch x := &u.seq.steps[i]; x.node.op {
			case OpReceive, OpSelect, OpCondWait:
				if x.end > ends[s.object][n] {
					return true
				}
			}
		}
	}
	return false
}

// groupsOf returns the groups that report to any of the objects.
func groupsOf(by map[round][]*group) []*group {
	var all []*group
	for _, gs := range by {
		for _, g := range gs {
			if !slices.Contains(all, g) {
				all = append(all, g)
			}
		}
	}
	return all
}

// joinedAll returns a join for each of the groups in the place of s, in which
// a thread of group g waits for them. It does not wait for its like: threads
// that work through a tree are started by whoever starts the first one
// (recursion.go).
func joinedAll(nodes *nodeTable, children []*group, g *group, s step) []step {
	var by []step
	// Who starts others is waited for before them: only then all are started.
	slices.SortStableFunc(children, func(a, b *group) int { return cmp.Compare(generation(a), generation(b)) })
	for _, child := range children {
		if child == g && g.tree {
			continue
		}
		j := joined(nodes, child, s)
		if len(by) > 0 {
			j.gap, j.gapWall, j.cpu, j.start = 0, 0, 0, j.end
		}
		by = append(by, j)
	}
	return by
}

// generation is how many groups stand between g and main.
func generation(g *group) int {
	n := 0
	for seen := map[*group]bool{}; g.parent != nil && !seen[g]; g = g.parent {
		seen[g] = true
		n++
	}
	return n
}

// joined returns the join that takes the place of s.
func joined(nodes *nodeTable, child *group, s step) step {
	n := nodes.virtual("join "+child.name, s.node, core.JoinFragment)
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

// endsWithReport reports whether the threads of a group wait for nothing after
// they have sent to r. One that does tells something else than its end.
func endsWithReport(r *resource, g *group) bool {
	for _, q := range g.seqs {
		sent := false
		for i := range q.steps {
			s := &q.steps[i]
			switch s.node.op {
			case OpReceive, OpSelect, OpWaitGroup, OpCondWait:
				if sent {
					return false
				}
			}
			sent = sent || s.lock == r && channelOp(s) == core.Send
		}
	}
	return true
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
		if child.lazy {
			for _, g := range gs {
				for _, q := range g.seqs {
					q.startAtOnce(child)
				}
			}
			child.burst = child.maxAlive
			continue
		}
		size := burstSize(child, gs)
		if !has(child) || child.tree || size < 2 && (child.kind != GroupFixed || size < child.maxAlive) {
			continue
		}
		for _, g := range gs {
			for _, q := range g.seqs {
				q.gatherBursts(child)
			}
		}
		child.burst = size
	}
}

// burstSize is the number of threads of a pool that are started together, if it
// is always the same: all of the pool, or, of a function that has workers of its
// own, all workers of one call. 0: it varies.
func burstSize(child *group, gs []*group) int {
	size := 0
	for _, g := range gs {
		for _, q := range g.seqs {
			for _, burst := range q.bursts(child) {
				if slices.ContainsFunc(burst, func(i int) bool { return q.steps[i].starts > 1 }) {
					return 0 // that of a worklist, or a tree
				}
				if size == 0 {
					size = len(burst)
				}
				if len(burst) != size {
					return 0
				}
			}
		}
	}
	return size
}

// bursts returns the spawns of a group's threads by burst: those with nothing
// between them but preparations and spawns of other groups. A channel of a chain is no
// preparation: who is started after it has another one than who was started before.
func (q *sequence) bursts(child *group) [][]int {
	var all [][]int
	var burst []int
	for i := range q.steps {
		n := q.steps[i].node
		switch {
		case n.class == core.SpawnFragment && n.child == child:
			burst = append(burst, i)
		case n.class == core.SpawnFragment || n.op == OpMake && !n.links || n.op == OpAdd || n.op == OpYield || len(burst) == 0:
		default:
			all = append(all, burst)
			burst = nil
		}
	}
	if len(burst) > 0 {
		all = append(all, burst)
	}
	return all
}

// gatherBursts keeps the last spawn of every burst.
func (q *sequence) gatherBursts(child *group) {
	gone := map[int]bool{}
	for _, burst := range q.bursts(child) {
		for _, i := range burst[:len(burst)-1] {
			gone[i] = true
		}
	}
	q.rewrite(func(i int, s step) []step {
		if gone[i] {
			return nil
		}
		return []step{s}
	})
}

// markJoins puts joins in the place of waits for the ends of threads.
func (b *build) markJoins() { markJoins(b.resources, b.groups, b.nodes, b.isSpawned) }

// markSpawns puts spawns in the place of creations of threads.
func (b *build) markSpawns() { markSpawns(b.groups, b.nodes, b.isSpawned) }
