package diskio

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

// direct is the normalised cross-correlation by its definition, Σᵢ u(i)·b(i−k) of signals with
// mean 0 and energy 1.
func direct(u, b []float64, shift int) (sum float64) {
	mu, mb := stat.Mean(u, nil), stat.Mean(b, nil)
	for i := range u {
		if k := i - shift; k >= 0 && k < len(b) {
			sum += (u[i] - mu) * (b[k] - mb)
		}
	}
	return sum / float64(len(u)) / (stat.PopStdDev(u, nil) * stat.PopStdDev(b, nil))
}

// The transform of Fourier gives what adding up all products gives, at every shift, and never
// more than 1 (Cauchy & Schwarz); a signal is most like itself where it is.
func TestCorrelationByTransformIsTheDirectSum(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 70).Draw(t, "samples")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		u, b := make([]float64, n), make([]float64, n)
		for i := range u {
			u[i], b[i] = r.NormFloat64(), r.NormFloat64()
		}
		g := newCorrelator(n)
		c := g.correlation(g.spectrum(u), g.spectrum(b), nil)
		own := g.correlation(g.spectrum(u), g.spectrum(u), nil)
		for shift := 1 - n; shift < n; shift++ {
			got := c[g.at(shift)]
			if want := direct(u, b, shift); math.Abs(got-want) > 1e-9 || math.Abs(got) > 1+1e-9 {
				t.Fatalf("shifted by %d the correlation is %v, by definition %v", shift, got, want)
			}
			if own[g.at(shift)] > own[0]+1e-9 || math.Abs(own[0]-1) > 1e-9 {
				t.Fatalf("a signal correlates with itself by %v and shifted by %d by %v", own[0], shift, own[g.at(shift)])
			}
		}
	})
}

// A signal that does not vary is like nothing.
func TestAConstantSignalHasNoSpectrum(t *testing.T) {
	t.Parallel()
	if s := newCorrelator(4).spectrum([]float64{2, 2, 2, 2}); s != nil {
		t.Errorf("the spectrum of a constant is %v", s)
	}
}

// Each operation adds as much where it starts as it takes where it ends; the middle of both,
// weighted, is its length in bins.
func TestEdgesKeepTheLengthOfOperations(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const bin, n = 1000.0, 200
		var intervals []Interval
		total := 0.0
		now := int64(2 * bin)
		for range rapid.IntRange(1, 20).Draw(t, "operations") {
			start := now + rapid.Int64Range(0, 4000).Draw(t, "pause")
			now = start + rapid.Int64Range(0, 4000).Draw(t, "length")
			intervals = append(intervals, Interval{start, now})
			total += float64(now-start) / bin
		}
		sum, moment := 0.0, 0.0
		for i, v := range edges(intervals, 0, bin, n) {
			sum += v
			moment -= float64(i) * v
		}
		if math.Abs(sum) > 1e-9 || math.Abs(moment-total) > 1e-6 {
			t.Fatalf("edges add up to %v and are %v bins apart, want 0 and %v", sum, moment, total)
		}
	})
}

// The obvious way to the value that most bounds allow is to try the end of each.
func TestTheDeepestPointSatisfiesMostBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var bounds []bound
		for range rapid.IntRange(1, 30).Draw(t, "bounds") {
			low := float64(rapid.IntRange(-50, 50).Draw(t, "low"))
			bounds = append(bounds, bound{low, low + float64(rapid.IntRange(0, 20).Draw(t, "room"))})
		}
		depth := func(x float64) (n int) {
			for _, b := range bounds {
				if b.low <= x && x <= b.high {
					n++
				}
			}
			return n
		}
		most := 0
		for _, b := range bounds {
			most = max(most, depth(b.low), depth(b.high))
		}
		if x, n := deepest(bounds); n != most || depth(x) != most {
			t.Fatalf("%v is said to satisfy %d and satisfies %d; %d can be satisfied", x, n, depth(x), most)
		}
	})
}

// Two windows of twenty that are wrong by any amount do not move the line of Theil and Sen (breakdown
// point 29 %; Rousseeuw & Leroy 1987, §3.1).
func TestTheLineOfLagsResistsWrongWindows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lag, drift := rapid.Float64Range(-1e9, 1e9).Draw(t, "lag"), rapid.Float64Range(-1e-4, 1e-4).Draw(t, "drift")
		wrong := rapid.SliceOfNDistinct(rapid.IntRange(0, 19), 0, 2, rapid.ID[int]).Draw(t, "wrong windows")
		samples := make([]sample, 20)
		for i := range samples {
			at := float64(i) * 1e9
			samples[i] = sample{at: at, lag: lag + drift*at, weight: 1}
		}
		for _, i := range wrong {
			samples[i].lag += rapid.Float64Range(-1e8, 1e8).Draw(t, "error")
		}
		var m Match
		m.fit(samples)
		if math.Abs(m.drift-drift) > 1e-12 || math.Abs(m.lag-lag) > 1 {
			t.Fatalf("the line is %v ns + %v·t, want %v ns + %v·t", m.lag, m.drift, lag, drift)
		}
	})
}
