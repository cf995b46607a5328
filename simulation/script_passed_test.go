package simulation

import (
	"testing"

	"tierscope/core"
)

// passedOnTo is the store of commits whose committer takes two tasks each time and passes them on: another thread writes them in 1 ms and
// answers both, and ends when there are no more groups; or one does that is started for them.
func passedOnTo(started bool) *scripted {
	s := commits("pass")
	const pass, shut, hire = 4, 6, 7
	const groups = int32(5)
	s.model.Queues = append(s.model.Queues, core.Queue{ID: "groups", Capacity: core.Unbounded})
	s.walks.Objects = append(s.walks.Objects, core.WalkObject{Of: "groups", Monitor: -1})
	passing := core.Fragment{ID: "pass", Class: core.OutFragment, Out: &core.Out{To: "groups", New: true}, Next: to("take")}
	if started {
		passing = spawnFragment("pass", "evaluator", to("take")...)
	}
	g := &s.model.Graphs[3]
	second := g.Fragments[2]
	second.In, second.Next = &core.In{Queue: "log"}, []core.Edge{{To: "also", Probability: 1}, {To: "none", Probability: 1}}
	g.Fragments = []core.Fragment{g.Fragments[0], g.Fragments[1], second, g.Fragments[3], passing,
		{ID: "none", Class: core.NoFetchFragment, Next: to("shut")}, syncFragment("shut", "groups", core.Close), spawnFragment("hire", "evaluator", to("take")...)}
	if started {
		g.Fragments[5].Next, g.Fragments = nil, g.Fragments[:6]
	} else {
		g.Entry = "hire"
	}
	s.walks.Graphs[3].Fragments = nil
	for _, f := range g.Fragments {
		s.walks.Graphs[3].Fragments = append(s.walks.Graphs[3].Fragments, f.ID)
	}
	var moves []core.Move
	if !started {
		moves = append(moves, begin(hire))
	}
	for i := range int64(2) {
		moves = append(moves, use(take, 4, 1+2*i), visit(got), use(more, 4, 2+2*i), visit(also))
		if started {
			moves = append(moves, begin(pass))
		} else {
			moves = append(moves, core.Move{Fragment: pass, Object: groups, Amount: 1, Token: 21 + i})
		}
	}
	moves = append(moves, use(take, 4, 0), visit(5))
	if !started {
		moves = append(moves, use(shut, groups, 0))
	}
	s.walks.Threads[3].Moves = moves
	s.evaluators(started, groups)
	return s
}

// evaluators add the threads that write and answer what the committer passes on.
func (s *scripted) evaluators(started bool, groups int32) {
	const write, answer, next, group = 0, 1, 2, 3
	fragments := []core.Fragment{
		{ID: "write", Class: core.DelayFragment, Delay: constant(1e-3), Next: to("answer")},
		{ID: "answer", Class: core.SyncFragment, Sync: &core.Sync{Lock: "reply", Op: core.Send}, Next: []core.Edge{{To: "answer", Probability: 0.5, Count: 2}, {To: "next", Probability: 0.5, Count: 2}}},
		{ID: "next", Class: core.InFragment, In: &core.In{Queue: "groups"}, Next: []core.Edge{{To: "group", Probability: 1}, {To: "none", Probability: 1}}},
		{ID: "group", Class: core.FetchFragment, Next: to("write")},
		{ID: "none", Class: core.NoFetchFragment},
	}
	both := func(i int32) []core.Move {
		return []core.Move{compute(write, ms), use(answer, i, 11+2*int64(i)), use(answer, 2+i, 12+2*int64(i))}
	}
	if started {
		fragments[1].Next[1].To = "end"
		fragments[2], fragments = cpuFragment("end", 0), fragments[:3]
		s.team("evaluator", fragments, append(both(0), visit(next)), append(both(1), visit(next)))
		s.model.Pools[len(s.model.Pools)-1].Size = 1
	} else {
		moves := []core.Move{use(next, groups, 21), visit(group)}
		moves = append(append(moves, both(0)...), use(next, groups, 22), visit(group))
		moves = append(append(moves, both(1)...), use(next, groups, 0), visit(4))
		s.pool("evaluator", fragments, moves...)
		s.model.Graphs[len(s.model.Graphs)-1].Entry = "next"
	}
	for i := range s.walks.Threads {
		if s.walks.Threads[i].Pool == "evaluator" {
			s.walks.Threads[i].Parent = 3
		}
	}
}

// Two clients compute 1 ms, are written in one, and again: 4 ms on two cores, and 6 on one, where the second client comes a millisecond
// later. Of four on four cores, two are written at 2 ms, the others at 3; those come back at 3 and 4 ms, and the last are answered at 5.
func TestWhoGetsAGroupAnswersThoseOfIt(t *testing.T) {
	t.Parallel()
	s := passedOnTo(false)
	s.takesOf(t, "cpu/cores", map[float64]float64{1: 6, 2: 4})
	s.takesAt(t, map[string]float64{"cpu/cores": 4, "pools/a/size": 3}, 5)
}

// As there, but with a thread for each group all four are written at 2 ms, and again at 4.
func TestAThreadStartedForAGroupAnswersThoseOfIt(t *testing.T) {
	t.Parallel()
	s := passedOnTo(true)
	s.takesOf(t, "cpu/cores", map[float64]float64{1: 6, 2: 4})
	s.takesAt(t, map[string]float64{"cpu/cores": 4, "pools/a/size": 3}, 4)
}

// ticking is passedOnTo with a committer that passes on what it has whenever a clock ticks, every 2.5 ms.
func ticking() *scripted {
	s := passedOnTo(true)
	const log, tick = int32(4), int32(6)
	s.model.Locks = append(s.model.Locks, core.Lock{ID: "tick", Kind: core.Channel, Capacity: 1})
	s.walks.Objects = append(s.walks.Objects, core.WalkObject{Of: "tick", Monitor: -1})
	choose, also, pass, none := int32(0), int32(1), int32(2), int32(3)
	g := &s.model.Graphs[3]
	g.Entry, g.Fragments = "choose", []core.Fragment{
		{ID: "choose", Class: core.SyncFragment, Sync: &core.Sync{Op: core.Select, Cases: []core.SelectCase{
			{Lock: "log", Op: core.Receive, To: "also", Closed: "none"}, {Lock: "tick", Op: core.Receive, To: "pass"}}}},
		cpuFragment("also", 0, to("choose")...), spawnFragment("pass", "evaluator", to("choose")...), cpuFragment("none", 0),
	}
	s.walks.Graphs[3].Fragments = []string{"choose", "also", "pass", "none"}
	var moves []core.Move
	for i := range int64(2) {
		moves = append(moves, use(choose, log, 1+2*i), visit(also), use(choose, log, 2+2*i), visit(also), use(choose, tick, 31+i), begin(pass))
	}
	s.walks.Threads[3].Moves = append(moves, use(choose, log, 0), visit(none))
	try := syncFragment("tick", "tick", core.Send, to("wait")...)
	try.Sync.Timeout, try.Sync.OnTimeout = constant(0), "wait"
	s.pool("clock", []core.Fragment{sleep("wait", .0025, "tick"), try}, compute(0, 5*ms/2), use(1, tick, 31), compute(0, 5*ms/2), use(1, tick, 32))
	clock := len(s.model.Pools) - 1
	s.model.Pools[clock].Kind = core.FixedPool
	last := &s.walks.Threads[len(s.walks.Threads)-1]
	last.Parent, last.Ended = -1, false
	return s
}

// Two clients compute 1 ms, are written in one behind the tick at 2.5 ms, compute, and are written behind the one at 5: 6 ms, and so with four
// clients on four cores. When it ticks every 0.8 ms, sometimes in vain, they are written from 1.6 on, compute from 2.6 on, and are written from 4 to
// 5 ms.
func TestAClockEndsAGroup(t *testing.T) {
	t.Parallel()
	s := ticking()
	s.takesOf(t, "cpu/cores", map[float64]float64{2: 6})
	s.takesAt(t, map[string]float64{"cpu/cores": 4, "pools/a/size": 3}, 6)
	clock := &s.model.Graphs[len(s.model.Graphs)-1]
	clock.Fragments[0].Delay = constant(.0008)
	s.takesOf(t, "cpu/cores", map[float64]float64{2: 5})
}
