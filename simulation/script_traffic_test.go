package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// Two producers send one task each, which one consumer works off in 1 ms each. Of the producers each does what a recorded one did, so n of
// them make n ms of work, and all of it is due.
func TestTwiceTheSendersMakeTwiceTheWork(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "producers", CPU: core.CPU{Cores: 2, Policy: core.RoundRobin},
		Queues:     []core.Queue{{ID: "jobs", Capacity: core.Unbounded}},
		Sinks:      []core.Sink{{ID: "done"}},
		Parameters: []core.Parameter{{Name: "producers", Default: 2, Min: 1, Max: 64, Integer: true, Targets: []core.Target{{Path: "pools/producer/size"}}}},
	}}
	const spawn, employ, join, closing, joinConsumer = 0, 1, 2, 3, 4
	s.pool("main", []core.Fragment{
		spawnFragment("spawn", "producer", to("employ")...), spawnFragment("employ", "consumer", to("join")...),
		{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "producer"}, Next: to("close")},
		syncFragment("close", "jobs", core.Close, to("join consumer")...),
		{ID: "join consumer", Class: core.JoinFragment, Join: &core.Join{Pool: "consumer"}},
	}, core.Move{Fragment: spawn, Object: -1, Amount: 2}, begin(employ), visit(join), use(closing, 0, 0), visit(joinConsumer))
	s.team("producer", []core.Fragment{{ID: "put", Class: core.OutFragment, Out: &core.Out{To: "jobs", New: true}}},
		[]core.Move{{Object: 0, Amount: 1, Token: 1}}, []core.Move{{Object: 0, Amount: 1, Token: 2}})
	const take, got, work, finish, none = 0, 1, 2, 3, 4
	s.pool("consumer", []core.Fragment{
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "jobs"}, Next: []core.Edge{{To: "got", Probability: 1}, {To: "none", Probability: 1}}},
		{ID: "got", Class: core.FetchFragment, Next: to("work")}, cpuFragment("work", 1, to("finish")...),
		{ID: "finish", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("take")}, {ID: "none", Class: core.NoFetchFragment},
	}, use(take, 0, 1), visit(got), compute(work, ms), visit(finish), use(take, 0, 2), visit(got), compute(work, ms), visit(finish), use(take, 0, 0), visit(none))
	s.walks.Objects = []core.WalkObject{{Of: "jobs", Monitor: -1}}
	for n, want := range map[float64]float64{1: 1, 2: 2, 4: 4, 7: 7} {
		if took := s.takes(t, map[string]float64{"producers": n}); math.Abs(took-want) > 1e-6 {
			t.Errorf("%v producers take %v ms, want %v", n, took, want)
		}
	}
}
