package session

import (
	"strings"
	"testing"

	"tierscope/simulation"
	"tierscope/simulation/output"
)

// Both scenarios have the mean response time of the baseline. That of the first differs by ±10 µs from it in every
// replication: 0.01·√(4/3)/√4·3.18 = 0.018 ms, 0.17 % of 10.5 ms (t with 3 degrees of freedom). That of the second
// by ±3 ms, which says nothing.
func TestNoChangeIsToldFromNobodyKnows(t *testing.T) {
	t.Parallel()
	result := func(samples ...float64) *simulation.Result {
		return &simulation.Result{Seed: 1, Replications: 4, Metrics: []simulation.Metric{{Name: "R", Of: "class/task", Stat: "mean", Unit: "s",
			Estimate: output.Replications(samples, 0.95)}}}
	}
	base := result(0.010, 0.011, 0.010, 0.011)
	for _, c := range []struct {
		with             *simulation.Result
		says, confidence string
	}{
		{result(0.01001, 0.01099, 0.01001, 0.01099), "Response time changes by less than 0.2 %.", "good"},
		{result(0.013, 0.008, 0.013, 0.008), "Response time: no clear change.", "undecided"},
	} {
		v := Judge(base, c.with)
		if !strings.HasPrefix(v.Sentence, c.says) || v.Confidence != c.confidence {
			t.Errorf("%q, confidence %s; want %q, %s", v.Sentence, v.Confidence, c.says, c.confidence)
		}
	}
}
