package regress_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tierscope/analysis/regress"
)

// Two platforms, three jobs of 4, 2 and 2 seconds on either: 4 against 2 + 2 uses
// both all the time. All on one platform use half.
func TestLongestJobsComeFirst(t *testing.T) {
	t.Parallel()
	times := [][]float64{{2, 2}, {4, 4}, {2, 2}}
	if got := regress.Utilization(times, regress.Schedule(times)); got != 1 {
		t.Errorf("utilization %g, want 1", got)
	}
	if got := regress.Utilization(times, []int{0, 0, 0}); got != 0.5 {
		t.Errorf("all on one of two platforms: utilization %g, want 0.5", got)
	}
}

// Emulated platforms (in place of the machines of Zhang et al., §6): a fast and a
// slow one, and one that is fast by its clock but 2.2 times slower in this
// program, since it lacks what the program needs. Jobs cost n³ with 5 % noise.
// Who knows only the clock overloads the third; who calibrates a model on five
// small jobs of each platform does not. Means over 200 sets of 30 jobs; with
// other seeds they move by less than 0.01.
func TestCalibratedModelsBalanceBetterThanClockFrequency(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	clock := []float64{1.6, 0.8, 1.86}
	penalty := []float64{1, 1, 2.2}
	cost := func(n float64, p int) float64 {
		return 1e-9 * n * n * n / clock[p] * penalty[p] * math.Exp(0.05*random.NormFloat64())
	}
	// Calibration: relative least squares of time over n³ on five sizes.
	factor := make([]float64, len(clock))
	for p := range clock {
		var sum float64
		for _, n := range []float64{200, 250, 300, 350, 400} {
			sum += cost(n, p) / (n * n * n) / 5
		}
		factor[p] = sum
	}
	var byClock, byModel, perfect float64
	const sets = 200
	for range sets {
		var actual, frequency, model [][]float64
		for range 30 {
			n := 200 + 450*random.Float64()
			var a, f, m []float64
			for p := range clock {
				a = append(a, cost(n, p))
				f = append(f, n*n*n/clock[p])
				m = append(m, factor[p]*n*n*n)
			}
			actual, frequency, model = append(actual, a), append(frequency, f), append(model, m)
		}
		byClock += regress.Utilization(actual, regress.Schedule(frequency)) / sets
		byModel += regress.Utilization(actual, regress.Schedule(model)) / sets
		perfect += regress.Utilization(actual, regress.Schedule(actual)) / sets
	}
	t.Logf("utilization by clock %.3f, by calibrated model %.3f, with true times %.3f", byClock, byModel, perfect)
	if byClock > 0.84 || byModel < 0.92 || perfect < byModel {
		t.Errorf("utilization by clock %.3f, by model %.3f, with true times %.3f; want ≤ 0.84, ≥ 0.92, and the last the best", byClock, byModel, perfect)
	}
}

// Jobs of 5, 1, 1 and 4 s on two equal machines, in that order: the first goes to the
// first machine, the others to the second, whose queue is 1, 2 and 6 s long. Longest
// first, both are busy for 5 or 6 s.
func TestJobsInTheirOrderGoToTheShortestQueue(t *testing.T) {
	t.Parallel()
	jobs := [][]float64{{5, 5}, {1, 1}, {1, 1}, {4, 4}}
	if got := regress.ScheduleInOrder(jobs); !slices.Equal(got, []int{0, 1, 1, 1}) {
		t.Errorf("assigned %v, want 0 1 1 1", got)
	}
	// (5 + 6) / (2·6)
	if u := regress.Utilization(jobs, regress.ScheduleInOrder(jobs)); math.Abs(u-11.0/12) > 1e-12 {
		t.Errorf("utilization %g, want 11/12", u)
	}
}
