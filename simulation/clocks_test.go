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
// often a thread that chooses between ticks and what others send takes which no recorded order tells; when it is to end it sees itself.
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
	sent := func(m *core.Model) { m.Graphs[0].Fragments[2].Sync.Op = core.Send }
	if !decides(with(refreshed(2), sent)) {
		t.Error("a thread chooses between a tick and what it is sent, and no clock decides that")
	}
	if decides(refreshed(2)) {
		t.Error("a clock decides what a thread does until it is told to end, which it sees itself")
	}
	notified := func(m *core.Model) {
		m.Graphs[1].Fragments[1] = syncOp("again", "told", core.NotifyAll, "select")
		m.Locks = append(m.Locks, core.Lock{ID: "told", Kind: core.Condition})
	}
	if !decides(with(refreshed(2), notified)) {
		t.Error("a thread tells others at each tick, and no clock decides when")
	}
	if decides(with(with(refreshed(2), sent), func(m *core.Model) { m.Graphs[2].Fragments[0] = cpu("wait", .003, "tick") })) {
		t.Error("a thread that computes is no clock")
	}
}
