package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// served is a program whose main threads compute 1 ms, let a thread of another pool compute 1 ms for them, and go on with the answer, ten
// times, where cores take 50 µs to wake up.
func served(clients, cores int, standsIn bool) core.Model {
	m := threads(clients, cores, loop("rounds", 10, "compute"), cpu("compute", .001, "ask"),
		core.Fragment{ID: "ask", Class: core.OutFragment, Out: &core.Out{To: "list", New: true}, Next: to("answer")},
		syncOp("answer", "answers", core.Receive, "rounds"))
	m.CPU.WakeIdleCore = constant(50e-6)
	m.Queues = []core.Queue{{ID: "list", Capacity: core.Unbounded}}
	m.Sinks = []core.Sink{{ID: "done"}}
	m.Locks = []core.Lock{{ID: "answers", Kind: core.Channel, Capacity: core.Unbounded}}
	m.Pools = append(m.Pools, core.Pool{ID: "leader", Graph: "leader", Size: 1, StandsIn: standsIn})
	m.Graphs = append(m.Graphs, core.Graph{ID: "leader", Entry: "take", Fragments: []core.Fragment{
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "list"}, Next: []core.Edge{{To: "got", Probability: 1}, {To: "none", Probability: 1}}},
		{ID: "got", Class: core.FetchFragment, Next: to("work")}, {ID: "none", Class: core.NoFetchFragment},
		cpu("work", .001, "tell"), syncOp("tell", "answers", core.Send, "finish"),
		{ID: "finish", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("take")},
	}})
	return m
}

// Where a thread stands in for what its clients do by turns nobody wakes anybody: a lone client takes 2 ms a round, as if it did
// all by itself, and with a server of its own two wake-ups more, but for the last, after which it only ends. The program's start is one, too.
func TestWhoStandsInIsNotWoken(t *testing.T) {
	t.Parallel()
	const wake = 50e-6
	for standsIn, want := range map[bool]float64{true: wake + 10*.002, false: wake + 10*.002 + 19*wake} {
		if got := makespan(t, served(1, 2, standsIn)); math.Abs(got-want) > 1e-7 {
			t.Errorf("stands in %v: %v s, want %v", standsIn, got, want)
		}
	}
}

// Of two clients the second one is served behind the first and has to be told, as a real follower: what it saves lies between nothing and
// what a lone client saves.
func TestWhoWaitsForAnothersTurnIsWoken(t *testing.T) {
	t.Parallel()
	real, standing := makespan(t, served(2, 3, false)), makespan(t, served(2, 3, true))
	if saved := real - standing; saved <= 0 || saved >= 2*20*50e-6 {
		t.Errorf("%v s with a thread of its own, %v s without", real, standing)
	}
}
