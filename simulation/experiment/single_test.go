package experiment

import (
	"context"
	"reflect"
	"testing"

	"tierscope/core"
	"tierscope/simulation"
)

// The ledger is the cache: whoever asks, in whatever process and under
// whatever name, gets the run that was made first.
func TestASingleRunIsSimulatedOnceAndFoundAfterReopening(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := &stand{}
	o := simulation.Options{Seed: 7, Replications: 3}
	r := &Runner{Model: webServer(), Ledger: ledgerIn(t, dir), Simulate: s.run}
	first, known, err := r.Single(t.Context(), "A", nil, map[string]float64{"workers": 8}, o)
	if err != nil || known || len(s.calls) != 1 {
		t.Fatalf("the first run: known %t, error %v, %d simulations; want one simulation", known, err, len(s.calls))
	}
	again := &Runner{Model: webServer(), Ledger: ledgerIn(t, dir), Simulate: s.run}
	// pools/worker/size is what the parameter workers sets: the same
	// configuration by another name.
	second, known, err := again.Single(t.Context(), "B", nil, map[string]float64{"pools/worker/size": 8}, o)
	if err != nil || !known || len(s.calls) != 1 {
		t.Fatalf("the same again: known %t, error %v, %d simulations; want none more", known, err, len(s.calls))
	}
	if !second.Time.Equal(first.Time) {
		t.Errorf("the ledger's run is of %v, want %v, when it was made", second.Time, first.Time)
	}
	if second.ID != first.ID || second.Result.Metrics[0].Estimate.Mean != first.Result.Metrics[0].Estimate.Mean || second.Result.Configuration["pools/worker/size"] != 8 {
		t.Errorf("the ledger gave %+v, want the result of %+v under the settings asked for", second, first)
	}
	// A sweep finds it too.
	p := planned(t, again, Experiment{Seed: 7, Replications: 3, Axes: []Axis{{Parameter: "workers", Values: []float64{4, 8}}}})
	if p.Known != 1 {
		t.Errorf("a sweep over 4 and 8 workers finds %d runs, want the one with 8", p.Known)
	}
	o.Seed = 8
	if _, known, err := again.Single(t.Context(), "A", nil, map[string]float64{"workers": 8}, o); err != nil || known {
		t.Errorf("another seed: known %t, error %v; want a run of its own", known, err)
	}
}

// A structural change is part of what was simulated: the ledger tells the runs
// apart, and the line says how to make the run again.
func TestEditsMakeAnotherRunAndAreKept(t *testing.T) {
	t.Parallel()
	m := webServer()
	m.Locks = []core.Lock{{ID: "L", Kind: core.Mutex}}
	f := m.Graphs[0].Fragments
	f[2].Next = []core.Edge{{To: "enter", Probability: 1}}
	m.Graphs[0].Fragments = append(f,
		core.Fragment{ID: "enter", Class: core.SyncFragment, Sync: &core.Sync{Lock: "L", Op: core.Enter}, Next: []core.Edge{{To: "exit", Probability: 1}}},
		core.Fragment{ID: "exit", Class: core.SyncFragment, Sync: &core.Sync{Lock: "L", Op: core.Exit}, Next: []core.Edge{{To: "out", Probability: 1}}})
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	l := ledgerIn(t, t.TempDir())
	s := &stand{}
	r := &Runner{Model: m, Ledger: l, Simulate: s.run}
	split := []core.Edit{{Kind: core.SplitLock, Lock: "L", N: 4}}
	plain, _, err := r.Single(t.Context(), "plain", nil, nil, simulation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	edited, known, err := r.Single(t.Context(), "split", split, nil, simulation.Options{})
	if err != nil || known || edited.ID == plain.ID {
		t.Fatalf("with the lock split: known %t, error %v, the same ID %t; want another run", known, err, edited.ID == plain.ID)
	}
	kept, ok := l.Find(edited.ID)
	if !ok || len(kept.Edits) != 1 || kept.Edits[0] != split[0] || kept.Scenario != "split" {
		t.Errorf("the ledger holds %+v, want the edit and the scenario", kept)
	}
	if _, known, err := r.Single(t.Context(), "again", split, nil, simulation.Options{}); err != nil || !known {
		t.Errorf("the edited model again: known %t, error %v", known, err)
	}
}

// A ledger that cannot be written (a full disk) costs the record, not the
// answer. Here its file is closed.
func TestARunThatCannotBeKeptIsReturnedWithTheError(t *testing.T) {
	t.Parallel()
	l := ledgerIn(t, t.TempDir())
	if err := l.Append(Run{ID: "other", Result: &simulation.Result{}}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	r := &Runner{Model: webServer(), Ledger: l, Simulate: (&stand{}).run}
	run, _, err := r.Single(t.Context(), "A", nil, nil, simulation.Options{})
	if err == nil || run.Result == nil {
		t.Errorf("result %v, error %v; want both", run.Result, err)
	}
}

// An interrupted run is not an answer to the question that was asked, so it is
// not found again.
func TestAnInterruptedSingleRunIsMadeAgain(t *testing.T) {
	t.Parallel()
	s := &stand{}
	r := &Runner{Model: webServer(), Ledger: ledgerIn(t, t.TempDir()), Simulate: s.run}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := r.Single(ended, "A", nil, nil, simulation.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, known, err := r.Single(t.Context(), "A", nil, nil, simulation.Options{}); err != nil || known || len(s.calls) != 2 {
		t.Errorf("after an interruption: known %t, error %v, %d simulations; want a second one", known, err, len(s.calls))
	}
}

// What is kept of a result does not depend on whether the rest was estimated, and the rest is not.
func TestOnlyWhatIsAskedForIsEstimated(t *testing.T) {
	t.Parallel()
	o := simulation.Options{Seed: 1, Replications: 2, Duration: 2, Warmup: -1}
	whole, err := simulation.Run(t.Context(), webServer(), nil, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, only := range [][]string{{"R"}, {"X class", "U"}, {"V fragment"}} {
		o.Only = only
		small, err := simulation.Run(t.Context(), webServer(), nil, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(small.Courses)+len(small.Distributions) > 0 || len(small.Metrics) > len(whole.Metrics) || only[0] == "R" && len(small.Metrics) == len(whole.Metrics) {
			t.Errorf("only %q: %d courses, %d distributions, %d of %d metrics", only, len(small.Courses), len(small.Distributions), len(small.Metrics), len(whole.Metrics))
		}
		want, got := trimmed(whole, only), trimmed(small, only)
		want.Elapsed, want.Busy, got.Elapsed, got.Busy = 0, 0, 0, 0
		if !reflect.DeepEqual(want, got) {
			t.Errorf("only %q: %+v, want %+v", only, got, want)
		}
	}
}
