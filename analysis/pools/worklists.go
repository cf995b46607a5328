package pools

import (
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

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

// Worklists finds such threads.
func Worklists(tr *trail.Trail) {
	of := trail.ThreadsOf(tr.Pools)
	senders := map[*trail.Resource]map[*trail.Pool]bool{}
	for _, r := range tr.Resources {
		if r.Kind != core.Channel {
			continue
		}
		senders[r] = map[*trail.Pool]bool{}
		for _, u := range r.Uses {
			if trail.ChannelOp(u.Step()) == core.Send {
				senders[r][u.Pool] = true
			}
		}
	}
	for _, r := range tr.Resources {
		for _, child := range tr.Modelled {
			if senders[r][child] && !child.Tree && startAll(tr, r, child, of) {
				tr.Assume("pool " + child.Name + ": its threads are started for what others have found; the model starts as many as the run had before it waits for the first, so where few lead to many it is too fast")
			}
		}
	}
}

// startAll lets whoever starts threads of a pool for what it receives from a channel start all of
// them before.
func startAll(tr *trail.Trail, r *trail.Resource, child *trail.Pool, of map[int64]*trail.Pool) (any bool) {
	for _, g := range tr.Modelled {
		for _, q := range g.Sequences {
			any = g != child && startsAll(q, r, child, of) || any
		}
	}
	return any
}

// startsAll lets a thread start all threads of a pool before it first receives from a channel,
// if it started now several, now none of them for what it received.
func startsAll(q *trail.Sequence, r *trail.Resource, child *trail.Pool, of map[int64]*trail.Pool) bool {
	first, receives, idle, most, now := -1, 0, 0, 0, 0
	var spawn *trail.Step
	total := int64(0)
	for i := range q.Steps {
		s := &q.Steps[i]
		switch {
		case s.Lock == r && trail.ChannelOp(s) == core.Receive && s.Received():
			if first < 0 {
				first = i
			}
			if receives++; receives > 1 && now == 0 {
				idle++
			}
			now = 0
		case first >= 0 && s.Node.Op == trace.OpSpawn && s.Node.Virtual == "" && of[int64(s.Value)] == child:
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
	all.Starts, all.Gap, all.GapWall, all.CPU = total, 0, 0, 0
	q.Rewrite(func(i int, s trail.Step) []trail.Step {
		switch {
		case i == first:
			all.Start, all.End = s.Start, s.Start
			all.Gap, all.GapWall, s.Gap, s.GapWall = s.Gap, s.GapWall, 0, 0
			return []trail.Step{all, s}
		case i > first && s.Node.Op == trace.OpSpawn && s.Node.Virtual == "" && of[int64(s.Value)] == child:
			return nil
		}
		return []trail.Step{s}
	})
	return true
}
