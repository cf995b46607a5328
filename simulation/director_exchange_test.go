package simulation

import (
	"slices"
	"testing"

	"tierscope/core"
)

// Two clients, each with a connection and a thread that serves it, take three sessions. Each session sends a request, which takes 2 ms. One
// client alone sends all over its own connection, whose thread answers: 6 ms; two take 4 ms.
func TestATaskUsesTheConnectionOfWhoHasIt(t *testing.T) {
	t.Parallel()
	sessions(false).takesOf(t, "clients", map[float64]float64{1: 6, 2: 4})
	sessions(true).takesOf(t, "clients", map[float64]float64{1: 6, 2: 4}) // main closes both connections
}

func sessions(byMain bool) *scripted {
	s := &scripted{model: core.Model{
		Name: "sessions", CPU: core.CPU{Cores: 4},
		Queues: []core.Queue{{ID: "sessions", Capacity: core.Unbounded}, {ID: "connection", Capacity: 4}},
		Locks:  []core.Lock{{ID: "answers", Kind: core.Channel}},
		Parameters: []core.Parameter{{Name: "clients", Default: 2, Min: 1, Max: 8, Integer: true, Targets: []core.Target{
			{Path: "pools/client/size"}, {Path: "pools/server/size"}}}},
	}}
	const put, shut, begin, serve, join, wait, hangA, hangB = 0, 1, 2, 3, 4, 5, 6, 7
	ends, after := []core.Move{visit(join), visit(wait)}, "wait"
	if byMain {
		ends, after = []core.Move{visit(join), use(hangA, 1, 0), use(hangB, 2, 0), visit(wait)}, "a"
	}
	s.pool("main", []core.Fragment{
		{ID: "put", Class: core.OutFragment, Out: &core.Out{To: "sessions", New: true}, Next: []core.Edge{{To: "put", Probability: 2. / 3, Count: 2}, {To: "shut", Probability: 1. / 3, Count: 1}}},
		syncFragment("shut", "sessions", core.Close, to("begin")...), spawnFragment("begin", "client", to("serve")...), spawnFragment("serve", "server", to("join")...),
		joinFragment("join", "client", to(after)...), joinFragment("wait", "server"),
		syncFragment("a", "connection", core.Close, to("b")...), syncFragment("b", "connection", core.Close, to("wait")...),
	}, append([]core.Move{use(put, 0, 1), use(put, 0, 2), use(put, 0, 3), use(shut, 0, 0), compute(begin, 2), compute(serve, 2)}, ends...)...)
	const take, got, none, ask, answer, close = 0, 1, 2, 3, 4, 5
	session := func(client, token int64) []core.Move {
		return []core.Move{use(take, 0, token), visit(got), use(ask, int32(1+client), 10+token), use(answer, int32(3+client), 20+token)}
	}
	last := syncFragment("close", "connection", core.Close)
	if byMain {
		last = cpuFragment("close", 0)
	}
	end := func(client int32) []core.Move {
		if byMain {
			return []core.Move{use(take, 0, 0), visit(none), visit(close)}
		}
		return []core.Move{use(take, 0, 0), visit(none), use(close, 1+client, 0)}
	}
	s.team("client", []core.Fragment{
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "sessions"}, Next: []core.Edge{{To: "got", Probability: 1}, {To: "none", Probability: 1}}},
		{ID: "got", Class: core.FetchFragment, Next: to("ask")}, {ID: "none", Class: core.NoFetchFragment, Next: to("close")},
		{ID: "ask", Class: core.OutFragment, Out: &core.Out{To: "connection", New: true}, Next: to("answer")},
		syncFragment("answer", "answers", core.Receive, to("take")...), last,
	}, slices.Concat(session(0, 1), session(0, 3), end(0)), slices.Concat(session(1, 2), end(1)))
	const request, read, closed, work, reply = 0, 1, 2, 3, 4
	served := func(client, token int64) []core.Move {
		return []core.Move{use(request, int32(1+client), 10+token), visit(read), compute(work, 2*ms), use(reply, int32(3+client), 20+token)}
	}
	s.team("server", []core.Fragment{
		{ID: "request", Class: core.InFragment, In: &core.In{Queue: "connection"}, Next: []core.Edge{{To: "read", Probability: 1}, {To: "closed", Probability: 1}}},
		{ID: "read", Class: core.FetchFragment, Next: to("work")}, {ID: "closed", Class: core.NoFetchFragment},
		cpuFragment("work", 2, to("reply")...), syncFragment("reply", "answers", core.Send, to("request")...),
	}, slices.Concat(served(0, 1), served(0, 3), []core.Move{use(request, 1, 0), visit(closed)}), slices.Concat(served(1, 2), []core.Move{use(request, 2, 0), visit(closed)}))
	for _, of := range []string{"sessions", "connection", "connection", "answers", "answers"} {
		s.walks.Objects = append(s.walks.Objects, core.WalkObject{Of: of, Monitor: -1})
	}
	return s
}
