package core_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"tierscope/core"
)

// drawSamples returns positive numbers of a random law, from few equal ones to
// thousands over many orders of magnitude.
func drawSamples(t *rapid.T) []float64 {
	samples := make([]float64, rapid.IntRange(1, 3000).Draw(t, "samples"))
	sigma := .1 * float64(rapid.IntRange(0, 20).Draw(t, "tenths of sigma"))
	round := rapid.SampledFrom([]float64{0, .1, 1}).Draw(t, "rounded to")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	for i := range samples {
		samples[i] = math.Exp(sigma * r.NormFloat64())
		if round > 0 {
			samples[i] = math.Ceil(samples[i]/round) * round
		}
	}
	return samples
}

// Whatever the samples, their law has their mean, lies within their range, and is valid; its
// variance is at most theirs, for a piece of a sketch is never wider than its samples
// spread.
func TestALawOfSamplesHasTheirMoments(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		samples := drawSamples(t)
		d := core.FromSamples(samples)
		if err := d.Validate(); err != nil {
			t.Fatal(err)
		}
		nearly(t, "mean", d.Expectation(), stat.Mean(samples, nil))
		if got, most := d.Variance(), stat.PopVariance(samples, nil); got > most*(1+1e-8)+1e-12 {
			t.Fatalf("variance %v, of the samples %v", got, most)
		}
		lo, hi := slices.Min(samples), slices.Max(samples)
		for _, p := range []float64{0, .01, .5, .99, 1} {
			if q := d.Quantile(p); q < lo*(1-1e-12) || q > hi*(1+1e-12) {
				t.Fatalf("quantile %v is %v, the samples are within %v…%v", p, q, lo, hi)
			}
		}
	})
}

// The distribution function of a sketch is nowhere further from that of the samples than
// its widest piece holds, which is 5 % of them: both agree at the ends of a piece.
func TestASketchFollowsTheDistributionOfItsSamples(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		samples := drawSamples(t)
		slices.Sort(samples)
		d := core.FromSamples(samples)
		n := float64(len(samples))
		const widest = .05
		for i, x := range samples {
			if i+1 < len(samples) && samples[i+1] == x {
				continue
			}
			if got, want := d.CDF(x*(1+1e-12)), float64(i+1)/n; math.Abs(got-want) > widest+1/n {
				t.Fatalf("P(X ≤ %v) = %v, of the samples %v", x, got, want)
			}
		}
	})
}

// Law and samples of it drawn by its inverse are one: the distance of Kolmogorov and Smirnov
// of n samples at (i + ½)/n is 1/2n for a continuous law.
func TestQuantilesAreSamplesOfTheLaw(t *testing.T) {
	t.Parallel()
	const n = 2000
	for _, law := range laws {
		if law.d.Kind == core.Constant || law.d.Kind == core.Discrete || law.d.Kind == core.Mixture || law.name == "sketch with a jump: half the time 1, half the time uniform on 3…5" {
			continue // with jumps
		}
		samples := make([]float64, n)
		for i := range samples {
			samples[i] = law.d.Quantile((float64(i) + .5) / n)
		}
		most := 0.0
		for i, x := range samples {
			at := law.d.CDF(x)
			most = max(most, math.Abs(at-float64(i)/n), math.Abs(at-float64(i+1)/n))
		}
		if most > 1./(2*n)+1e-6 {
			t.Errorf("%s: distance %v of its quantiles, want %v", law.name, most, 1./(2*n))
		}
	}
}
