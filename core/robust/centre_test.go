package robust

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The table of Conover 1999, A12: of the sums of ranks of 6, 8, 10, 12, 15 and 20 observations the quantile
// 0.025 is 1, 4, 9, 14, 26 and 53: that many sums are below it.
func TestSumsOfRanksHaveThePublishedQuantiles(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{5: 0, 6: 1, 8: 4, 10: 9, 12: 14, 15: 26, 20: 53} {
		if got := outside(n, .025); got != want {
			t.Errorf("of %d observations %d sums are outside, want %d", n, got, want)
		}
	}
}

// Of twelve observations 0 … 11 the interval goes from the 14th smallest of the 78 means of pairs to the 14th largest: 0, ½,
// 1, 1, 1½, 1½, 2, 2, 2, 2½, 2½, 2½, 3, 3 are the smallest. One observation far off, which is in twelve
// means, does not move it.
func TestAnOutlierHardlyMovesACentre(t *testing.T) {
	t.Parallel()
	values := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	if centre, lo, hi := Centre(values, .95); centre != 5.5 || lo != 3 || hi != 8 {
		t.Errorf("%g [%g, %g], want 5.5 [3, 8]", centre, lo, hi)
	}
	values[11] = 1000
	if centre, lo, hi := Centre(values, .95); centre > 6 || lo != 3 || hi > 11 {
		t.Errorf("with an outlier %g [%g, %g]", centre, lo, hi)
	}
	if _, lo, hi := Centre(values[:5], .95); !math.IsInf(lo, -1) || !math.IsInf(hi, 1) {
		t.Errorf("five observations have the interval [%g, %g]", lo, hi)
	}
}

// The interval contains the centre of a symmetric law in at least 95 % of all samples, whatever its tails: a
// Cauchy law, 1000 samples of twelve. Fewer than 930 happen once in 500 times.
func TestIntervalsOfCentresContainThemForLongTailsToo(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	inside := 0
	for range 1000 {
		values := make([]float64, 12)
		for i := range values {
			values[i] = 3 + math.Tan(math.Pi*(random.Float64()-.5))
		}
		if _, lo, hi := Centre(values, .95); lo <= 3 && 3 <= hi {
			inside++
		}
	}
	if inside < 930 {
		t.Errorf("%d of 1000 intervals contain the centre", inside)
	}
}
