package cmd_test

import (
	"math"
	"testing"

	"tierscope/analysis/trust"
	"tierscope/calibrate"
	"tierscope/core"
	"tierscope/core/robust"
	"tierscope/measure/accuracy"
)

func book(t *testing.T) *accuracy.Book {
	t.Helper()
	b, err := accuracy.Read("../testdata/accuracy")
	if err != nil || len(b.Results) == 0 {
		t.Fatalf("no results: %v", err)
	}
	return b
}

// Intervals of 95 % made of the errors of all other programs, and of those of two checks of the
// program itself, contain its run times in 90 to 98 % of its other configurations, over all
// programs; and 95 % of the predictions are within what the grade of their model promises.
func TestIntervalsLearnedOfOtherProgramsContainAProgram(t *testing.T) {
	t.Parallel()
	r := book(t).Reliability()
	if len(r.Programs) < 12 {
		t.Fatalf("%d programs, want at least 12", len(r.Programs))
	}
	share, half := r.Coverage()
	t.Logf("%d programs: %.1f %% inside, median half-width %.1f %%", len(r.Programs), 100*share, 100*half)
	if share < .90 || share > .98 {
		t.Errorf("%.1f %% of the configurations are inside, want 90 to 98 %%", 100*share)
	}
	for _, g := range r.Grades {
		if share := float64(g.Within) / float64(g.Of); share < .95 {
			t.Errorf("of %d predictions of models of grade %s, %.1f %% are within %.0f %%; want 95", g.Of, g.Grade, 100*share, 100*g.Promise)
		}
	}
}

// Models say of themselves what the validations show.
func TestModelsSayWhatIsLearnedOfPrograms(t *testing.T) {
	t.Parallel()
	b := book(t)
	programs := b.Programs()
	checked, unchecked := accuracy.Learn(programs, "", false), accuracy.Learn(programs, "", true)
	said := func(sources int, checks ...trust.Check) []core.Uncertain {
		return calibrate.Uncertain(&core.Model{Sources: make([]core.Source, sources)}, trust.Evidence{}, checks)
	}
	predicted := math.Exp(.1) // where 1 s was measured
	off := said(0, trust.Check{Measured: 1, Predicted: &predicted})
	quick, server := said(0), said(1)
	for _, c := range []struct {
		what                 string
		got, want, tolerance float64
	}{
		{"with checks that are right", off[0].Rest, checked.Rest, .002},
		{"for each part that checks are off", off[1].Deviation / .1, checked.PerCheck, .02},
		{"without checks", math.Hypot(quick[0].Rest, quick[1].Deviation), unchecked.Rest, .002},
		{"of servers", math.Hypot(server[0].Rest, server[1].Deviation), robust.Median(b.Servers()), .002},
	} {
		if math.Abs(c.got-c.want) > c.tolerance {
			t.Errorf("%s, models say %.3f and the validations %.3f; change package calibrate", c.what, c.got, c.want)
		}
	}
}
