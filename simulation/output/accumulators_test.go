package output

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A quantile of a sketch differs from the order statistic of the same rank by
// at most SketchError.
func TestSketchQuantilesAreWithinItsRelativeError(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(
			rapid.Float64Range(1e-9, 1e6), rapid.Float64Range(0, 1e-3), rapid.Just(0.0), rapid.Just(2.5),
		), 1, 300).Draw(t, "values")
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		var s Sketch
		for _, v := range values {
			s.Add(v)
		}
		want := slices.Sorted(slices.Values(values))[max(int(math.Ceil(p*float64(len(values)))), 1)-1]
		got := s.Quantile(p)
		if math.Abs(got-want) > SketchError*want+math.Exp2(-40) {
			t.Fatalf("quantile %g of %v = %g, want %g within %g", p, values, got, want, SketchError)
		}
	})
}

// The median of an exponential law is ln 2 / λ and its 99th percentile
// ln 100 / λ: the sampling error of 10⁶ observations (99.9 %: 0.35 % and
// 1.1 %) and the sketch's add up. A correct program would fail with fresh
// seeds about once in 500 runs.
func TestSketchOfExponentialObservations(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var s Sketch
	const lambda, n = 4.0, 1_000_000
	for range n {
		s.Add(r.ExpFloat64() / lambda)
	}
	for _, c := range []struct{ p, want, tolerance float64 }{
		{0.5, math.Ln2 / lambda, 0.0035}, {0.99, math.Log(100) / lambda, 0.011},
	} {
		if got := s.Quantile(c.p); math.Abs(got/c.want-1) > c.tolerance+SketchError {
			t.Errorf("quantile %g of Exp(%g) = %g, want %g", c.p, lambda, got, c.want)
		}
		if got := s.Below(c.want); math.Abs(got-c.p) > 0.002 {
			t.Errorf("share of Exp(%g) below %g = %g, want %g", lambda, c.want, got, c.p)
		}
	}
	if s.Count() != n || math.Abs(s.Mean()*lambda-1) > 0.004 {
		t.Errorf("count %d and mean %g, want %d and %g", s.Count(), s.Mean(), n, 1/lambda)
	}
}

func TestMergedSketchesEqualTheSketchOfAllObservations(t *testing.T) {
	t.Parallel()
	values := rapid.SliceOf(rapid.Float64Range(0, 1e4))
	rapid.Check(t, func(t *rapid.T) {
		a, b := values.Draw(t, "a"), values.Draw(t, "b")
		var sa, sb, all Sketch
		for _, v := range a {
			sa.Add(v)
			all.Add(v)
		}
		for _, v := range b {
			sb.Add(v)
			all.Add(v)
		}
		sa.Merge(&sb)
		for _, p := range []float64{0, 0.1, 0.5, 0.9, 1} {
			if x, y := sa.Quantile(p), all.Quantile(p); x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
				t.Fatalf("quantile %g of the merged sketch is %g, of all observations %g", p, x, y)
			}
		}
		if sa.Count() != all.Count() || math.Abs(sa.Sum()-all.Sum()) > 1e-9*all.Sum() {
			t.Fatalf("merged count %d sum %g, want %d, %g", sa.Count(), sa.Sum(), all.Count(), all.Sum())
		}
	})
}

func TestSketchMemoryIsBounded(t *testing.T) {
	t.Parallel()
	var s Sketch
	for e := -1000.0; e < 1000; e++ {
		s.Add(math.Exp2(e))
	}
	if limit := 81 << sketchBits; len(s.counts) > limit {
		t.Errorf("%d buckets for numbers from 2^-1000 to 2^999, want at most %d", len(s.counts), limit)
	}
	if s.Min() != math.Exp2(-1000) || s.Max() != math.Exp2(999) {
		t.Errorf("extremes %g and %g, want 2^-1000 and 2^999", s.Min(), s.Max())
	}
}

func TestCDFRunsFromMinimumToMaximum(t *testing.T) {
	t.Parallel()
	var s Sketch
	for i := range 10_000 {
		s.Add(float64(i))
	}
	cdf := s.CDF(100)
	if len(cdf) > 130 || cdf[0] != (Point{0, 0}) || cdf[len(cdf)-1] != (Point{9999, 1}) {
		t.Fatalf("%d points from %v to %v, want about 100 from {0 0} to {9999 1}", len(cdf), cdf[0], cdf[len(cdf)-1])
	}
	if !slices.IsSortedFunc(cdf, func(a, b Point) int {
		if a.X <= b.X && a.P <= b.P {
			return -1
		}
		return 1
	}) {
		t.Errorf("not ascending: %v", cdf)
	}
	for _, p := range cdf[1:] { // uniform on 0…9999: P(x) = (x+1)/10⁴
		if want := (p.X + 1) / 10_000; math.Abs(p.P-want) > 2*SketchError {
			t.Errorf("P(%g) = %g, want %g", p.X, p.P, want)
		}
	}
}

// 1e9 and 1e9+1 have variance 1/2; sums of squares in float64 would lose it.
func TestTallyKeepsSmallVariancesOfLargeNumbers(t *testing.T) {
	t.Parallel()
	var a Tally
	a.Add(1e9)
	a.Add(1e9 + 1)
	if a.Variance() != 0.5 || a.Mean() != 1e9+0.5 {
		t.Errorf("variance %g, mean %f, want 0.5 and 1000000000.5", a.Variance(), a.Mean())
	}
}

func TestMergedTalliesEqualTheTallyOfAllObservations(t *testing.T) {
	t.Parallel()
	values := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), 2, 50)
	rapid.Check(t, func(t *rapid.T) {
		a, b := values.Draw(t, "a"), values.Draw(t, "b")
		var ta, tb, all Tally
		for i, v := range append(slices.Clone(a), b...) {
			all.Add(v)
			if i < len(a) {
				ta.Add(v)
			} else {
				tb.Add(v)
			}
		}
		ta.Merge(&tb)
		if math.Abs(ta.Mean()-all.Mean()) > 1e-9 || math.Abs(ta.Variance()-all.Variance()) > 1e-6 ||
			ta.Min() != all.Min() || ta.Max() != all.Max() || ta.Count() != all.Count() {
			t.Fatalf("merged %+v, want %+v", ta, all)
		}
	})
}

// 1 for 2 ticks, 3 for 4 ticks, 0 for 4 ticks: (2 + 12 + 0)/10.
func TestTimeAverageWeighsValuesWithTheirDuration(t *testing.T) {
	t.Parallel()
	var a TimeAverage
	a.Set(0, 1)
	a.Add(2, 2)
	a.Add(6, -3)
	if got := a.Mean(10); got != 1.4 {
		t.Errorf("mean %g, want 1.4", got)
	}
	if a.Max() != 3 {
		t.Errorf("maximum %g, want 3", a.Max())
	}
	a.Set(10, 2)
	a.Restart(12)
	if got := a.Mean(14); got != 2 {
		t.Errorf("mean after a restart %g, want 2", got)
	}
}

func TestSeriesKeepsEveryObservationInItsBatch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		gaps := rapid.SliceOf(rapid.Int64Range(0, 1000)).Draw(t, "gaps")
		s := NewSeries(16, 3)
		var times []int64
		now := int64(0)
		for _, g := range gaps {
			now += g
			times = append(times, now)
			s.Add(now, float64(now))
		}
		for i := range s.Len() {
			var n int64
			var sum float64
			for _, at := range times {
				if at/s.Width() == int64(i) {
					n++
					sum += float64(at)
				}
			}
			if n != s.Count(i) || sum != s.Sum(i) {
				t.Fatalf("bin %d of %d ticks has %d observations with sum %g, want %d with %g", i, s.Width(), s.Count(i), s.Sum(i), n, sum)
			}
		}
		if last := int(now / s.Width()); len(gaps) > 0 && s.Len() != last+1 {
			t.Fatalf("%d bins, want %d", s.Len(), last+1)
		}
	})
}

func BenchmarkSketchAdd(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, 4096)
	for i := range values {
		values[i] = r.ExpFloat64()
	}
	var s Sketch
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		s.Add(values[i&4095])
		i++
	}
}

func BenchmarkTallyAdd(b *testing.B) {
	var s Tally
	b.ReportAllocs()
	x := 1.0
	for b.Loop() {
		s.Add(x)
		x += 0.5
	}
}

func BenchmarkTimeAverageSet(b *testing.B) {
	var s TimeAverage
	b.ReportAllocs()
	now := int64(0)
	for b.Loop() {
		now++
		s.Set(now, float64(now&7))
	}
}

func BenchmarkSeriesAdd(b *testing.B) {
	s := NewSeries(512, 100)
	b.ReportAllocs()
	now := int64(0)
	for b.Loop() {
		now++
		s.Add(now, 1)
	}
}
