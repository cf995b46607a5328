package cmd_test

import (
	"math"
	"path/filepath"
	"testing"

	"tierscope/analysis/trust"
	"tierscope/calibrate"
	"tierscope/measure/accuracy"
	"tierscope/project"
)

// errorsOf are the errors of the run times of a program, in logarithms.
func errorsOf(t *testing.T) map[string][]float64 {
	t.Helper()
	files, err := filepath.Glob("../testdata/accuracy/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no results: %v", err)
	}
	const grid = 8 // configurations: fewer do not tell the program's part from theirs
	all := map[string][]float64{}
	for _, file := range files {
		if filepath.Base(file) == "summary.json" {
			continue
		}
		var r accuracy.Result
		if err := project.Load(file, accuracy.Format, &r); err != nil {
			t.Fatal(err)
		}
		for _, row := range r.Rows {
			if row.Quantity == "T" && row.Error != nil && row.EqualCPU != nil && row.Of == 0 {
				all[r.Subject] = append(all[r.Subject], math.Log1p(*row.Error))
			}
		}
		if len(all[r.Subject]) < grid {
			delete(all, r.Subject)
		}
	}
	return all
}

// deviations are the root mean squares over programs of what all configurations of one
// are off by, and of what they are off by beside that.
func deviations(errors map[string][]float64, without string) (day, rest float64) {
	n := 0.0
	for subject, logs := range errors {
		if subject == without {
			continue
		}
		mean := 0.0
		for _, e := range logs {
			mean += e / float64(len(logs))
		}
		day += mean * mean
		for _, e := range logs {
			rest += (e - mean) * (e - mean) / float64(len(logs))
		}
		n++
	}
	return math.Sqrt(day / n), math.Sqrt(rest / n)
}

// Intervals of 95 % made of the errors of all other programs contain the run times of a
// program in 90 to 98 % of its configurations, over all programs. A model says the same of
// itself.
func TestIntervalsLearnedOfOtherProgramsContainAProgram(t *testing.T) {
	t.Parallel()
	errors := errorsOf(t)
	if len(errors) < 12 {
		t.Fatalf("%d programs, want at least 12", len(errors))
	}
	inside, all := 0, 0
	for subject, logs := range errors {
		day, rest := deviations(errors, subject)
		for _, e := range logs {
			all++
			if math.Abs(e) <= 1.96*math.Hypot(day, rest) {
				inside++
			}
		}
	}
	share := float64(inside) / float64(all)
	t.Logf("%d programs, %d configurations: %.1f %% inside", len(errors), all, 100*share)
	if share < .90 || share > .98 {
		t.Errorf("%.1f %% of %d configurations are inside, want 90 to 98 %%", 100*share, all)
	}
	day, rest := deviations(errors, "")
	u := calibrate.Uncertain(trust.Evidence{})
	const rounding = .003 // validations are made again
	if math.Abs(u[0].Rest-day) > rounding || math.Abs(u[1].Deviation-rest) > rounding {
		t.Errorf("models say %.3f and %.3f, the validations %.3f and %.3f", u[0].Rest, u[1].Deviation, day, rest)
	}
}
