package session

import (
	"strings"
	"testing"

	"tierscope/analysis/trust"
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

// A result that is known to ±14 % is known as well as one that a baseline is compared with: fairly.
func TestARoughResultIsCalledTheSameAloneAndCompared(t *testing.T) {
	t.Parallel()
	rough := &simulation.Result{Seed: 1, Replications: 4, Metrics: []simulation.Metric{{Name: "R", Of: "class/task", Stat: "mean", Unit: "s",
		Estimate: output.Estimate{Mean: 0.1, Lo: 0.086, Hi: 0.114, N: 4, Confidence: 0.95, Samples: []float64{0.1, 0.1, 0.1, 0.1}}}}}
	for what, v := range map[string]Verdict{"alone": Describe(rough), "compared": Judge(rough, rough)} {
		if v.Confidence != Fair || !strings.Contains(v.Reason, "±14 %") {
			t.Errorf("%s: confidence %s (%s), want fair, ±14 %%", what, v.Confidence, v.Reason)
		}
	}
}

// No prediction is more certain than the model that makes it: its grade bounds the word, and is the reason.
func TestAVerdictIsNoBetterThanTheModel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ grade, alone, want string }{
		{"A", Good, Good}, {"B", Good, Good}, {"C", Good, Fair}, {"C", Fair, Fair}, {"C", Weak, Weak}, {"D", Good, Weak}, {"D", Fair, Weak},
		{"D", Undecided, Undecided}, {"", Good, Good},
	} {
		s := &Session{}
		if c.grade != "" {
			s.trust = &trust.Trust{Grade: c.grade}
		}
		got, why := s.Sure(c.alone, "4 replications")
		if got != c.want || !strings.Contains(why, "4 replications") || got != c.alone && !strings.Contains(why, "trust "+c.grade) {
			t.Errorf("trust %q, alone %s: %s (%s), want %s", c.grade, c.alone, got, why, c.want)
		}
	}
}
