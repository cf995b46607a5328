package experiment

import (
	"context"
	"strings"
	"testing"
	"time"

	"tierscope/core"
	"tierscope/simulation"
)

// A run of the grid takes as many milliseconds as there are workers: 25.5 on the average, so that 5,000 runs take a
// worker 127.5 s. The ledger keeps nothing of the few that were tried.
func TestAFewRunsTellWhatALargeSweepCosts(t *testing.T) {
	t.Parallel()
	runs := 0
	r := &Runner{Model: webServer(), Ledger: ledgerIn(t, t.TempDir()), Pool: simulation.NewPool(1),
		Simulate: func(_ context.Context, _ core.Model, settings map[string]float64, _ simulation.Options) (*simulation.Result, error) {
			runs++
			return &simulation.Result{Replications: 1, Busy: time.Duration(settings["workers"]) * time.Millisecond}, nil
		}}
	s, err := r.Survey(t.Context(), large(), Shard{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Sample(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if s.Remaining < 115*time.Second || s.Remaining > 140*time.Second || runs > 16 || r.Ledger.Len() > 0 {
		t.Errorf("%d runs say %v, and %d are kept; want about 127.5s of 16 at most, and none", runs, s.Remaining, r.Ledger.Len())
	}
}

// An axis that leaves the range of its parameter breaks the rule at thousands of values: it is told once for each axis.
func TestDefectsOfALongAxisAreToldOnce(t *testing.T) {
	t.Parallel()
	e := large()
	e.Axes[0].To, e.Axes[1].To = 100, 2000
	r := &Runner{Model: webServer(), Ledger: ledgerIn(t, t.TempDir()), Simulate: (&stand{}).run}
	_, planned := r.Plan(t.Context(), e)
	_, surveyed := r.Survey(t.Context(), e, Shard{})
	for _, err := range []error{planned, surveyed} {
		if err == nil || !strings.Contains(err.Error(), `parameter "rate": 1000 of 2000 values are outside 1…1000, such as 1001`) || strings.Count(err.Error(), "\n") != 1 {
			t.Errorf("the error is %.300v", err)
		}
	}
}
