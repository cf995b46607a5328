package figure

import (
	"slices"
	"testing"

	"tierscope/gui/chart"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

func metric(name, of, stat string, mean float64, samples ...float64) simulation.Metric {
	return simulation.Metric{Name: name, Of: of, Stat: stat, Unit: "s", Estimate: output.Estimate{Mean: mean, N: 2, Samples: samples}}
}

func xy(s chart.Series) [][2]float64 {
	var out [][2]float64
	for _, p := range s.Points {
		out = append(out, [2]float64{p.X, p.Y})
	}
	return out
}

// Of four replications, two took 1 and 2 s in A, and two 2 and 3 s in B. Less than 2 s are done in half of A and never
// in B; until 2 s all of A and half of B; until 3 s all of both.
func TestTheDistributionOfAMakespanIsThatOfItsReplications(t *testing.T) {
	t.Parallel()
	a := &simulation.Result{Metrics: []simulation.Metric{metric("T", "program", "mean", 1.5, 2, 1)}}
	b := &simulation.Result{Metrics: []simulation.Metric{metric("T", "program", "mean", 2.5, 2, 3)}}
	f := Distributions(Side{"A", a}, Side{"B", b})
	if len(f.Series) != 3 {
		t.Fatalf("%d series, want A, B and B − A", len(f.Series))
	}
	if want := [][2]float64{{1, 0}, {1, 0.5}, {2, 0.5}, {2, 1}}; !slices.Equal(xy(f.Series[0]), want) {
		t.Errorf("A is %v, want %v", xy(f.Series[0]), want)
	}
	if want := [][2]float64{{1, 0}, {1, -0.5}, {2, -0.5}, {2, -0.5}, {3, -0.5}, {3, 0}}; !slices.Equal(xy(f.Series[2]), want) {
		t.Errorf("B − A is %v, want %v", xy(f.Series[2]), want)
	}
}

// Percentiles begin with the median: below the larger of two nobody knows how much they differ. A has done 99 % by
// 2 ms; B half by 10 ms, 99 % by 20 ms, and 74.5 % by 15 ms.
func TestTheDifferenceOfPercentilesBeginsWhereBothAreKnown(t *testing.T) {
	t.Parallel()
	result := func(p50, p99 float64) *simulation.Result {
		return &simulation.Result{Metrics: []simulation.Metric{metric("R", "class/task", "mean", p50), metric("R", "class/task", "p50", p50), metric("R", "class/task", "p99", p99)}}
	}
	f := Distributions(Side{"A", result(0.001, 0.002)}, Side{"B", result(0.01, 0.02)})
	if got, want := xy(f.Series[2]), [][2]float64{{0.01, 0.5 - 0.99}, {0.02, 0}}; !slices.Equal(got, want) {
		t.Errorf("B − A is %v, want %v", got, want)
	}
}
