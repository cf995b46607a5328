package simulation

import (
	"testing"

	"tierscope/core"
)

// Two actors have a mailbox each. Clients a and b, who compute 1 and 2 ms, write to the first one, which works 1 ms for a and 3 ms
// for b: 5 ms. If a comes after 5 ms, b is served before it: 6 ms, and not the 9 of the recorded order.
func TestAnActorDoesWhatBelongsToTheMessage(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "actors", CPU: core.CPU{Cores: 4},
		Queues: []core.Queue{{ID: "mail", Capacity: 8}}, Locks: []core.Lock{{ID: "reply", Kind: core.Channel}},
	}}
	const spawnA, spawnB, spawnActors, put, joinA, joinB, closing, joinActors = 0, 1, 2, 3, 4, 5, 6, 7
	write := func(id string, next ...core.Edge) core.Fragment {
		return core.Fragment{ID: id, Class: core.OutFragment, Out: &core.Out{To: "mail", New: true}, Next: next}
	}
	s.pool("main", []core.Fragment{
		spawnFragment("a", "a", to("b")...), spawnFragment("b", "b", to("actors")...), spawnFragment("actors", "actors", to("put")...), write("put", to("join a")...),
		joinFragment("join a", "a", to("join b")...), joinFragment("join b", "b", to("close")...), syncFragment("close", "mail", core.Close, to("join")...), joinFragment("join", "actors"),
	}, begin(spawnA), begin(spawnB), compute(spawnActors, 2), use(put, 1, 3), visit(joinA), visit(joinB), use(closing, 0, 0), visit(joinActors))
	const work, ask, get = 0, 1, 2
	for i, id := range []string{"a", "b"} {
		own := int64(1 + i)
		s.pool(id, []core.Fragment{cpuFragment("work", float64(own), to("ask")...), write("ask", to("get")...), syncFragment("get", "reply", core.Receive)},
			compute(work, own*ms), use(ask, 0, own), use(get, int32(2+i), 10+own))
	}
	const take, got, none, serve, answer = 0, 1, 2, 3, 4
	s.team("actors", []core.Fragment{
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "mail"}, Next: []core.Edge{{To: "got", Probability: 1}, {To: "none", Probability: 1}}},
		{ID: "got", Class: core.FetchFragment, Next: to("serve")}, {ID: "none", Class: core.NoFetchFragment},
		cpuFragment("serve", 1.5, core.Edge{To: "answer", Probability: 2. / 3, Count: 2}, core.Edge{To: "take", Probability: 1. / 3, Count: 1}),
		syncFragment("answer", "reply", core.Send, to("take")...),
	}, []core.Move{use(take, 0, 1), visit(got), compute(serve, ms), use(answer, 2, 11), use(take, 0, 2), visit(got), compute(serve, 3*ms), use(answer, 3, 12), use(take, 0, 0), visit(none)},
		[]core.Move{use(take, 1, 3), visit(got), compute(serve, ms/2), use(take, 1, 0), visit(none)})
	s.walks.Objects = []core.WalkObject{{Of: "mail", Monitor: -1}, {Of: "mail", Monitor: -1}, {Of: "reply", Monitor: -1}, {Of: "reply", Monitor: -1}}
	s.takesOf(t, "graphs/a/fragments/work/scale", map[float64]float64{1: 5, 5: 6})
}

// Two readers find one thing each (1 and 2 ms), close its channel, and wait for that of the other before they go on for 1 ms. As many
// others that do the same close nothing twice; where one is alone, nobody closes what it waits for, and it goes on.
func TestEachChannelIsClosedOnceHoweverManyThreads(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "flight", CPU: core.CPU{Cores: 4},
		Locks: []core.Lock{{ID: "done", Kind: core.Channel}},
	}}
	const spawn, join = 0, 1
	s.pool("main", []core.Fragment{spawnFragment("spawn", "readers", to("join")...), joinFragment("join", "readers")}, compute(spawn, 2), visit(join))
	const find, tell, wait, after = 0, 1, 2, 3
	walk := func(d int64, own, other int32) []core.Move {
		return []core.Move{compute(find, d), use(tell, own, 0), use(wait, other, 0), compute(after, ms)}
	}
	s.team("readers", []core.Fragment{
		cpuFragment("find", 1.5, to("tell")...), syncFragment("tell", "done", core.Close, to("wait")...), syncFragment("wait", "done", core.Receive, to("after")...), cpuFragment("after", 1),
	}, walk(ms, 0, 1), walk(2*ms, 1, 0))
	s.walks.Objects = []core.WalkObject{{Of: "done", Monitor: -1}, {Of: "done", Monitor: -1}}
	s.takesOf(t, "pools/readers/size", map[float64]float64{1: 2, 2: 3, 4: 3})
}

// A worker finds no job twice: then it looks again, and then it ends. With one worker in place of two the others' looks are missing, and
// it looks without end. That is no answer, and the graphs give one.
func TestLookingForTasksComesToAnEnd(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "idle", CPU: core.CPU{Cores: 4},
		Queues: []core.Queue{{ID: "jobs", Capacity: core.Unbounded}}, Sinks: []core.Sink{{ID: "done"}},
	}}
	const first, spawn, pause, second, join = 0, 1, 2, 3, 4
	put := func(id string, next ...core.Edge) core.Fragment {
		return core.Fragment{ID: id, Class: core.OutFragment, Out: &core.Out{To: "jobs", New: true}, Next: next}
	}
	s.pool("main", []core.Fragment{put("first", to("spawn")...), spawnFragment("spawn", "workers", to("pause")...), cpuFragment("pause", 3, to("second")...), put("second", to("join")...), joinFragment("join", "workers")},
		use(first, 0, 1), compute(spawn, 2), compute(pause, 3*ms), use(second, 0, 2), visit(join))
	const take, got, none, work, finish, rest = 0, 1, 2, 3, 4, 5
	job := func(token int64) []core.Move {
		return []core.Move{use(take, 0, token), visit(got), compute(work, ms), visit(finish)}
	}
	idle := func(d int64) []core.Move { return []core.Move{use(take, 0, 0), visit(none), compute(rest, d)} }
	var busy, lazy []core.Move
	end := []core.Move{visit(6)}
	for _, part := range [][]core.Move{job(1), idle(4 * ms), job(2), idle(5 * ms), end} {
		busy = append(busy, part...)
	}
	for _, part := range [][]core.Move{idle(3 * ms), idle(3 * ms), end} {
		lazy = append(lazy, part...)
	}
	s.team("workers", []core.Fragment{
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "jobs", Timeout: constant(0)}, Next: []core.Edge{{To: "got", Probability: 1}, {To: "none", Probability: 1}}},
		{ID: "got", Class: core.FetchFragment, Next: to("work")}, {ID: "none", Class: core.NoFetchFragment, Next: to("rest")},
		cpuFragment("work", 1, to("finish")...), {ID: "finish", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("take")},
		cpuFragment("rest", 3.75, core.Edge{To: "take", Probability: 0.5, Count: 2}, core.Edge{To: "end", Probability: 0.5, Count: 2}), cpuFragment("end", 0),
	}, busy, lazy)
	s.walks.Objects = []core.WalkObject{{Of: "jobs", Monitor: -1}}
	packed, err := s.walks.Pack()
	if err != nil {
		t.Fatal(err)
	}
	s.model.Walks = packed
	r, err := Run(t.Context(), s.model, map[string]float64{"pools/workers/size": 1}, Options{})
	if err != nil || r.Director != AsProbabilities {
		t.Errorf("the answer is by %q: %v", r.Director, err)
	}
}
