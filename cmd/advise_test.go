package cmd_test

import (
	"testing"

	"tierscope/core/robust"
)

// Of programs that were measured in whole grids, runs that are advised one after the other make all
// configurations known to ±15 % after half as many runs or fewer for two programs of three, and
// those that were not run are within their intervals in 90 to 99 %.
func TestAdvisedRunsAreLessThanHalfOfAGrid(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one goroutine computes")
	}
	const smallest = 8 // configurations that are worth advice
	var shares []float64
	few, inside, others := 0, 0, 0
	for _, a := range book(t).Advice(smallest, .15) {
		inside, others = inside+a.Inside, others+a.Others
		share := float64(a.Needed) / float64(a.Grid)
		if shares = append(shares, share); share <= .5 {
			few++
		}
		t.Logf("%-20s %d of %d runs, of the others %d of %d inside", a.Subject, a.Needed, a.Grid, a.Inside, a.Others)
	}
	covered := float64(inside) / float64(others)
	t.Logf("%d programs: median share of the runs %.2f, at most half for %d; %.1f %% of %d inside", len(shares), robust.Median(shares), few, 100*covered, others)
	if len(shares) < 4 || robust.Median(shares) > .5 || 3*few < 2*len(shares) {
		t.Errorf("at most half of the runs for %d of %d programs; want two of three", few, len(shares))
	}
	if covered < .90 || covered > .99 {
		t.Errorf("%.1f %% of the configurations that were not run are inside, want 90 to 99 %%", 100*covered)
	}
}
