package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// fillsBatches is a writer that fills batches of 4 with what a thread sends every ms, and writes them, which takes 10 ms, when they are full or
// when it is 2.5 ms since it began the batch or, if first, since it got the first of it. 12 are sent.
func fillsBatches(first bool) core.Model {
	since := &core.Since{From: "begin"}
	if first {
		since.First = "got"
	}
	return core.Model{
		Name:   "batches",
		Queues: []core.Queue{{ID: "items", Capacity: core.Unbounded}},
		Pools: []core.Pool{
			{ID: "source", Graph: "source", Kind: core.FixedPool, Size: 1},
			{ID: "writer", Graph: "writer", Kind: core.FixedPool, Size: 1, Main: true},
		},
		Sinks: []core.Sink{{ID: "done"}},
		CPU:   core.CPU{Cores: 2},
		Graphs: []core.Graph{
			{ID: "source", Entry: "all", Fragments: []core.Fragment{
				{ID: "all", Class: core.LoopFragment, Loop: &core.Loop{Body: "pause", Count: constant(12)}, Next: to("close")},
				{ID: "pause", Class: core.DelayFragment, Delay: constant(1e-3), Next: to("send")},
				{ID: "send", Class: core.OutFragment, Out: &core.Out{To: "items", New: true}, Next: to("all")},
				{ID: "close", Class: core.SyncFragment, Sync: &core.Sync{Lock: "items", Op: core.Close}},
			}},
			{ID: "writer", Entry: "begin", Fragments: []core.Fragment{
				{ID: "begin", Class: core.DispatchFragment, Next: to("fill")},
				{ID: "fill", Class: core.LoopFragment, Loop: &core.Loop{Body: "wait", Count: constant(4), Limited: true}, Next: to("write")},
				{ID: "wait", Class: core.SyncFragment, Sync: &core.Sync{Op: core.Select, Timeout: constant(2.5e-3), OnTimeout: "old",
					Cases: []core.SelectCase{{Lock: "items", Op: core.Receive, To: "got", Closed: "closed"}}}, Since: since},
				{ID: "got", Class: core.DispatchFragment, Next: to("finish")},
				{ID: "finish", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("fill")},
				{ID: "old", Class: core.DispatchFragment, Next: to("write")},
				{ID: "write", Class: core.DelayFragment, Delay: constant(10e-3), Next: to("begin")},
				{ID: "closed", Class: core.DispatchFragment},
			}},
		},
	}
}

// From the beginning of the batch: what comes at 1 and 2 ms is written from 2.5 ms on, until 12.5 ms, when ten are there: four are written until 22.5 ms, four
// until 32.5 ms, and the last two when all is closed, which is at once. From the first: 1, 2 and 3 ms are written from 3.5 to 13.5 ms, and the nine that
// are left as 4 and 4, until 33.5 ms, and one that is found before the end.
func TestATimeoutRunsOnWhileItsThreadDoesSomethingElse(t *testing.T) {
	t.Parallel()
	for first, want := range map[bool]float64{false: 32.5e-3, true: 33.5e-3} {
		took, _ := run(t, fillsBatches(first), nil, Options{}).Find("T program mean")
		if got := took.Estimate.Mean; math.Abs(got-want) > 1e-9 {
			t.Errorf("since the first: %v: T %g s, want %g", first, got, want)
		}
	}
}
