package simulation

import (
	"testing"

	"tierscope/core"
)

// Two workers take from a list to which they send: a job of 1 ms leads to two, of 5 and 3 ms, and the latter to one of 1 ms. Who had
// the one of 5 ms found that all was done, and closed the list. One worker alone has that before the last: it goes on, and all
// takes 10 ms; two or more need 6.
func TestWhoClosesAWorklistGoesOnTaking(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "worklist", CPU: core.CPU{Cores: 4},
		Queues: []core.Queue{{ID: "list", Capacity: core.Unbounded}},
	}}
	send := func(id string, next ...core.Edge) core.Fragment {
		return core.Fragment{ID: id, Class: core.OutFragment, Out: &core.Out{To: "list", New: true}, Next: next}
	}
	const put, spawn, join = 0, 1, 2
	s.pool("main", []core.Fragment{send("put", to("spawn")...), spawnFragment("spawn", "workers", to("join")...), joinFragment("join", "workers")},
		use(put, 0, 1), compute(spawn, 2), visit(join))
	const take, got, none, work, more, closing = 0, 1, 2, 3, 4, 5
	s.team("workers", []core.Fragment{
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "list"}, Next: []core.Edge{{To: "got", Probability: 1}, {To: "none", Probability: 1}}},
		{ID: "got", Class: core.FetchFragment, Next: to("work")}, {ID: "none", Class: core.NoFetchFragment},
		cpuFragment("work", 2.5, core.Edge{To: "take", Probability: .25, Count: 1}, core.Edge{To: "more", Probability: .5, Count: 2}, core.Edge{To: "close", Probability: .25, Count: 1}), send("more", core.Edge{To: "more", Probability: 1. / 3, Count: 1}, core.Edge{To: "take", Probability: 2. / 3, Count: 2}),
		syncFragment("close", "list", core.Close, to("take")...),
	},
		[]core.Move{use(take, 0, 1), visit(got), compute(work, ms), use(more, 0, 2), use(more, 0, 3),
			use(take, 0, 2), visit(got), compute(work, 5*ms), use(closing, 0, 0), use(take, 0, 0), visit(none)},
		[]core.Move{use(take, 0, 3), visit(got), compute(work, 3*ms), use(more, 0, 4),
			use(take, 0, 4), visit(got), compute(work, ms), use(take, 0, 0), visit(none)})
	s.walks.Objects = []core.WalkObject{{Of: "list", Monitor: -1}}
	s.takesOf(t, "pools/workers/size", map[float64]float64{1: 10, 2: 6, 4: 6})
}
