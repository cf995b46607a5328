package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/measure/accuracy"
	"tierscope/simulation"
	"tierscope/simulation/difference"
	estimate "tierscope/simulation/output"
)

// Of two comparisons of one source, one sees +5 % ± 1 % and one nothing: one false alarm in two, between 1.26 and 98.7 % by the
// tables of Clopper and Pearson. Of the planted build the edited function has the first share.
func TestComparisonsOfBuildsBecomeResults(t *testing.T) {
	t.Parallel()
	dir, results := t.TempDir(), t.TempDir()
	report := func(name string, change float64, edited ...string) {
		c := simulation.Comparison{Name: "T", Of: "program", Stat: "mean", Unit: "s"}
		c.Relative = estimate.Estimate{Mean: change, Lo: change - .01, Hi: change + .01, N: 5, Confidence: .95}
		text, err := json.Marshal(difference.Report{Comparisons: []simulation.Comparison{c}, Shares: []difference.Share{{Part: "code of main.main", Edited: edited}}})
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	report("same-tiles-1.json", .05)
	report("same-cache-1.json", 0)
	report("planted-search-10-1.json", .1, "main.search")
	if _, stderr, code := tierctl(t.Context(), "accuracy", "builds", "--load", "nothing else", dir, results); code != exitDone || !strings.Contains(stderr, "3 comparisons of 2 kinds") {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	b, err := accuracy.Read(results)
	if err != nil || len(b.Results) != 2 {
		t.Fatalf("%d results (%v), want those of the planted build and of one source", len(b.Results), err)
	}
	if named := b.Results[0].Rows[4]; named.Quantity != "named first" || named.Measured.Mean != 1 || b.Results[0].Title != "search, +10 %" {
		t.Errorf("%s: %+v, want that it was named", b.Results[0].Title, named)
	}
	alarms := b.Results[1].Rows[1].Measured
	if alarms.Mean != .5 || math.Abs(*alarms.Low-.01258) > 1e-4 || math.Abs(*alarms.High-.98742) > 1e-4 {
		t.Errorf("false alarms %g [%g, %g], want 0.5 [0.0126, 0.9874]", alarms.Mean, *alarms.Low, *alarms.High)
	}
}
