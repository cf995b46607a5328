package analysis

import "tierscope/core"

// A thread may start others for what it gets back from them:
//
//	for n := 1; n > 0; n-- {
//		for _, link := range <-found {
//			n++
//			go func() { found <- crawl(link) }()
//		}
//	}
//
// How many it starts for each is a branching process, as the threads of a tree (recursion.go):
// drawn in another order than that of the run, it gets nothing back any more before it has
// started all. So it starts all of them before it waits for the first. Who starts one for
// each that comes back keeps their number, and stays what it is.

// worklists finds such threads.
func (b *build) worklists() {
	b.collectUses() // trees were rewritten
	of := threadsOf(b.groups)
	senders := map[*resource]map[*group]bool{}
	for _, r := range b.resources {
		if r.kind != core.Channel {
			continue
		}
		senders[r] = map[*group]bool{}
		for _, u := range r.uses {
			if channelOp(u.of()) == core.Send {
				senders[r][u.group] = true
			}
		}
	}
	for _, r := range b.resources {
		for _, child := range b.modelled {
			if senders[r][child] && !child.tree && b.startAll(r, child, of) {
				b.assume("pool " + child.name + ": its threads are started for what others have found; the model starts as many as the run had before it waits for the first, so where few lead to many it is too fast")
			}
		}
	}
	b.collectUses()
}

// startAll lets whoever starts threads of a pool for what it receives from a channel start all of
// them before.
func (b *build) startAll(r *resource, child *group, of map[int64]*group) (any bool) {
	for _, g := range b.modelled {
		for _, q := range g.seqs {
			any = g != child && q.startsAll(r, child, of) || any
		}
	}
	return any
}

// startsAll lets a thread start all threads of a pool before it first receives from a channel,
// if it started now several, now none of them for what it received.
func (q *sequence) startsAll(r *resource, child *group, of map[int64]*group) bool {
	first, receives, idle, most, now := -1, 0, 0, 0, 0
	var spawn *step
	total := int64(0)
	for i := range q.steps {
		s := &q.steps[i]
		switch {
		case s.lock == r && channelOp(s) == core.Receive && s.received():
			if first < 0 {
				first = i
			}
			if receives++; receives > 1 && now == 0 {
				idle++
			}
			now = 0
		case first >= 0 && s.node.op == OpSpawn && s.node.virtual == "" && of[int64(s.value)] == child:
			if spawn == nil {
				spawn = s
			}
			now++
			total++
			most = max(most, now)
		}
	}
	if most < 2 || idle == 0 {
		return false
	}
	all := *spawn
	all.starts, all.gap, all.gapWall, all.cpu = total, 0, 0, 0
	q.rewrite(func(i int, s step) []step {
		switch {
		case i == first:
			all.start, all.end = s.start, s.start
			all.gap, all.gapWall, s.gap, s.gapWall = s.gap, s.gapWall, 0, 0
			return []step{all, s}
		case i > first && s.node.op == OpSpawn && s.node.virtual == "" && of[int64(s.value)] == child:
			return nil
		}
		return []step{s}
	})
	return true
}
