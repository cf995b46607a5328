package simulation

import (
	"testing"

	"tierscope/core"
)

// One worker finds a result each ms, 24 times, another one finds one after 1.5 ms, and a collector reports for 5 ms when it has all: 29 ms. If
// the second one needs 20 times as long its result is the last, and all takes 35 ms.
func TestWhoTakesSoManyEndsAfterTheLastOfThem(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "results", CPU: core.CPU{Cores: 4},
		Queues: []core.Queue{{ID: "results", Capacity: core.Unbounded}},
	}}
	const spawnA, spawnB, spawnC, joinA, joinB, joinC = 0, 1, 2, 3, 4, 5
	s.pool("main", []core.Fragment{
		spawnFragment("a", "a", to("b")...), spawnFragment("b", "b", to("c")...), spawnFragment("c", "collector", to("join a")...),
		joinFragment("join a", "a", to("join b")...), joinFragment("join b", "b", to("join c")...), joinFragment("join c", "collector"),
	}, begin(spawnA), begin(spawnB), begin(spawnC), visit(joinA), visit(joinB), visit(joinC))
	const work, put = 0, 1
	result := func(next ...core.Edge) core.Fragment {
		return core.Fragment{ID: "put", Class: core.OutFragment, Out: &core.Out{To: "results", New: true}, Next: next}
	}
	var finds, takes []core.Move
	const take, got, report = 0, 1, 2
	for k := range int64(25) {
		if k != 1 {
			finds = append(finds, compute(work, ms), use(put, 0, 1+k))
		}
		takes = append(takes, use(take, 0, 1+k), visit(got))
	}
	s.pool("a", []core.Fragment{cpuFragment("work", 1, to("put")...), result(core.Edge{To: "work", Probability: 23. / 24, Count: 23}, core.Edge{To: "end", Probability: 1. / 24, Count: 1}), cpuFragment("end", 0)},
		append(finds, visit(2))...)
	s.pool("b", []core.Fragment{cpuFragment("work", 1.5, to("put")...), result()}, compute(work, 3*ms/2), use(put, 0, 2))
	s.pool("collector", []core.Fragment{
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "results"}, Next: to("got")},
		{ID: "got", Class: core.FetchFragment, Next: []core.Edge{{To: "take", Probability: .96, Count: 24}, {To: "report", Probability: .04, Count: 1}}},
		cpuFragment("report", 5),
	}, append(takes, compute(report, 5*ms))...)
	s.walks.Objects = []core.WalkObject{{Of: "results", Monitor: -1}}
	s.takesOf(t, "graphs/b/fragments/work/scale", map[float64]float64{1: 29, 20: 35})
}

// Clients say hello to whoever listens, and share two tasks of 1 ms; when all have ended nobody listens any more. One alone says hello once.
func TestWhatBeginsAThreadIsSentOnceByEach(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "hello", CPU: core.CPU{Cores: 4},
		Queues: []core.Queue{{ID: "tasks", Capacity: core.Unbounded}, {ID: "listener", Capacity: core.Unbounded}},
	}}
	send := func(id, queue string, next ...core.Edge) core.Fragment {
		return core.Fragment{ID: id, Class: core.OutFragment, Out: &core.Out{To: queue, New: true}, Next: next}
	}
	const put, shut, begins, listen, join, hang, wait = 0, 1, 2, 3, 4, 5, 6
	s.pool("main", []core.Fragment{
		send("put", "tasks", core.Edge{To: "put", Probability: .5, Count: 1}, core.Edge{To: "shut", Probability: .5, Count: 1}), syncFragment("shut", "tasks", core.Close, to("begin")...),
		spawnFragment("begin", "client", to("listen")...), spawnFragment("listen", "acceptor", to("join")...), joinFragment("join", "client", to("hang")...),
		syncFragment("hang", "listener", core.Close, to("wait")...), joinFragment("wait", "acceptor"),
	}, use(put, 0, 1), use(put, 0, 2), use(shut, 0, 0), compute(begins, 2), begin(listen), visit(join), use(hang, 1, 0), visit(wait))
	const hello, take, got, none, work = 0, 1, 2, 3, 4
	client := func(token int64) []core.Move {
		return []core.Move{use(hello, 1, 10+token), use(take, 0, token), visit(got), compute(work, ms), use(take, 0, 0), visit(none)}
	}
	s.team("client", []core.Fragment{
		send("hello", "listener", to("take")...),
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "tasks"}, Next: []core.Edge{{To: "got", Probability: 1}, {To: "none", Probability: 1}}},
		{ID: "got", Class: core.FetchFragment, Next: to("work")}, {ID: "none", Class: core.NoFetchFragment}, cpuFragment("work", 1, to("take")...),
	}, client(1), client(2))
	s.pool("acceptor", []core.Fragment{
		{ID: "accept", Class: core.InFragment, In: &core.In{Queue: "listener"}, Next: []core.Edge{{To: "accepted", Probability: 1}, {To: "closed", Probability: 1}}},
		{ID: "accepted", Class: core.FetchFragment, Next: to("accept")}, {ID: "closed", Class: core.NoFetchFragment},
	}, use(0, 1, 11), visit(1), use(0, 1, 12), visit(1), use(0, 1, 0), visit(2))
	s.walks.Objects = []core.WalkObject{{Of: "tasks", Monitor: -1}, {Of: "listener", Monitor: -1}}
	s.takesOf(t, "pools/client/size", map[float64]float64{1: 2, 2: 1})
}
