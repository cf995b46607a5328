package validate

import (
	"math"
	"strings"
	"testing"

	"tierscope/core"
)

// recordedBatch is a program of one thread that computes for 10 ms and then waits for what
// somebody sends to a channel, of which the run saw so much CPU and wall-clock time.
func recordedBatch(cpu, wall float64, sent bool) core.Model {
	m := core.Model{Name: "batch", Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}},
		Locks: []core.Lock{{ID: "c", Kind: core.Channel, Capacity: 1}}, CPU: core.CPU{Cores: 1}}
	next := func(id string) []core.Edge { return []core.Edge{{To: id, Probability: 1}} }
	work := core.Fragment{ID: "work", Class: core.CPUFragment, Demand: core.Distribution{Kind: core.Constant, Value: .010},
		Observed: core.Observed{Count: 1, MeanCPU: cpu, MeanWall: wall}, Next: next("send")}
	send := core.Fragment{ID: "send", Class: core.SyncFragment, Sync: &core.Sync{Lock: "c", Op: core.Send}, Next: next("receive")}
	receive := core.Fragment{ID: "receive", Class: core.SyncFragment, Sync: &core.Sync{Lock: "c", Op: core.Receive}}
	if !sent { // what comes is taken twice
		receive.Next = next("again")
	}
	again := core.Fragment{ID: "again", Class: core.SyncFragment, Sync: &core.Sync{Lock: "c", Op: core.Receive}}
	m.Graphs = []core.Graph{{ID: "main", Entry: "work", Fragments: []core.Fragment{work, send, receive}}}
	if !sent {
		m.Graphs[0].Fragments = append(m.Graphs[0].Fragments, again)
	}
	return m
}

// closedTwice is a model whose thread closes a channel that is closed.
func closedTwice() core.Model {
	m := recordedBatch(.010, .011, true)
	m.Graphs[0].Fragments[1].Sync.Op, m.Graphs[0].Fragments[2].Sync.Op = core.Close, core.Close
	return m
}

func TestAModelThatDoesNotRepeatItsOwnRunSaysSo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		m    core.Model
		want string
	}{
		"as in the run":            {recordedBatch(.010, .011, true), ""},
		"the run was disturbed":    {recordedBatch(.010, .200, true), ""},
		"nobody sends":             {recordedBatch(.010, .011, false), "stands still"},
		"a defect":                 {closedTwice(), "breaks off"},
		"the run used more":        {recordedBatch(.050, .050, true), "10.0 ms of CPU time; the run used 50.0 ms"},
		"the run was over in less": {recordedBatch(.010, .002, true), "takes 10.0 ms; the run took 2.00 ms"},
	} {
		doubts := strings.Join(Repeat(t.Context(), c.m), "\n")
		if (c.want == "") != (doubts == "") || !strings.Contains(doubts, c.want) {
			t.Errorf("%s: %q, want %q", name, doubts, c.want)
		}
	}
}

// Two tasks a second, of which each needs a thread for 10 ms, do not meet.
func TestTheResponseTimeIsThatOfTheRecordedConfiguration(t *testing.T) {
	t.Parallel()
	next := func(id string) []core.Edge { return []core.Edge{{To: id, Probability: 1}} }
	m := core.Model{Name: "server", CPU: core.CPU{Cores: 1}, Classes: []core.Class{{ID: "page"}}, Sinks: []core.Sink{{ID: "done"}},
		Sources: []core.Source{{ID: "clients", Kind: core.Deterministic, Class: "page", Rate: 2, To: "requests"}},
		Queues:  []core.Queue{{ID: "requests", Capacity: core.Unbounded}},
		Pools:   []core.Pool{{ID: "worker", Graph: "worker", Size: 1}},
		Graphs: []core.Graph{{ID: "worker", Entry: "in", Fragments: []core.Fragment{
			{ID: "in", Class: core.InFragment, In: &core.In{Queue: "requests"}, Next: next("fetch")},
			{ID: "fetch", Class: core.FetchFragment, Next: next("work")},
			{ID: "work", Class: core.CPUFragment, Demand: core.Const(.010), Next: next("answer")},
			{ID: "answer", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: next("in")},
		}}}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	if r := Response(t.Context(), m); math.Abs(r.Median-.01) > 1e-4 || math.Abs(r.Mean-.01) > 1e-4 {
		t.Errorf("%+v s, want 0.010", r)
	}
	m.Sources = nil
	if r := Response(t.Context(), m); r.Median != 0 || r.Mean != 0 {
		t.Errorf("of no source: %+v s, want 0", r)
	}
}

// A collector that takes 1 ms after every 4 ms of the program's 10 ms is none of its threads.
func TestTheCPUTimeOfAProgramIsWithoutItsCollector(t *testing.T) {
	t.Parallel()
	m := recordedBatch(.010, .011, true)
	m.Background = []core.Background{{ID: "gc", Trigger: core.EveryCPU, Interval: core.Const(.004), Demand: core.Const(.001)}}
	if got, err := ProgramCPU(m); err != nil || math.Abs(got/.010-1) > .001 {
		t.Errorf("%.4f s (error %v), want 0.010 s", got, err)
	}
	if _, err := ProgramCPU(recordedBatch(.010, .011, false)); err == nil {
		t.Error("a model that stands still has a CPU time")
	}
}
