package calibrate

import (
	"math"
	"strings"
	"testing"

	"tierscope/core"
)

// computing is a program whose main thread computes for so many seconds.
func computing(seconds float64) core.Model {
	return core.Model{
		Name:  "batch",
		Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}},
		Graphs: []core.Graph{{ID: "main", Entry: "work", Fragments: []core.Fragment{
			{ID: "work", Class: core.CPUFragment, Demand: core.Distribution{Kind: core.Constant, Value: seconds}},
		}}},
		CPU: core.CPU{Cores: 1},
		Uncertain: []core.Uncertain{
			{Name: "day", Deviation: .08, Rest: .05, Runs: 3, Targets: []core.Loading{{Path: "cpu/speed", Power: -1}}},
			{Name: "model", Key: "model", Deviation: .1, Targets: []core.Loading{{Path: core.EveryScale}}},
		},
	}
}

// Recorded in another minute, a build seemed to take 1.2 s in place of 1 s; by turns it takes 5 % more in
// every round. So its model takes 5 % more, and of that nothing is left unknown: all rounds agree.
func TestBuildsDifferByWhatTheirTurnsDiffer(t *testing.T) {
	t.Parallel()
	old, now, says, err := Together(t.Context(), computing(1), computing(1.2), Turns{Old: []float64{1, 1.1, 1.3}, New: []float64{1.05, 1.155, 1.365}})
	if err != nil {
		t.Fatal(err)
	}
	was, err1 := programCPU(t.Context(), old)
	is, err2 := programCPU(t.Context(), now)
	if err1 != nil || err2 != nil || math.Abs(is/was-1.05) > 1e-6 {
		t.Errorf("%g s and %g s (%v, %v), want 5 %% more", was, is, err1, err2)
	}
	if len(old.Uncertain) != 2 || len(now.Uncertain) != 2 || !strings.Contains(says, "+5.0 %") {
		t.Errorf("%q: not known are %+v and %+v, want day and model", says, old.Uncertain, now.Uncertain)
	}
	for i, u := range old.Uncertain {
		if v := now.Uncertain[i]; u.Key == "" || u.Key != v.Key || u.Deviation != v.Deviation {
			t.Errorf("%+v and %+v do not cancel", u, v)
		}
	}
	if day := old.Uncertain[0]; day.Deviation != .05 || day.Runs != 0 {
		t.Errorf("%+v: what is left is what another day changes, 0.05", day)
	}
}

// Ratios of ±2 % in four rounds: a deviation of the mean of 0.0231/√4, and of Student's law with three
// degrees of freedom 3.18 deviations are within 95 %, not 1.96.
func TestFewTurnsLeaveADifferenceUncertain(t *testing.T) {
	t.Parallel()
	high, low := math.Exp(.02), math.Exp(-.02)
	_, now, _, err := Together(t.Context(), computing(1), computing(1), Turns{Old: []float64{1, 1, 1, 1}, New: []float64{high, low, high, low}})
	if err != nil {
		t.Fatal(err)
	}
	own := now.Uncertain[len(now.Uncertain)-1]
	if want := .04 / math.Sqrt(12) * 3.182 / 1.96; math.Abs(own.Deviation-want) > .001*want || own.Key != "" || own.Runs != 4 {
		t.Errorf("%+v, want a deviation of %.4f that nothing cancels", own, want)
	}
	if _, _, _, err := Together(t.Context(), computing(1), computing(1), Turns{Old: []float64{1, 1}, New: []float64{1, 1}}); err == nil {
		t.Error("two rounds are enough")
	}
}
