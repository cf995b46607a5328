package simulation_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tierscope/core"
	"tierscope/simulation"
)

// readers are threads that compute for a time and then read from a device that serves
// any number of requests at once, each in the same time.
func readers(threads, cores int, compute, service float64, doorbell []float64) core.Model {
	edge := func(to string) []core.Edge { return []core.Edge{{To: to, Probability: 1}} }
	return core.Model{
		Classes: []core.Class{{ID: "read"}},
		Sources: []core.Source{{ID: "threads", Kind: core.Closed, Class: "read", To: "calls", Population: threads}},
		Queues:  []core.Queue{{ID: "calls", Capacity: core.Unbounded}},
		Pools:   []core.Pool{{ID: "readers", Graph: "reader", Kind: core.FixedPool, Size: threads}},
		Sinks:   []core.Sink{{ID: "done"}},
		CPU:     core.CPU{Cores: cores},
		Disks: []core.Disk{{ID: "disk", Depth: 64, Doorbell: doorbell, Service: []core.ServiceLaw{{
			Given: core.InFlight, Rows: []core.ServiceRow{{X: 1, Time: core.Const(service)}}}}}},
		Graphs: []core.Graph{{ID: "reader", Entry: "call", Fragments: []core.Fragment{
			{ID: "call", Class: core.InFragment, In: &core.In{Queue: "calls"}, Next: []core.Edge{{To: "fetch", Probability: 1}, {To: "end", Probability: 1}}},
			{ID: "fetch", Class: core.FetchFragment, Next: edge("compute")},
			{ID: "end", Class: core.NoFetchFragment},
			{ID: "compute", Class: core.CPUFragment, Demand: core.Const(compute), Next: edge("read")},
			{ID: "read", Class: core.IOFragment, IO: &core.IO{Disk: "disk", Requests: []core.RequestType{{Type: "read", Count: core.Const(1)}}}, Next: edge("done")},
			{ID: "done", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: edge("call")},
		}}},
	}
}

// Telling an idle disk of a request takes CPU time B while that is served for S: a lone
// thread that computes for C goes round in C + max(S, B). Of threads in step the second
// finds one request in flight and pays half, others a quarter: all go round in C + S and
// keep their cores busy for 2C + B + B/2, and 4C + B + B/2 + B/4 + B/4.
func TestADoorbellCostsCPUTimeDuringTheService(t *testing.T) {
	t.Parallel()
	const C = 0.002
	for _, c := range []struct {
		threads, cores int
		S, B           float64
		round, busy    float64 // s of a thread; CPU time of a round of all threads
	}{
		{1, 1, 0.010, 0.004, C + 0.010, C + 0.004},
		{1, 1, 0.003, 0.004, C + 0.004, C + 0.004},
		{2, 2, 0.010, 0.004, C + 0.010, 2*C + 0.004*1.5},
		{4, 4, 0.010, 0.004, C + 0.010, 4*C + 0.004*2},
		{1, 1, 0.010, 0, C + 0.010, C},
	} {
		t.Run(fmt.Sprintf("%d threads, S=%v, B=%v", c.threads, c.S, c.B), func(t *testing.T) {
			t.Parallel()
			r, err := simulation.Run(context.Background(), readers(c.threads, c.cores, C, c.S, []float64{c.B, c.B / 2, c.B / 4}), nil,
				simulation.Options{Seed: 1, Replications: 2, Duration: 100, Warmup: 1, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]float64{"X class/read mean": float64(c.threads) / c.round, "U cpu mean": c.busy / c.round / float64(c.cores)}
			found := 0
			for _, m := range r.Metrics {
				if w, ok := want[m.Key()]; ok {
					found++
					if math.Abs(m.Estimate.Mean/w-1) > 1e-3 {
						t.Errorf("%s is %v, want %v", m.Key(), m.Estimate.Mean, w)
					}
				}
			}
			if found != len(want) {
				t.Errorf("%d of %d metrics found", found, len(want))
			}
		})
	}
}
