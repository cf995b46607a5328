package simulation

import (
	"testing"

	"tierscope/core"
)

// A main goroutine, after 1 ms, starts four that compute 7, 5, 3 and 1 ms, and waits for them. The last is in the slot of who comes next; the other
// processor, which takes half of the three in the queue, begins with the second of its two, so that the first is begun when 4 ms have passed.
func TestWhoStealsGoroutinesBeginsWithTheLastOfThem(t *testing.T) {
	t.Parallel()
	const begin, spawn, join = 0, 1, 2
	s := &scripted{model: core.Model{Name: "steal", CPU: core.CPU{Cores: 2, Policy: core.GoScheduler, WakeQueued: constant(1e-6), WakeIdleCore: constant(2e-6)}}}
	s.pool("main", []core.Fragment{cpuFragment("begin", 1, to("spawn")...), spawnFragment("spawn", "worker", to("join")...), joinFragment("join", "worker")},
		compute(begin, ms), core.Move{Fragment: spawn, Object: -1, Amount: 4}, visit(join))
	s.team("worker", []core.Fragment{cpuFragment("work", 4)}, []core.Move{compute(0, 7*ms)}, []core.Move{compute(0, 5*ms)}, []core.Move{compute(0, 3*ms)}, []core.Move{compute(0, ms)})
	if took := s.takes(t, nil); took < 12 || took > 12.01 {
		t.Errorf("it takes %v ms, want 12 and some µs", took)
	}
}
