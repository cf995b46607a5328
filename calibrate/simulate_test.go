package calibrate

import (
	"math"
	"testing"

	"tierscope/core"
)

// server answers two tasks a second, each of which needs its thread for service seconds.
func server(service float64) core.Model {
	return core.Model{Name: "server", CPU: core.CPU{Cores: 1}, Classes: []core.Class{{ID: "page"}}, Sinks: []core.Sink{{ID: "done"}},
		Sources: []core.Source{{ID: "clients", Kind: core.Deterministic, Class: "page", Rate: 2, To: "requests"}},
		Queues:  []core.Queue{{ID: "requests", Capacity: core.Unbounded}},
		Pools:   []core.Pool{{ID: "worker", Graph: "worker", Size: 1}},
		Graphs: []core.Graph{{ID: "worker", Entry: "in", Fragments: []core.Fragment{
			{ID: "in", Class: core.InFragment, In: &core.In{Queue: "requests"}, Next: next("fetch")},
			{ID: "fetch", Class: core.FetchFragment, Next: next("work")},
			{ID: "work", Class: core.CPUFragment, Demand: core.Const(service), Next: next("answer")},
			{ID: "answer", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: next("in")},
		}}}}
}

// Two tasks a second, of which each needs a thread for 10 ms, do not meet.
func TestTheResponseTimeIsThatOfTheRecordedConfiguration(t *testing.T) {
	t.Parallel()
	m := server(.010)
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	if r := response(t.Context(), m); math.Abs(r.Median-.01) > 1e-4 || math.Abs(r.Mean-.01) > 1e-4 {
		t.Errorf("%+v s, want 0.010", r)
	}
	m.Sources = nil
	if r := response(t.Context(), m); r.Median != 0 || r.Mean != 0 {
		t.Errorf("of no source: %+v s, want 0", r)
	}
}

// A collector that takes 1 ms after every 4 ms of the program's 10 ms is none of its threads.
func TestTheCPUTimeOfAProgramIsWithoutItsCollector(t *testing.T) {
	t.Parallel()
	m := recordedBatch(.010, .011, true)
	m.Background = []core.Background{{ID: "gc", Trigger: core.EveryCPU, Interval: core.Const(.004), Demand: core.Const(.001)}}
	if got, err := programCPU(t.Context(), m); err != nil || math.Abs(got/.010-1) > .001 {
		t.Errorf("%.4f s (error %v), want 0.010 s", got, err)
	}
	if _, err := programCPU(t.Context(), recordedBatch(.010, .011, false)); err == nil {
		t.Error("a model that stands still has a CPU time")
	}
}
