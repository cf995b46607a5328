package output

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// Law & Kelton, 3rd ed., Example 4.26: ten observations, 90 % interval
// 1.34 ± 1.833·√(0.17/10) = 1.34 ± 0.24.
func TestIntervalOfLawAndKeltonsExample(t *testing.T) {
	t.Parallel()
	e := Replications([]float64{1.20, 1.50, 1.68, 1.89, 0.95, 1.49, 1.58, 1.55, 0.50, 1.09}, 0.90)
	if math.Abs(e.Mean-1.34) > 0.005 || math.Abs(e.Lo-1.10) > 0.01 || math.Abs(e.Hi-1.58) > 0.005 {
		t.Errorf("%.3f [%.3f, %.3f], want 1.34 [1.10, 1.58]", e.Mean, e.Lo, e.Hi)
	}
}

func TestAnEstimateWithoutIntervalSaysWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		e    Estimate
		want string
	}{
		{"nothing", Replications(nil, 0.95), "nothing was observed"},
		{"one", Replications([]float64{3}, 0.95), "one observation: no interval"},
		{"three", Replications([]float64{3, 4, 5}, 0.95), "only 3 independent observations"},
		{"no tasks", Ratio([]float64{0, 0}, []float64{0, 0}, 0.95), "nothing was observed"},
		{"all tasks in one replication", Ratio([]float64{4, 0}, []float64{2, 0}, 0.95), "one observation: no interval"},
		{"p99 of ten runs", Percentile([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0.99, 0.95), "too few for a 95 % interval of the 99 % quantile"},
	} {
		if got := strings.Join(c.e.Warnings, "; "); !strings.Contains(got, c.want) {
			t.Errorf("%s: warnings %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAnEstimateSurvivesJSON(t *testing.T) {
	t.Parallel()
	for _, e := range []Estimate{
		Replications([]float64{1, 2, 4}, 0.95), Replications([]float64{2}, 0.9), Percentile([]float64{1, 2}, 0.5, 0.95), Exactly(3, 0.95),
	} {
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var got Estimate
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, e) {
			t.Errorf("%+v became %+v by way of %s", e, got, data)
		}
	}
	data, _ := json.Marshal(Replications(nil, 0.95))
	if !strings.Contains(string(data), `"mean":null,"lo":null,"hi":null`) {
		t.Errorf("NaN and infinities as %s, want null", data)
	}
}

// Order statistics of 1…30, median, 95 %: P(10 ≤ B ≤ 20) for B(30, ½) is
// 0.957, so the interval runs from the 10th to the 21st (Conover 1999, table A3).
func TestMedianIntervalUsesTheRanksOfTheTable(t *testing.T) {
	t.Parallel()
	var v []float64
	for i := range 30 {
		v = append(v, float64(30-i))
	}
	e := Percentile(v, 0.5, 0.95)
	if e.Mean != 15 || e.Lo != 10 || e.Hi != 21 {
		t.Errorf("median %g [%g, %g], want 15 [10, 21]", e.Mean, e.Lo, e.Hi)
	}
}

// Values 10, 8, 6, 5 (transient), then 1 ± small: the transient ends after
// the first two batches of five.
func TestMSER5CutsTheTransient(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	var values []float64
	for i := range 500 {
		transient := 0.0
		if i < 60 {
			transient = 20 * math.Exp(-float64(i)/10)
		}
		values = append(values, 1+transient+0.3*r.NormFloat64())
	}
	cut, steady := MSER5(values)
	if !steady || cut < 20 || cut > 80 {
		t.Errorf("cut %d, steady %t, want a cut near 40 (where the transient sinks below the noise)", cut, steady)
	}
	for i := range values {
		values[i] += float64(i)
	}
	if cut, steady := MSER5(values); steady {
		t.Errorf("a rising process is called steady after %d values", cut)
	}
}

// The slope of value = 3·time is 3 per tick; a stationary one is not clearly
// different from 0.
func TestGrowthIsTheSlopeOfTheSignal(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	var rising, level []*Series
	for range 5 {
		a, b := NewSeries(64, 10), NewSeries(64, 10)
		for now := range int64(5000) {
			a.Add(now, 3*float64(now)+10*r.NormFloat64())
			b.Add(now, 7+r.NormFloat64())
		}
		rising, level = append(rising, a), append(level, b)
	}
	if g := Growth(rising, 1000, 5000, 0.99); math.Abs(g.Mean-3) > 0.01 {
		t.Errorf("slope %g, want 3", g.Mean)
	}
	if g := Growth(level, 1000, 5000, 0.99); g.Lo > 0 || g.Hi < 0 {
		t.Errorf("slope of a stationary signal [%g, %g], want 0 inside", g.Lo, g.Hi)
	}
}

// An AR(1) process has lag-1 correlation φ.
func TestLag1FindsCorrelation(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	x := autoregressive(r, 0.6, 0)
	if c, p := Lag1(times(400, x)); math.Abs(c-0.6) > 0.12 || p > 1e-6 {
		t.Errorf("correlation %.2f with p = %g, want 0.6 and p near 0", c, p)
	}
	if c, p := Lag1(times(400, r.NormFloat64)); math.Abs(c) > 0.15 || p < 0.01 {
		t.Errorf("correlation of independent values %.2f with p = %g, want 0", c, p)
	}
	s := NewSeries(128, 1)
	for i := range 128 {
		s.Add(int64(i), x())
	}
	if e := BatchMeans(s, 0, 32, 0.95); len(e.Warnings) == 0 {
		t.Errorf("32 batches of 4 observations with correlation 0.6 give no warning")
	}
}

func TestCommonRandomNumbersNarrowTheDifference(t *testing.T) {
	t.Parallel()
	a, b := commonPairs(rand.New(rand.NewPCG(9, 10)), 10)
	paired, independent := Paired(a, b, 0.95), Independent(a, b, 0.95)
	if p, i := paired.Absolute.HalfWidth(), independent.Absolute.HalfWidth(); p > i/2 {
		t.Errorf("half-width %g paired and %g independent, want less than half", p, i)
	}
	if !paired.Clear() {
		t.Errorf("difference of 0.5 not clear: %+v", paired.Absolute)
	}
}

// Fieller's interval of two constants is their ratio; with a reference that
// may be 0 there is none.
func TestRelativeDifferenceNeedsAReferenceApartFromZero(t *testing.T) {
	t.Parallel()
	if d := Paired([]float64{2, 2, 2}, []float64{3, 3, 3}, 0.95).Relative; d.Mean != 0.5 || d.Lo != 0.5 || d.Hi != 0.5 {
		t.Errorf("3 against 2 is %+v, want exactly 0.5", d)
	}
	if d := Paired([]float64{-1, 1, 2, -2}, []float64{3, 4, 5, 3}, 0.95).Relative; !math.IsInf(d.Hi, 1) || len(d.Warnings) == 0 {
		t.Errorf("against a reference around 0: %+v, want no interval and a warning", d)
	}
}

func TestStoppingRuleGrowsGeometrically(t *testing.T) {
	t.Parallel()
	rule := Stopping{Precision: 0.05, Min: 10, Max: 100}
	for _, c := range []struct {
		n     int
		worst float64
		want  int
	}{
		{0, math.Inf(1), 10}, // the least number first
		{10, 0.04, 10},       // precise enough
		{10, 0.0499, 12},     // not by the corrected target 0.05/1.05: 20 % more
		{10, 0.06, 16},       // (0.06/0.0476)² = 1.59 times as many
		{10, 0.5, 20},        // at most twice as many
		{80, 0.2, 100},       // not beyond Max
		{100, 0.2, 100},      // Max: give up
	} {
		if got := rule.Next(c.n, c.worst); got != c.want {
			t.Errorf("after %d replications at %g: look again at %d, want %d", c.n, c.worst, got, c.want)
		}
	}
}
