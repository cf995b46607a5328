package robust_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"tierscope/core/robust"
)

// As many values lie below the median as above it; of an odd number it is gonum's quantile ½, of an even number the
// mean of that of the sample and of that of the sample turned over; turned over, so is the median.
func TestTheMedianHalvesTheSample(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Map(rapid.IntRange(-20, 20), func(n int) float64 { return float64(n) }), 1, 30).Draw(t, "values")
		before := slices.Clone(values)
		turned := make([]float64, len(values))
		for i, v := range values {
			turned[i] = -v
		}
		lower := func(v []float64) float64 {
			return stat.Quantile(.5, stat.Empirical, slices.Sorted(slices.Values(v)), nil)
		}
		m := robust.Median(values)
		if want := (lower(values) - lower(turned)) / 2; m != want || robust.Median(turned) != -m {
			t.Fatalf("the median of %v is %v and turned over %v, want %v", values, m, robust.Median(turned), want)
		}
		below, above := 0, 0
		for _, v := range values {
			if v < m {
				below++
			} else if v > m {
				above++
			}
		}
		if 2*below > len(values) || 2*above > len(values) {
			t.Fatalf("%d of %v are below the median %v and %d above it", below, values, m, above)
		}
		if !slices.Equal(values, before) {
			t.Fatalf("the sample %v became %v", before, values)
		}
	})
	if m := robust.Median(nil); !math.IsNaN(m) {
		t.Errorf("the median of nothing is %v", m)
	}
}
