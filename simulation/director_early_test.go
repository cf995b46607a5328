package simulation

import (
	"testing"

	"tierscope/core"
)

// The main thread, after 2 ms, counts what another one counts down after 3 ms. If it comes to that later, it is done.
func TestWhatIsDoneEarlierIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "future", CPU: core.CPU{Cores: 2},
		Locks: []core.Lock{{ID: "result", Kind: core.Latch}},
	}}
	const spawn, work, count, wait, after, join = 0, 1, 2, 3, 4, 5
	s.pool("main", []core.Fragment{
		spawnFragment("spawn", "stage", to("work")...), cpuFragment("work", 2, to("count")...), syncFragment("count", "result", core.Add, to("wait")...),
		syncFragment("wait", "result", core.Await, to("after")...), cpuFragment("after", 1, to("join")...), {ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "stage"}},
	}, begin(spawn), compute(work, 2*ms), use(count, 0, 0), use(wait, 0, 0), compute(after, ms), visit(join))
	const stage, done = 0, 1
	s.pool("stage", []core.Fragment{cpuFragment("stage", 3, to("done")...), syncFragment("done", "result", core.CountDown)},
		compute(stage, 3*ms), use(done, 0, 0))
	s.walks.Objects = []core.WalkObject{{Of: "result", Monitor: -1}}
	s.takesOf(t, "graphs/main/fragments/work/scale", map[float64]float64{1: 4, 0.5: 4, 2: 5, 10: 21})
}
