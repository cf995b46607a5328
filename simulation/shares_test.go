package simulation

import (
	"math"
	"slices"
	"testing"

	"tierscope/core"
)

// Two threads went round a loop four times, for 1, 2, 3, 4 and 5, 6, 7, 8 ms. One thread has all of it, 36 ms; four have two rounds
// each, of which the last take 7 + 8 ms; eight have one. Where the second thread's rounds grow shorter as the first one's grew longer,
// which it is that a thread does decides as well. Where both begin with long rounds and end with short ones, four threads do the
// long ones at the same time, 8 + 1 ms at most, and not 8 + 7 ms in one thread.
func TestThreadsShareTheRoundsOfTheirLoop(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		first, second []int64
		takes         map[float64]float64 // ms by threads
	}{
		{[]int64{1, 2, 3, 4}, []int64{5, 6, 7, 8}, map[float64]float64{1: 36, 2: 26, 4: 15, 8: 8}},
		{[]int64{1, 2, 3, 4}, []int64{4, 3, 2, 1}, map[float64]float64{1: 20, 2: 10, 4: 7, 8: 4}},
		{[]int64{8, 7, 1, 1}, []int64{8, 7, 1, 1}, map[float64]float64{1: 34, 2: 17, 4: 9, 8: 8}},
	} {
		s := sharesItsRounds(c.first, c.second)
		for n, want := range c.takes {
			if took := s.takes(t, map[string]float64{"threads": n}); math.Abs(took-want) > 1e-6 {
				t.Errorf("%v and %v: %v threads take %v ms, want %v", c.first, c.second, n, took, want)
			}
		}
	}
}

// sharesItsRounds is a program of two threads that go round a loop four times, each time for so many ms.
func sharesItsRounds(first, second []int64) *scripted {
	mean := 0.0
	for _, d := range slices.Concat(first, second) {
		mean += float64(d) / float64(len(first)+len(second))
	}
	const begins, loop, body, work = 0, 1, 2, 3
	s := &scripted{model: core.Model{
		Name: "shares", CPU: core.CPU{Cores: 8, Policy: core.RoundRobin},
		Parameters: []core.Parameter{{Name: "threads", Default: 2, Min: 1, Max: 64, Integer: true, Targets: []core.Target{
			{Path: "pools/worker/size"}, {Path: "graphs/worker/fragments/loop/iterations", Factor: 8, Power: -1}}}},
	}}
	s.pool("main", []core.Fragment{spawnFragment("spawn", "worker", to("join")...), {ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "worker"}}},
		core.Move{Fragment: 0, Object: -1, Amount: 2}, visit(1))
	rounds := func(demands ...int64) []core.Move {
		moves := []core.Move{visit(begins), visit(loop)}
		for _, d := range demands {
			moves = append(moves, visit(body), compute(work, d*ms), visit(loop))
		}
		return moves
	}
	s.team("worker", []core.Fragment{
		cpuFragment("begin", 0, to("loop")...),
		{ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(4), Body: "body"}, Next: to("end")},
		{ID: "body", Class: core.DispatchFragment, Next: to("work")},
		cpuFragment("work", mean, to("loop")...), cpuFragment("end", 0),
	}, append(rounds(first...), visit(4)), append(rounds(second...), visit(4)))
	return s
}

// Twice two threads are started that share four rounds: 1 2 │ 3 4 ms, then, when they have ended, 5 6 │ 7 8 ms. One thread at a time
// does the rounds of its own turn: 10 and 26 ms; four at a time wait for the longest of theirs, 4 and 8 ms.
func TestThreadsShareTheRoundsOfTheirOwnTurn(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "turns", CPU: core.CPU{Cores: 8, Policy: core.RoundRobin},
		Parameters: []core.Parameter{{Name: "threads", Default: 2, Min: 1, Max: 64, Integer: true, Targets: []core.Target{
			{Path: "pools/worker/size"}, {Path: "graphs/worker/fragments/loop/iterations", Factor: 4, Power: -1}}}},
	}}
	turns := []core.Edge{{To: "spawn", Probability: 0.5, Count: 1}, {To: "end", Probability: 0.5, Count: 1, Last: true}}
	s.pool("main", []core.Fragment{spawnFragment("spawn", "worker", to("join")...),
		{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "worker"}, Next: turns}, cpuFragment("end", 0)},
		core.Move{Fragment: 0, Object: -1, Amount: 2}, visit(1), core.Move{Fragment: 0, Object: -1, Amount: 2}, visit(1), visit(2))
	const loop, body, work, end = 0, 1, 2, 3
	rounds := func(demands ...int64) []core.Move {
		moves := []core.Move{visit(loop)}
		for _, d := range demands {
			moves = append(moves, visit(body), compute(work, d*ms), visit(loop))
		}
		return append(moves, visit(end))
	}
	s.team("worker", []core.Fragment{
		{ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(2), Body: "body"}, Next: to("end")},
		{ID: "body", Class: core.DispatchFragment, Next: to("work")}, cpuFragment("work", 4.5, to("loop")...), cpuFragment("end", 0),
	}, rounds(1, 2), rounds(3, 4), rounds(5, 6), rounds(7, 8))
	s.model.Pools[1].Size = 2 // at a time
	for n, want := range map[float64]float64{1: 36, 2: 22, 4: 12} {
		if took := s.takes(t, map[string]float64{"threads": n}); math.Abs(took-want) > 1e-6 {
			t.Errorf("%v threads at a time take %v ms, want %v", n, took, want)
		}
	}
}

// Two threads go round one loop four times, of 1 to 4 and 5 to 8 ms, and then round another one twice, of 1, 2 and 3, 4 ms. One thread has all of it,
// 46 ms; four have two rounds and one: the last 7 + 8 + 4 ms.
func TestThreadsShareTheRoundsOfLoopsInARow(t *testing.T) {
	t.Parallel()
	const loop, body, work, again, bodyAgain, more, end = 0, 1, 2, 3, 4, 5, 6
	s := &scripted{model: core.Model{
		Name: "rows", CPU: core.CPU{Cores: 8, Policy: core.RoundRobin},
		Parameters: []core.Parameter{{Name: "threads", Default: 2, Min: 1, Max: 64, Integer: true, Targets: []core.Target{
			{Path: "pools/worker/size"}, {Path: "graphs/worker/fragments/loop/iterations", Factor: 8, Power: -1}, {Path: "graphs/worker/fragments/again/iterations", Factor: 4, Power: -1}}}},
	}}
	s.pool("main", []core.Fragment{spawnFragment("spawn", "worker", to("join")...), {ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "worker"}}},
		core.Move{Fragment: 0, Object: -1, Amount: 2}, visit(1))
	rounds := func(head, first, does int32, demands ...int64) []core.Move {
		moves := []core.Move{visit(head)}
		for _, d := range demands {
			moves = append(moves, visit(first), compute(does, d*ms), visit(head))
		}
		return moves
	}
	walk := func(before, after []int64) []core.Move {
		return slices.Concat(rounds(loop, body, work, before...), rounds(again, bodyAgain, more, after...), []core.Move{visit(end)})
	}
	s.team("worker", []core.Fragment{
		{ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(4), Body: "body"}, Next: to("again")},
		{ID: "body", Class: core.DispatchFragment, Next: to("work")}, cpuFragment("work", 4.5, to("loop")...),
		{ID: "again", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(2), Body: "body again"}, Next: to("end")},
		{ID: "body again", Class: core.DispatchFragment, Next: to("more")}, cpuFragment("more", 2.5, to("again")...), cpuFragment("end", 0),
	}, walk([]int64{1, 2, 3, 4}, []int64{1, 2}), walk([]int64{5, 6, 7, 8}, []int64{3, 4}))
	s.takesOf(t, "threads", map[float64]float64{1: 46, 2: 33, 4: 19})
}

// Three threads begin at a gate that the third one opens, the first waits for it, and then each goes round a loop four times for 1 ms.
// Two threads have six rounds each: the gate is opened though the third is not there, at once and not when nothing else can go on.
func TestWhoIsNotThereOpensTheGate(t *testing.T) {
	t.Parallel()
	const begins, wait, open, loop, body, work = 0, 1, 2, 3, 4, 5
	s := &scripted{model: core.Model{
		Name: "gate", CPU: core.CPU{Cores: 8, Policy: core.RoundRobin},
		Locks: []core.Lock{{ID: "gate", Kind: core.Park}},
		Parameters: []core.Parameter{{Name: "threads", Default: 3, Min: 1, Max: 64, Integer: true, Targets: []core.Target{
			{Path: "pools/worker/size"}, {Path: "graphs/worker/fragments/loop/iterations", Factor: 12, Power: -1}}}},
	}}
	s.walks.Objects = []core.WalkObject{{Of: "gate"}}
	s.pool("main", []core.Fragment{spawnFragment("spawn", "worker", to("join")...), {ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "worker"}}},
		core.Move{Fragment: 0, Object: -1, Amount: 3}, visit(1))
	rounds := func(before ...core.Move) (moves []core.Move) {
		moves = append(append(moves, visit(begins)), before...)
		moves = append(moves, visit(loop))
		for range 4 {
			moves = append(moves, visit(body), compute(work, ms), visit(loop))
		}
		return append(moves, visit(6))
	}
	s.team("worker", []core.Fragment{
		cpuFragment("begin", 0, core.Edge{To: "wait", Probability: 1. / 3, Count: 1}, core.Edge{To: "open", Probability: 1. / 3, Count: 1}, core.Edge{To: "loop", Probability: 1. / 3, Count: 1}),
		syncFragment("wait", "gate", core.ParkOp, to("loop")...), syncFragment("open", "gate", core.Unpark, to("loop")...),
		{ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(4), Body: "body"}, Next: to("end")},
		{ID: "body", Class: core.DispatchFragment, Next: to("work")},
		cpuFragment("work", 1, to("loop")...), cpuFragment("end", 0),
	}, rounds(use(wait, 0, 7)), rounds(), rounds(use(open, 0, 7)))
	s.takesOf(t, "threads", map[float64]float64{1: 12, 2: 6, 3: 4, 6: 2})
}
