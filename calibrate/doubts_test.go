package calibrate

import (
	"slices"
	"strings"
	"testing"

	"tierscope/core"
)

// next leads from a fragment to one other.
func next(id string) []core.Edge { return []core.Edge{{To: id, Probability: 1}} }

// recordedBatch is a program of one thread that computes for 10 ms and then waits for what
// somebody sends to a channel, of which the run saw so much CPU and wall-clock time.
func recordedBatch(cpu, wall float64, sent bool) core.Model {
	m := core.Model{Name: "batch", Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}},
		Locks: []core.Lock{{ID: "c", Kind: core.Channel, Capacity: 1}}, CPU: core.CPU{Cores: 1}}
	work := core.Fragment{ID: "work", Class: core.CPUFragment, Demand: core.Const(.010),
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
		c.m.Provenance.Warnings = []string{"known before"}
		m, doubts := Doubted(t.Context(), c.m)
		if all := strings.Join(doubts, "\n"); (c.want == "") != (all == "") || !strings.Contains(all, c.want) {
			t.Errorf("%s: %q, want %q", name, all, c.want)
		}
		if want := append(doubts, "known before"); !slices.Equal(m.Provenance.Warnings, want) {
			t.Errorf("%s: the model warns of %q, want %q", name, m.Provenance.Warnings, want)
		}
		if again, _ := Doubted(t.Context(), m); !slices.Equal(again.Provenance.Warnings, m.Provenance.Warnings) {
			t.Errorf("%s: doubted again it warns of %q, want no more than %q", name, again.Provenance.Warnings, m.Provenance.Warnings)
		}
		if len(c.m.Provenance.Warnings) != 1 {
			t.Errorf("%s: the model that was asked has changed: %q", name, c.m.Provenance.Warnings)
		}
	}
}

// As recorded, one worker meets main at a barrier of 2. Two workers meet each other, and main, which comes later, waits for ever: the
// pool's size is a setting without an answer. Where the barrier grows with the pool there is one.
func TestAModelWithoutAnswersForOtherThreadsSaysSo(t *testing.T) {
	t.Parallel()
	meets := core.Fragment{ID: "meet", Class: core.SyncFragment, Sync: &core.Sync{Lock: "b", Op: core.Await}}
	later := core.Fragment{ID: "compute", Class: core.CPUFragment, Demand: core.Const(.001), Next: next("meet")}
	m := core.Model{
		Name: "team", CPU: core.CPU{Cores: 2}, Locks: []core.Lock{{ID: "b", Kind: core.Barrier, Parties: 2}},
		Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}, {ID: "workers", Graph: "workers", Size: 1}},
		Graphs: []core.Graph{{ID: "main", Entry: "compute", Fragments: []core.Fragment{later, meets}},
			{ID: "workers", Entry: "meet", Fragments: []core.Fragment{meets}}},
		Parameters: []core.Parameter{{Name: "threads", Default: 1, Min: 1, Max: 8, SupportedMin: 1, SupportedMax: 8, Integer: true, Targets: []core.Target{{Path: "pools/workers/size"}}}},
	}
	if _, doubts := Doubted(t.Context(), m); len(doubts) != 1 || !strings.HasPrefix(doubts[0], "simulated with threads 2, the model stands still") {
		t.Errorf("%q, want that it stands still with 2 threads", doubts)
	}
	m.Parameters[0].Targets = append(m.Parameters[0].Targets, core.Target{Path: "locks/b/parties", Offset: 1})
	if _, doubts := Doubted(t.Context(), m); len(doubts) > 0 {
		t.Errorf("%q, want no doubt", doubts)
	}
}
