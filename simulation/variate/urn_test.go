package variate_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/variate"
)

// Any round of an urn is what was observed, and ends with what was observed last.
func TestAnUrnDrawsWhatWasObserved(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.Int64Range(1, 20), 1, 6).Draw(t, "counts")
		last := int32(rapid.IntRange(-1, len(counts)-1).Draw(t, "last"))
		random := des.NewStream(rapid.Uint64().Draw(t, "seed"), 0, 0)
		urn, n := variate.NewUrn(slices.Clone(counts), last), int64(0)
		for _, c := range counts {
			n += c
		}
		for range 3 {
			drawn, latest := make([]int64, len(counts)), int32(0)
			for range n {
				latest = urn.Draw(&random)
				drawn[latest]++
			}
			if !slices.Equal(drawn, counts) {
				t.Fatalf("drawn %v of %v", drawn, counts)
			}
			if last >= 0 && latest != last {
				t.Fatalf("%d came last, not %d", latest, last)
			}
		}
	})
}

// The order is any order: each place of a round is as likely to be the rare one's.
func TestAnUrnShuffles(t *testing.T) {
	t.Parallel()
	const rounds, n = 40_000, 8
	random, urn := des.NewStream(7, 0, 0), variate.NewUrn([]int64{n - 1, 1}, -1)
	var at [n]float64
	for range rounds {
		for i := range n {
			at[i] += float64(urn.Draw(&random))
		}
	}
	for i, times := range at {
		if d := (times - rounds/n) / math.Sqrt(rounds*(1./n)*(1-1./n)); math.Abs(d) > 4.5 {
			t.Errorf("place %d of %d had it %v times, %.1f standard errors from %v", i, n, times, d, rounds/n)
		}
	}
}

// What was observed n times adds up in n draws, if its values are known and if a sketch
// of them is.
func TestDealtVariatesAddUpToTheObservations(t *testing.T) {
	t.Parallel()
	exact := core.Distribution{Kind: core.Discrete, Values: []float64{1, 3, 773}, Weights: []float64{.5, .4, .1}, Samples: 10}
	sketch := core.Distribution{Kind: core.Empirical, Values: []float64{0, 1, 5, 100}, Probabilities: []float64{0, .5, .9, 1}, Samples: 1000}
	jump := core.Distribution{Kind: core.Empirical, Values: []float64{0, 1, 2, 3}, Probabilities: []float64{0, .3, .3, 1}, Samples: 7}
	large := sketch
	large.Samples = 12 * 1024
	for _, d := range []core.Distribution{exact, sketch, jump, large} {
		s, random := variate.Compile(d, 2), des.NewStream(3, 0, 0)
		dealt, want := variate.Deal(&s, d.Samples, nil), 2*d.Expectation()*float64(d.Samples)
		for round := range 5 {
			sum := 0.0
			for range d.Samples {
				sum += dealt.Draw(&random)
			}
			if math.Abs(sum-want) > 1e-9*want {
				t.Errorf("%s of %d: round %d adds up to %v, want %v", d.Kind, d.Samples, round, sum, want)
			}
		}
	}
}

// No observations stand behind a law that an analyst has written, or changed.
func TestOnlyObservationsAreDealt(t *testing.T) {
	t.Parallel()
	for _, d := range []core.Distribution{
		{Kind: core.Exponential, Mean: 1, Samples: 100}, {Kind: core.Constant, Value: 1, Samples: 100},
		{Kind: core.Uniform, Min: 1, Max: 2, Samples: 100},
		{Kind: core.Discrete, Values: []float64{1, 2}, Weights: []float64{.5, .5}},
		{Kind: core.Discrete, Values: []float64{1, 2}, Weights: []float64{.45, .55}, Samples: 10},
	} {
		if s := variate.Compile(d, 1); variate.Deal(&s, d.Samples, nil) != nil {
			t.Errorf("%+v is dealt", d)
		}
	}
}
