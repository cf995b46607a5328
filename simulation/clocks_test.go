package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// refreshed is a program that computes for 61 ms and then stops a thread that computes for 1 ms at each tick of a clock of 3 ms.
func refreshed(cores int) core.Model {
	m := threads(1, cores, core.Fragment{ID: "refresh", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "child", Count: constant(1)}, Next: to("work")}, cpu("work", .061, "stop"), syncOp("stop", "stop", core.Close, "join"))
	m.Graphs[0].Fragments = append(m.Graphs[0].Fragments, core.Fragment{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "child"}})
	m.CPU = core.CPU{Cores: cores, Policy: core.ProcessorSharing}
	m.Locks = []core.Lock{{ID: "tick", Kind: core.Channel, Capacity: 1}, {ID: "stop", Kind: core.Channel}}
	m.Pools = append(m.Pools, core.Pool{ID: "child", Kind: core.SpawnPool, Graph: "c"}, core.Pool{ID: "clock", Graph: "clock", Size: 1})
	try := syncOp("tick", "tick", core.Send, "wait")
	try.Sync.Timeout, try.Sync.OnTimeout = constant(0), "wait"
	m.Graphs = append(m.Graphs, core.Graph{ID: "c", Entry: "select", Fragments: []core.Fragment{
		{ID: "select", Class: core.SyncFragment, Sync: &core.Sync{Op: core.Select, Cases: []core.SelectCase{
			{Lock: "tick", Op: core.Receive, To: "again"}, {Lock: "stop", Op: core.Receive, To: "end", Closed: "end"}}}},
		cpu("again", .001, "select"), cpu("end", 0),
	}}, core.Graph{ID: "clock", Entry: "wait", Fragments: []core.Fragment{sleep("wait", .003, "tick"), try}})
	return m
}

// On two cores the program takes 61 ms, and 1 for the last tick; on one a third of the time goes to the ticks: 61 + T/3 ms. The clock itself waits for no core. How
// often a thread that chooses between ticks and something else takes which no recorded order tells.
func TestAThreadThatAClockDrivesWorksAsLongAsTheProgramRuns(t *testing.T) {
	t.Parallel()
	for cores, want := range map[int]float64{1: .0915, 2: .0615} {
		if got := makespan(t, refreshed(cores)); math.Abs(got/want-1) > .02 {
			t.Errorf("%d cores: %.4g s, want %.4g", cores, got, want)
		}
	}
	decides := func(m core.Model) bool {
		c, err := newCompiler(&m, &m)
		if err != nil {
			t.Fatal(err)
		}
		return c.clockDecides(&scripts{casts: make([]cast, len(c.pools)), ticks: c.chosenTicks()})
	}
	if !decides(refreshed(2)) {
		t.Error("a thread chooses between a tick and the end, and no clock decides that")
	}
	if m := refreshed(2); decides(with(m, func(m *core.Model) { m.Graphs[2].Fragments[0] = cpu("wait", .003, "tick") })) {
		t.Error("a thread that computes is no clock")
	}
}
