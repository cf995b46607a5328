package pools

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// round is what happens to an object until somebody has waited for it. The wait
// group of the next step, or another one at the same address, has another round.
type round struct {
	object uint64
	n      int
}

// rounds are the ends of the waits for objects, in order. Those that overlap
// are of one round.
type rounds map[uint64][]int64

func roundsOf(uses []trail.Use) rounds {
	waits := map[uint64][]*trail.Step{}
	for _, u := range uses {
		if s := u.Step(); s.Node.Op == trace.OpWaitGroup && !s.Open {
			waits[s.Object] = append(waits[s.Object], s)
		}
	}
	ends := rounds{}
	for object, ws := range waits {
		slices.SortFunc(ws, func(a, b *trail.Step) int { return cmp.Compare(a.End, b.End) })
		for _, w := range ws {
			if n := len(ends[object]); n > 0 && w.Start < ends[object][n-1] {
				ends[object][n-1] = w.End
				continue
			}
			ends[object] = append(ends[object], w.End)
		}
	}
	return ends
}

// of returns the round in which something happened to an object.
func (r rounds) of(object uint64, at int64) round {
	n, _ := slices.BinarySearch(r[object], at)
	return round{object, n}
}

// reporters returns for every round the pools whose threads do the given
// thing with its object, if each of their threads does so exactly once in its
// life and nobody else does: the thing says that a thread has ended.
func reporters(uses []trail.Use, ends rounds, is func(*trail.Step) bool) map[round][]*trail.Pool {
	per := map[*trail.Sequence]int{}
	threads := map[*trail.Pool]int{}
	by := map[round][]*trail.Pool{}
	for _, u := range uses {
		s := &u.Sequence.Steps[u.Index]
		if !is(s) {
			continue
		}
		if per[u.Sequence]++; per[u.Sequence] > 1 || u.Pool.Parent == nil {
			return nil
		}
		threads[u.Pool]++
		if r := ends.of(s.Object, s.Start); !slices.Contains(by[r], u.Pool) {
			by[r] = append(by[r], u.Pool)
		}
	}
	for g, n := range threads {
		if n != len(g.Sequences) {
			return nil
		}
	}
	return by
}

// markJoins puts joins in the place of wait groups and end channels on which
// every thread of some pools reports once in its life. The join waits for as
// many threads as were started, whatever the size of the pool; the counter
// of the program was right for the size of the measuring run only.
func markJoins(rs []*trail.Resource, gs []*trail.Pool, nodes *trail.NodeTable, has func(*trail.Pool) bool) {
	type reports struct {
		ends   rounds
		by     map[round][]*trail.Pool
		each   portions
		closed bool // by closing a channel
	}
	joins := map[*trail.Resource]reports{}
	all := func(by map[round][]*trail.Pool, ok func(*trail.Pool) bool) bool {
		for _, gs := range by {
			if slices.ContainsFunc(gs, func(g *trail.Pool) bool { return !ok(g) }) {
				return false
			}
		}
		return len(by) > 0
	}
	for _, r := range rs {
		switch {
		case r.Kind.Does(core.CountDown):
			ends := roundsOf(r.Uses)
			by := reporters(r.Uses, ends, countsDown)
			if all(by, has) && !outlived(r.Uses, ends) {
				joins[r] = reports{ends: ends, by: by, each: portionsOf(r.Uses, ends)}
			}
		case r.Kind.Does(core.Send):
			by := reporters(r.Uses, nil, func(s *trail.Step) bool { return trail.ChannelOp(s) == core.Send })
			one := groupsOf(by)
			if len(one) == 1 && has(one[0]) && !r.Task && receivesAll(r, one[0]) && endsWithReport(r, one[0]) {
				joins[r] = reports{by: by}
			} else if by := closers(r); len(by) == 1 && has(groupsOf(by)[0]) {
				joins[r] = reports{by: by, closed: true}
			}
		}
	}
	of := trail.ThreadsOf(gs)
	for _, g := range gs {
		for _, q := range g.Sequences {
			now, whole, waited := newCount(), newCount(), map[*trail.Pool]int64{}
			for _, s := range q.Steps {
				whole.begins(s, of)
				if reported, ok := joins[s.Lock]; ok && s.Lock != nil && s.Node.Op == trace.OpWaitGroup {
					for child, n := range reported.each[reported.ends.of(s.Object, s.End)] {
						whole.ends(child, n)
					}
				}
			}
			over := overAnyway(q, of)
			q.Rewrite(func(i int, s trail.Step) []trail.Step {
				now.begins(s, of)
				if s.Node.Op == trace.OpJoin && s.Node.Virtual == "" {
					// The last of as many as were started waits for all.
					child := of[int64(s.Value)]
					if child == nil || !has(child) || child == g && g.Tree {
						return nil
					}
					more := now.ends(child, 1)
					for len(over[child]) > 0 && over[child][0] <= s.End {
						more = now.ends(child, 1)
						over[child] = over[child][1:]
					}
					if more {
						waited[child] += s.Wall()
						return nil
					}
					s.Start, s.GapWall = s.Start-waited[child], s.GapWall-waited[child] // what the others waited is its, not the computation's before it
					waited[child] = 0
					return []trail.Step{joined(nodes, child, s)}
				}
				reported, ok := joins[s.Lock]
				if s.Lock == nil || !ok {
					return []trail.Step{s}
				}
				switch {
				case s.Node.Op == trace.OpWaitGroup:
					r := reported.ends.of(s.Object, s.End)
					var children []*trail.Pool
					for _, child := range reported.by[r] {
						if more := now.ends(child, reported.each[r][child]); more && !whole.ends(child, 0) {
							waited[child] += s.Wall()
							continue
						}
						children = append(children, child)
						s.Start, s.GapWall = s.Start-waited[child], s.GapWall-waited[child]
						waited[child] = 0
					}
					return joinedAll(nodes, children, g, s)
				case s.Lock.Kind == core.Channel && trail.ChannelOp(&s) == core.Receive && (s.Received() || reported.closed && !s.Open):
					// The last of as many as were started waits for all.
					child := groupsOf(reported.by)[0]
					if !now.ends(child, 1) && (child != g || !g.Tree) {
						return []trail.Step{joined(nodes, child, s)}
					}
				}
				return nil
			})
		}
	}
}

// countsDown reports whether a step says to a wait group that something is done.
func countsDown(s *trail.Step) bool {
	return s.Node.Op == trace.OpDone || s.Node.Op == trace.OpAdd && s.Arg < 0
}

// overAnyway returns when the threads have ended that a thread has started and of which it
// joins others but not these, as who asks whether a thread is alive before it joins it; by
// pool, in order.
func overAnyway(q *trail.Sequence, of map[int64]*trail.Pool) map[*trail.Pool][]int64 {
	joined := map[int64]bool{}
	for _, s := range q.Steps {
		if s.Node.Op == trace.OpJoin && s.Node.Virtual == "" {
			joined[int64(s.Value)] = true
		}
	}
	over := map[*trail.Pool][]int64{}
	for _, s := range q.Steps {
		g := of[int64(s.Value)]
		if len(joined) == 0 || s.Node.Op != trace.OpSpawn || s.Node.Virtual != "" || g == nil || joined[int64(s.Value)] {
			continue
		}
		for _, th := range g.Threads {
			if th.ID == int64(s.Value) && th.Ended > 0 {
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
func outlived(uses []trail.Use, ends rounds) bool {
	for _, u := range uses {
		s := u.Step()
		if !countsDown(s) {
			continue
		}
		n := ends.of(s.Object, s.Start).n
		if n >= len(ends[s.Object]) {
			continue
		}
		for i := u.Index + 1; i < len(u.Sequence.Steps); i++ {
			switch x := &u.Sequence.Steps[i]; x.Node.Op {
			case trace.OpReceive, trace.OpSelect, trace.OpCondWait:
				if x.End > ends[s.Object][n] {
					return true
				}
			}
		}
	}
	return false
}

// startedHere is how many threads of a pool a step starts that its thread waits for: of a
// tree only the roots, which wait for the others.
func startedHere(child *trail.Pool, s trail.Step) int {
	if child != nil && child.Tree {
		return 1
	}
	return int(max(1, s.Starts))
}

// closers returns the pool whose threads tell their ends by closing a channel each, the last
// thing that they do with others, if only who started a thread waits for that, once:
//
//	done := make(chan struct{})
//	go func() { sort(left); close(done) }()
//	sort(right)
//	<-done
func closers(r *trail.Resource) map[round][]*trail.Pool {
	by := reporters(r.Uses, nil, func(s *trail.Step) bool { return trail.ChannelOp(s) == core.Close })
	if r.Task || len(groupsOf(by)) != 1 {
		return nil
	}
	closer, waited := map[uint64]*trace.Thread{}, map[uint64]bool{}
	for _, u := range r.Uses {
		if s := u.Step(); trail.ChannelOp(s) == core.Close {
			if last := u.Sequence.Steps[u.Index:]; closer[s.Object] != nil || slices.ContainsFunc(last, waitsForOthers) {
				return nil
			}
			closer[s.Object] = u.Sequence.Thread
		}
	}
	for _, u := range r.Uses {
		switch s := u.Step(); {
		case s.Node.Op == trace.OpMake || trail.ChannelOp(s) == core.Close:
		case s.Node.Op != trace.OpReceive || s.Open || closer[s.Object] == nil || waited[s.Object] || closer[s.Object].Parent != u.Sequence.Thread.ID:
			return nil
		default:
			waited[s.Object] = true
		}
	}
	if len(waited) != len(closer) {
		return nil
	}
	return map[round][]*trail.Pool{{}: groupsOf(by)}
}

// waitsForOthers reports whether a thread waits in a step for what another one does.
func waitsForOthers(s trail.Step) bool {
	switch s.Node.Op {
	case trace.OpReceive, trace.OpSelect, trace.OpWaitGroup, trace.OpCondWait:
		return true
	}
	return false
}

// groupsOf returns the pools that report to any of the objects.
func groupsOf(by map[round][]*trail.Pool) []*trail.Pool {
	var all []*trail.Pool
	for _, gs := range by {
		for _, g := range gs {
			if !slices.Contains(all, g) {
				all = append(all, g)
			}
		}
	}
	return all
}

// joinedAll returns a join for each of the pools in the place of s, in which
// a thread of pool g waits for them. It does not wait for its like: threads
// that work through a tree are started by whoever starts the first one
// (recursion.go).
func joinedAll(nodes *trail.NodeTable, children []*trail.Pool, g *trail.Pool, s trail.Step) []trail.Step {
	var by []trail.Step
	// Who starts others is waited for before them: only then all are started.
	slices.SortStableFunc(children, func(a, b *trail.Pool) int { return cmp.Compare(generation(a), generation(b)) })
	for _, child := range children {
		if child == g && g.Tree {
			continue
		}
		j := joined(nodes, child, s)
		if len(by) > 0 {
			j.Gap, j.GapWall, j.CPU, j.Start = 0, 0, 0, j.End
		}
		by = append(by, j)
	}
	return by
}

// generation is how many pools stand between g and main.
func generation(g *trail.Pool) int {
	n := 0
	for seen := map[*trail.Pool]bool{}; g.Parent != nil && !seen[g]; g = g.Parent {
		seen[g] = true
		n++
	}
	return n
}

// joined returns the join that takes the place of s.
func joined(nodes *trail.NodeTable, child *trail.Pool, s trail.Step) trail.Step {
	n := nodes.Virtual("join "+child.Name, s.Node, core.JoinFragment)
	n.Child = child
	return trail.Step{Node: n, Gap: s.Gap, GapWall: s.GapWall, Start: s.Start, End: s.End, CPU: s.CPU, Open: s.Open}
}

// receivesAll reports whether the pool's parent receives one thing from each
// of its threads.
func receivesAll(r *trail.Resource, g *trail.Pool) bool {
	n := 0
	for _, u := range r.Uses {
		s := &u.Sequence.Steps[u.Index]
		if trail.ChannelOp(s) != core.Receive || !s.Received() {
			continue
		}
		if u.Pool != g.Parent || s.Node.Op == trace.OpSelect {
			return false
		}
		n++
	}
	return n == len(g.Sequences)
}

// endsWithReport reports whether the threads of a pool wait for nothing after
// they have sent to r. One that does tells something else than its end.
func endsWithReport(r *trail.Resource, g *trail.Pool) bool {
	for _, q := range g.Sequences {
		sent := false
		for i := range q.Steps {
			s := &q.Steps[i]
			if sent && waitsForOthers(*s) {
				return false
			}
			sent = sent || s.Lock == r && trail.ChannelOp(s) == core.Send
		}
	}
	return true
}

// markSpawns gives every creation of a thread a node that knows the pool,
// leaves out those of pools that the model does not have, and puts one spawn
// in the place of a burst that starts a whole pool.
func markSpawns(gs []*trail.Pool, nodes *trail.NodeTable, has func(*trail.Pool) bool) {
	of := trail.ThreadsOf(gs)
	for _, g := range gs {
		for _, q := range g.Sequences {
			q.Rewrite(func(i int, s trail.Step) []trail.Step {
				if s.Node.Op != trace.OpSpawn || s.Node.Virtual != "" {
					return []trail.Step{s}
				}
				child := of[int64(s.Value)]
				if child == nil || !has(child) {
					return nil
				}
				n := nodes.Virtual("spawn "+child.Name, s.Node, core.SpawnFragment)
				n.Child = child
				s.Node = n
				return []trail.Step{s}
			})
		}
	}
	for _, child := range gs {
		if child.Lazy {
			for _, g := range gs {
				for _, q := range g.Sequences {
					startAtOnce(q, child)
				}
			}
			child.Burst = child.MaxAlive
			continue
		}
		size, noted := burstSize(child, gs, false), false
		if size < 2 {
			size, noted = burstSize(child, gs, true), true
		}
		if !has(child) || child.Tree || size < 2 && (child.Kind != trail.PoolFixed || size < child.MaxAlive) {
			continue
		}
		for _, g := range gs {
			for _, q := range g.Sequences {
				gatherBursts(q, child, noted)
			}
		}
		child.Burst = size
	}
}

// burstSize is the number of threads of a pool that are started together, if it
// is always the same: all of the pool, or, of a function that has workers of its
// own, all workers of one call. 0: it varies.
func burstSize(child *trail.Pool, gs []*trail.Pool, noted bool) int {
	size := 0
	for _, g := range gs {
		for _, q := range g.Sequences {
			for _, burst := range bursts(q, child, noted) {
				if slices.ContainsFunc(burst, func(i int) bool { return q.Steps[i].Starts > 1 }) {
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

// bursts returns the spawns of a pool's threads by burst: those with nothing
// between them but preparations and spawns of other pools: what threads are given is made, and perhaps noted
// under a lock that is free. A channel of a chain is no preparation: who is started after it has another one than
// who was started before.
func bursts(q *trail.Sequence, child *trail.Pool, noted bool) [][]int {
	var all [][]int
	var burst []int
	for i := range q.Steps {
		n := q.Steps[i].Node
		switch {
		case n.Class == core.SpawnFragment && n.Child == child:
			burst = append(burst, i)
		case n.Class == core.SpawnFragment || n.Op == trace.OpMake && !n.Links || n.Op == trace.OpAdd || n.Op == trace.OpYield || noted && notes(&q.Steps[i]) || len(burst) == 0:
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

// notes reports whether a step enters or leaves a lock, and did not have to wait for it.
func notes(s *trail.Step) bool {
	switch s.Node.Op {
	case trace.OpLock, trace.OpRLock:
		return s.Waited == 0
	case trace.OpUnlock, trace.OpRUnlock:
		return true
	}
	return false
}

// gatherBursts keeps the last spawn of every burst.
func gatherBursts(q *trail.Sequence, child *trail.Pool, noted bool) {
	gone := map[int]bool{}
	for _, burst := range bursts(q, child, noted) {
		for _, i := range burst[:len(burst)-1] {
			gone[i] = true
		}
	}
	q.Rewrite(func(i int, s trail.Step) []trail.Step {
		if gone[i] {
			return nil
		}
		return []trail.Step{s}
	})
}

// MarkJoins puts joins in the place of waits for the ends of threads.
func MarkJoins(tr *trail.Trail) { markJoins(tr.Resources, tr.Pools, tr.Nodes, tr.IsSpawned) }

// MarkSpawns puts spawns in the place of creations of threads.
func MarkSpawns(tr *trail.Trail) { markSpawns(tr.Pools, tr.Nodes, tr.IsSpawned) }
