package output

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Batches of an autoregressive process of φ = 0.9 that are 100 times as long as its
// relaxation time are independent, those a tenth as long are nearly equal to their
// neighbours.
func TestNeighbouringBatchesTellWhatAProcessRemembers(t *testing.T) {
	t.Parallel()
	memory := func(n int) Memory {
		r := rand.New(rand.NewPCG(1, 2))
		series := make([]*Series, 10)
		for i := range series {
			series[i] = NewSeries(512, 1)
			x := autoregressive(r, .9, 0)
			for k := range n {
				series[i].Add(int64(k), x())
			}
		}
		return MemoryOf(series, 0, int64(n))
	}
	if m := memory(8000); m.Batches != 80 || math.Abs(m.Correlation) > .3 {
		t.Errorf("long batches: %+v, want 80 without correlation", m)
	}
	if m := memory(16); m.Correlation < .7 {
		t.Errorf("short batches: %+v, want a correlation near 1", m)
	}
	if m := memory(7); m.Batches != 0 {
		t.Errorf("fewer observations than batches: %+v, want nothing", m)
	}
}

// Means of five exponential observations have skewness 2/√5. The t interval of ten of
// them lies below their expectation in more than its 2.5 % of all cases, the corrected
// one does not (4000 experiments; the bounds are 3.3 standard deviations away).
func TestAnIntervalForSkewIsNotBelowTheTruthTooOften(t *testing.T) {
	t.Parallel()
	below := func(skewness float64) float64 {
		n := 0
		for i := range 4000 {
			r := rand.New(rand.NewPCG(uint64(i), 5))
			if Replications(times(10, func() float64 { return gammaMean(r, 5) }), .95).Skewed(skewness).Hi < 1 {
				n++
			}
		}
		return float64(n) / 4000
	}
	if plain, corrected := below(0), below(2/math.Sqrt(5)); plain < .033 || corrected > .033 {
		t.Errorf("below the truth in %.1f %%, corrected in %.1f %%; want more and not more than 2.5 %%", 100*plain, 100*corrected)
	}
}

// One of each number from 1 to 1000: (1000² − 1)/12.
func TestASketchKnowsItsVariance(t *testing.T) {
	t.Parallel()
	var s Sketch
	for i := range 1000 {
		s.Add(float64(i + 1))
	}
	if got, want := s.Variance(), (1e6-1)/12; math.Abs(got/want-1) > SketchError {
		t.Errorf("variance %g, want %g", got, want)
	}
}
