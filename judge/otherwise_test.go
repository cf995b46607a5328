package judge

import (
	"math"
	"testing"

	"tierscope/analysis/trust"
)

// How far checks are from a model in time: those that were disturbed say nothing, one without an answer is infinitely far, and all that
// are off by the same factor are as near as can be.
func TestChecksMissAModelByHowFarTheirErrorsAreApart(t *testing.T) {
	t.Parallel()
	check := func(predicted, measured float64, disturbed string) trust.Check {
		return trust.Check{Metric: "T", Predicted: &predicted, Measured: measured, Disturbed: disturbed}
	}
	for name, c := range map[string]struct {
		checks []trust.Check
		want   float64
	}{
		"none":       {nil, 0},
		"one factor": {[]trust.Check{check(2, 1, ""), check(4, 2, "")}, 0},
		"apart":      {[]trust.Check{check(2, 1, ""), check(1, 1, ""), check(9, 1, "by others")}, math.Ln2},
		"no answer":  {[]trust.Check{check(2, 1, ""), {Metric: "T", Measured: 1}}, math.Inf(1)},
		"of servers": {[]trust.Check{{Metric: "R", Measured: 1}}, 0},
	} {
		if got := missed(c.checks); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
