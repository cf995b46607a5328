package diskio

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

// share of the sample that is at most x: the empirical distribution function.
func share(sample []float64, x float64) float64 {
	n := 0
	for _, v := range sample {
		if v <= x {
			n++
		}
	}
	return float64(n) / float64(len(sample))
}

// By its definition, at every point of both samples, and by gonum's computation. It is a metric:
// symmetric, 0 for a sample and itself, at most 1, and no detour is shorter.
func TestTheDistanceOfKolmogorovAndSmirnovIsASupremum(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 40), func(n int) float64 { return float64(n) / 4 }), 1, 30) // with ties
		a, b, c := values.Draw(t, "a"), values.Draw(t, "b"), values.Draw(t, "c")
		want := 0.0
		for _, x := range slices.Concat(a, b) {
			want = max(want, math.Abs(share(a, x)-share(b, x)))
		}
		got := KolmogorovSmirnov(a, b)
		if math.Abs(got-want) > 1e-12 || math.Abs(got-KolmogorovSmirnov(b, a)) > 1e-12 {
			t.Fatalf("the distance is %v and %v, by definition %v", got, KolmogorovSmirnov(b, a), want)
		}
		if other := stat.KolmogorovSmirnov(slices.Sorted(slices.Values(a)), nil, slices.Sorted(slices.Values(b)), nil); math.Abs(got-other) > 1e-12 {
			t.Fatalf("the distance is %v, by gonum %v", got, other)
		}
		if d := KolmogorovSmirnov(a, a); d != 0 {
			t.Fatalf("a sample is %v from itself", d)
		}
		if detour := KolmogorovSmirnov(a, c) + KolmogorovSmirnov(c, b); got > detour+1e-12 {
			t.Fatalf("the distance is %v and by way of another sample %v", got, detour)
		}
	})
}

// A law that is later by a time has a mean that is larger by it, and the two are alike for whom times
// within it count as equal.
func TestLawsApartByATimeAreAlikeWithinIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfN(rapid.Float64Range(1e-4, 1e-2), 1, 60).Draw(t, "times")
		later := rapid.Float64Range(-1, 1).Draw(t, "later") * slices.Min(times)
		moved := make([]float64, len(times))
		for i, v := range times {
			moved[i] = v + later
		}
		c := compareLaws(moved, times)
		if math.Abs(c.Error*c.Mean-later) > 1e-12 || math.Abs(c.Mean-stat.Mean(times, nil)) > 1e-12 {
			t.Fatalf("a law that is %v later differs by %v of %v", later, c.Error, c.Mean)
		}
		if c.Within > math.Abs(later)+1e-8*c.Mean {
			t.Fatalf("laws %v apart are alike only within %v", later, c.Within)
		}
	})
}

// What is later by a time, is found to be, within four standard deviations by the bootstrap. A correct
// program misses one of these 20 samples for 1 of 100 other sets of seeds.
func TestTheShiftOfASampleIsFound(t *testing.T) {
	t.Parallel()
	shares := []float64{.02, .05, .1, .25, .5}
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		earlier, later := make([]float64, 400), make([]float64, 300)
		const by = 30e3
		for i := range earlier {
			earlier[i] = 100e3 + 50e3*random.ExpFloat64()
		}
		for i := range later {
			later[i] = 100e3 + 50e3*random.ExpFloat64() + by
		}
		if shift, deviation := shiftOf(later, earlier, shares); math.Abs(shift-by) > 4*deviation {
			t.Errorf("seed %d: %v ± %v later, made %v later", seed, shift, deviation, by)
		}
	}
}
