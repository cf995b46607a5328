package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// Two actors have a mailbox each, which the model takes as one channel. They get a message each, of 2 and 3 ms, and the main
// thread closes one mailbox after the other: no channel is closed twice, and who finds its own closed has had its message.
func TestEachOfTheChannelsThatAreTakenAsOneIsClosed(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "actors", CPU: core.CPU{Cores: 2, Policy: core.RoundRobin},
		Locks: []core.Lock{{ID: "mail", Kind: core.Channel, Capacity: 4}},
	}}
	const spawnA, spawnB, sendA, sendB, closeA, closeB, joinA, joinB = 0, 1, 2, 3, 4, 5, 6, 7
	s.pool("main", []core.Fragment{
		spawnFragment("a", "a", to("b")...), spawnFragment("b", "b", to("tell a")...),
		syncFragment("tell a", "mail", core.Send, to("tell b")...), syncFragment("tell b", "mail", core.Send, to("end a")...),
		syncFragment("end a", "mail", core.Close, to("end b")...), syncFragment("end b", "mail", core.Close, to("join a")...),
		{ID: "join a", Class: core.JoinFragment, Join: &core.Join{Pool: "a"}, Next: to("join b")}, {ID: "join b", Class: core.JoinFragment, Join: &core.Join{Pool: "b"}},
	}, begin(spawnA), begin(spawnB), use(sendA, 0, 1), use(sendB, 1, 2), use(closeA, 0, 0), use(closeB, 1, 0), visit(joinA), visit(joinB))
	const get, work, none = 0, 1, 2
	for i, id := range []string{"a", "b"} {
		s.pool(id, []core.Fragment{syncFragment("get", "mail", core.Receive, core.Edge{To: "work", Probability: 0.5, Count: 1}, core.Edge{To: "none", Probability: 0.5, Count: 1}), cpuFragment("work", float64(2+i), to("get")...), cpuFragment("none", 0)},
			use(get, int32(i), int64(1+i)), compute(work, ms*int64(2+i)), use(get, int32(i), 0), visit(none))
	}
	s.walks.Objects = []core.WalkObject{{Of: "mail", Monitor: -1}, {Of: "mail", Monitor: -1}}
	s.takesOf(t, "cpu/cores", map[float64]float64{1: 5, 2: 3})
	// Of two threads of an actor one has the message, and the other finds the mailbox closed.
	if got := s.takes(t, map[string]float64{"cpu/cores": 2, "pools/a/size": 2}); math.Abs(got-3) > 1e-6 {
		t.Errorf("with two threads of an actor it takes %v ms, want 3", got)
	}
}

// Two clients, who compute 1 and 2 ms, send to an owner without a buffer. In the recording the second was first, had its reply at once, and
// sent again after another millisecond; the owner answered that and the first client together. On two cores the first client comes
// first now. If the owner took what comes, it would owe the second a reply and wait for ever; as it is, it waits for the second: 3 ms,
// and 4 on one core.
func TestAChannelCarriesWhatItCarriedInItsOrder(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "owner", CPU: core.CPU{Cores: 2, Policy: core.RoundRobin},
		Queues: []core.Queue{{ID: "bids"}}, Sinks: []core.Sink{{ID: "done"}},
		Locks: []core.Lock{{ID: "reply", Kind: core.Channel}},
	}}
	const spawnA, spawnB, spawnO, joinA, joinB, joinO = 0, 1, 2, 3, 4, 5
	s.pool("main", []core.Fragment{
		spawnFragment("a", "a", to("b")...), spawnFragment("b", "b", to("o")...), spawnFragment("o", "owner", to("join a")...),
		joinFragment("join a", "a", to("join b")...), joinFragment("join b", "b", to("join o")...), joinFragment("join o", "owner"),
	}, begin(spawnA), begin(spawnB), begin(spawnO), visit(joinA), visit(joinB), visit(joinO))
	const work, put, get = 0, 1, 2
	client := func(mean float64, next ...core.Edge) []core.Fragment {
		return []core.Fragment{cpuFragment("work", mean, to("put")...),
			{ID: "put", Class: core.OutFragment, Out: &core.Out{To: "bids", New: true}, Next: to("get")},
			{ID: "get", Class: core.SyncFragment, Sync: &core.Sync{Lock: "reply", Op: core.Receive}, Next: next}, cpuFragment("end", 0)}
	}
	again := []core.Edge{{To: "work", Probability: 0.5, Count: 1}, {To: "end", Probability: 0.5, Count: 1}}
	bid := func(token int64) core.Move { return core.Move{Fragment: put, Object: 0, Amount: 1, Token: token} }
	s.pool("a", client(1, to("end")...), compute(work, ms), bid(1), use(get, 1, 11), visit(3))
	s.pool("b", client(1.5, again...), compute(work, 2*ms), bid(2), use(get, 2, 12), compute(work, ms), bid(3), use(get, 2, 13), visit(3))
	const take, got, none, answer = 0, 1, 2, 3
	s.pool("owner", []core.Fragment{
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "bids"}, Next: []core.Edge{{To: "got", Probability: 1}, {To: "none", Probability: 1}}},
		{ID: "got", Class: core.FetchFragment, Next: []core.Edge{{To: "answer", Probability: 2. / 3, Count: 2}, {To: "take", Probability: 1. / 3, Count: 1}}},
		{ID: "none", Class: core.NoFetchFragment},
		syncFragment("answer", "reply", core.Send, core.Edge{To: "take", Probability: 1. / 3, Count: 1}, core.Edge{To: "answer", Probability: 1. / 3, Count: 1}, core.Edge{To: "end", Probability: 1. / 3, Count: 1}),
		cpuFragment("end", 0),
	}, use(take, 0, 2), visit(got), use(answer, 2, 12), use(take, 0, 3), visit(got), use(take, 0, 1), visit(got), use(answer, 2, 13), use(answer, 1, 11), visit(4))
	s.walks.Objects = []core.WalkObject{{Of: "bids", Monitor: -1}, {Of: "reply", Monitor: -1}, {Of: "reply", Monitor: -1}}
	s.takesOf(t, "cpu/cores", map[float64]float64{1: 4, 2: 3})
}
