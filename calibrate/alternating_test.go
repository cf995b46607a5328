package calibrate

import (
	"math"
	"strings"
	"testing"

	"tierscope/analysis/trust"
	"tierscope/core"
)

// threadsThatCompute is a program of n threads that compute for 0.2 s each, on two cores.
func threadsThatCompute(n int) core.Model {
	return core.Model{
		Name: "computing", CPU: core.CPU{Cores: 2},
		Pools: []core.Pool{{ID: "p", Graph: "g", Size: n, Main: true}},
		Graphs: []core.Graph{{ID: "g", Entry: "w", Fragments: []core.Fragment{
			{ID: "w", Class: core.CPUFragment, Demand: core.Const(0.2)}}}},
	}
}

// Runs on one core took a tenth more CPU time than on two: so does the model, which takes no more on two than it took. Four threads
// take turns on two cores as well, which then costs them something there.
func TestTurnsAtACoreCostWhatRunsOnOneCoreShow(t *testing.T) {
	t.Parallel()
	const more = 1.1
	m, says := Alternating(t.Context(), threadsThatCompute(2), trust.Evidence{Turns: more})
	if m.CPU.Turns == nil || !strings.Contains(says, "slower by") {
		t.Fatalf("nothing was found: %s", says)
	}
	cpu := func(m core.Model) float64 {
		s, err := programCPU(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if two, one := cpu(m), cpu(onOneCore(m)); math.Abs(two-0.4) > 0.004 || math.Abs(one/two-more) > 0.01 {
		t.Errorf("the model takes %.4f s on two cores and %.4f s on one, want 0.4 and %.2f", two, one, 0.4*more)
	}
	crowded := m
	crowded.Pools = []core.Pool{{ID: "p", Graph: "g", Size: 4, Main: true}}
	if four := cpu(crowded); four < 0.8*1.05 {
		t.Errorf("four threads on two cores take %.4f s, want more than 0.84", four)
	}
}

// One thread has nobody to take turns with: what its program needed more on one core is something else.
func TestWhatATurnCannotCostIsNotModelled(t *testing.T) {
	t.Parallel()
	for _, turns := range []float64{0, 1, 1.1} {
		m, says := Alternating(t.Context(), threadsThatCompute(1), trust.Evidence{Turns: turns})
		if m.CPU.Turns != nil || (turns > 1) != strings.Contains(says, "is not modelled") {
			t.Errorf("for %g the model has %+v, and %q is said", turns, m.CPU.Turns, says)
		}
	}
}
