package simulation

import (
	"testing"

	"pgregory.net/rapid"

	"tierscope/core"
)

// A program that starts two threads in each of four rounds and waits for them, 3 ms for the longer one, takes 3 ms a round, however
// many there are. By the graph any two of the eight parts of 1 and 3 ms would be done at the same time.
func TestThreadsOfARoundAreStartedInEachOfMore(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "frames", CPU: core.CPU{Cores: 2, Policy: core.RoundRobin},
		Parameters: []core.Parameter{turns("frames", 4, "graphs/main/fragments/loop/iterations")},
	}}
	const loop, spawn, join, end = 0, 1, 2, 3
	var main []core.Move
	for range 4 {
		main = append(main, visit(loop), core.Move{Fragment: spawn, Object: -1, Amount: 2}, visit(join))
	}
	s.pool("main", []core.Fragment{
		{ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(4), Body: "spawn"}, Next: to("end")},
		spawnFragment("spawn", "worker", to("join")...), joinFragment("join", "worker", to("loop")...), cpuFragment("end", 1),
	}, append(main, visit(loop), compute(end, ms))...)
	walks := [][]core.Move{{compute(0, ms)}, {compute(0, 3*ms)}}
	s.team("worker", []core.Fragment{cpuFragment("work", 2)}, walks[0], walks[1], walks[0], walks[1], walks[0], walks[1], walks[0], walks[1])
	s.model.Pools[1].Size = 2 // at a time
	s.takesOf(t, "frames", map[float64]float64{1: 4, 2: 7, 3: 10, 4: 13, 5: 16, 40: 121})
}

// Two threads meet after every round, in which one computes 3 ms and the other 1, by turns: 3 ms a round.
func TestThreadsMeetInEachOfMoreRounds(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "steps", CPU: core.CPU{Cores: 2, Policy: core.RoundRobin}, Locks: []core.Lock{{ID: "barrier", Kind: core.Barrier, Parties: 2}},
		Parameters: []core.Parameter{turns("steps", 4, "graphs/worker/fragments/loop/iterations")},
	}}
	s.pool("main", []core.Fragment{spawnFragment("spawn", "worker", to("join")...), joinFragment("join", "worker")},
		core.Move{Fragment: 0, Object: -1, Amount: 2}, visit(1))
	const loop, work, meet, end = 0, 1, 2, 3
	walk := func(demands ...int64) (moves []core.Move) {
		for _, d := range demands {
			moves = append(moves, visit(loop), compute(work, d*ms), use(meet, 0, 0))
		}
		return append(moves, visit(loop), visit(end))
	}
	s.team("worker", []core.Fragment{
		{ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(4), Body: "work"}, Next: to("end")},
		cpuFragment("work", 2, to("meet")...), syncFragment("meet", "barrier", core.Await, to("loop")...), cpuFragment("end", 0),
	}, walk(1, 3, 1, 3), walk(3, 1, 3, 1))
	s.walks.Objects = []core.WalkObject{{Of: "barrier", Monitor: -1}}
	s.takesOf(t, "steps", map[float64]float64{1: 3, 2: 6, 4: 12, 9: 27})
}

// Of the jobs that the main thread sends in its rounds, 1 ms before each, two workers do 4 ms for every one, that they take: of n the
// last is ready 4 ms after it was sent if there is always one free, 2 ms a job otherwise. Whoever has taken the last one goes home.
func TestWhatIsSentInARoundIsTakenInEachOfMore(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "jobs", CPU: core.CPU{Cores: 3, Policy: core.RoundRobin}, Queues: []core.Queue{{ID: "jobs", Capacity: core.Unbounded}}, Sinks: []core.Sink{{ID: "done"}},
		Parameters: []core.Parameter{turns("n", 4, "graphs/main/fragments/loop/iterations")},
	}}
	const spawn, loop, make, send, shut, join = 0, 1, 2, 3, 4, 5
	main := []core.Move{{Fragment: spawn, Object: -1, Amount: 2}}
	for k := range int64(4) {
		main = append(main, visit(loop), compute(make, ms), core.Move{Fragment: send, Object: 0, Amount: 1, Token: k + 1})
	}
	s.pool("main", []core.Fragment{
		spawnFragment("spawn", "worker", to("loop")...),
		{ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(4), Body: "make"}, Next: to("shut")},
		cpuFragment("make", 1, to("send")...), {ID: "send", Class: core.OutFragment, Out: &core.Out{To: "jobs", New: true}, Next: to("loop")},
		syncFragment("shut", "jobs", core.Close, to("join")...), joinFragment("join", "worker"),
	}, append(main, visit(loop), use(shut, 0, 0), visit(join))...)
	const take, got, nothing, work, finish = 0, 1, 2, 3, 4
	worker := func(jobs ...int64) (moves []core.Move) {
		for _, k := range jobs {
			moves = append(moves, use(take, 0, k), visit(got), compute(work, 4*ms), visit(finish))
		}
		return append(moves, use(take, 0, 0), visit(nothing))
	}
	s.team("worker", []core.Fragment{
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "jobs"}, Next: []core.Edge{{To: "got", Probability: 1}, {To: "none", Probability: 1}}},
		{ID: "got", Class: core.FetchFragment, Next: to("work")}, {ID: "none", Class: core.NoFetchFragment},
		cpuFragment("work", 4, to("finish")...), {ID: "finish", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("take")},
	}, worker(1, 3), worker(2, 4))
	s.walks.Objects = []core.WalkObject{{Of: "jobs", Monitor: -1}}
	s.takesOf(t, "n", map[float64]float64{0: 0, 1: 5, 2: 6, 3: 9, 4: 10, 5: 13, 20: 42})
}

// Main puts two connections into a channel, a round each, and two workers take one for 1 ms, four times each: 4 ms. With another number of
// connections there are as many rounds, but no worker does more or less: with one of them it takes 8 ms.
func TestWhoFillsAChannelRepeatsNothingElse(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "connections", CPU: core.CPU{Cores: 2, Policy: core.RoundRobin}, Locks: []core.Lock{{ID: "idle", Kind: core.Channel, Capacity: 2}},
		Parameters: []core.Parameter{turns("connections", 2, "locks/idle/capacity", "graphs/main/fragments/loop/iterations")},
	}}
	const loop, send, spawn, join = 0, 1, 2, 3
	s.pool("main", []core.Fragment{
		{ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(2), Body: "send"}, Next: to("spawn")}, syncFragment("send", "idle", core.Send, to("loop")...),
		spawnFragment("spawn", "worker", to("join")...), joinFragment("join", "worker"),
	}, visit(loop), use(send, 0, 1), visit(loop), use(send, 0, 2), visit(loop), core.Move{Fragment: spawn, Object: -1, Amount: 2}, visit(join))
	const take, ask, bring, end = 0, 1, 2, 3
	walk := func(token int64) (moves []core.Move) {
		for range 4 {
			moves = append(moves, use(take, 0, token), compute(ask, ms), use(bring, 0, token+2))
			token += 2
		}
		return append(moves, visit(end))
	}
	s.team("worker", []core.Fragment{
		syncFragment("take", "idle", core.Receive, to("ask")...), cpuFragment("ask", 1, to("bring")...),
		syncFragment("bring", "idle", core.Send, core.Edge{To: "take", Probability: 0.75, Count: 6}, core.Edge{To: "end", Probability: 0.25, Count: 2}), cpuFragment("end", 0),
	}, walk(1), walk(2))
	s.walks.Objects = []core.WalkObject{{Of: "idle", Monitor: -1}}
	s.takesOf(t, "connections", map[float64]float64{1: 8, 2: 4, 4: 4})
}

func turns(name string, n float64, paths ...string) core.Parameter {
	p := core.Parameter{Name: name, Default: n, Min: 0, Max: 1e6, Integer: true}
	for _, path := range paths {
		p.Targets = append(p.Targets, core.Target{Path: path})
	}
	return p
}

// However many rounds there are in place of those of the recording, the first is the first, the last the last, and no copy is there twice; as many as
// there were are themselves.
func TestRoundsAreDoneAgain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, now := rapid.IntRange(1, 50).Draw(t, "before"), rapid.IntRange(0, 500).Draw(t, "now")
		all, seen := again(before, now), map[repetition]bool{}
		for j, r := range all {
			if seen[r] || r.round >= before || before == now && r != (repetition{j, 0}) {
				t.Fatalf("%d in place of %d: %v", now, before, all)
			}
			seen[r] = true
		}
		if len(all) != now || now > 1 && all[0].round != 0 || now > 0 && all[now-1] != (repetition{before - 1, 0}) {
			t.Fatalf("%d in place of %d: %v", now, before, all)
		}
	})
}
