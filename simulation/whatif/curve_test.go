package whatif

import (
	"math"
	"slices"
	"testing"

	"tierscope/core"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

// mm1 is the mean response time of M/M/1 with a service time of 10 ms.
func mm1(rate float64) float64 { return 0.01 / (1 - rate/100) }

func anchors(f func(float64) float64, at ...float64) []Anchor {
	var out []Anchor
	for _, v := range at {
		out = append(out, Anchor{At: v, Mean: f(v), Lo: 0.98 * f(v), Hi: 1.02 * f(v)})
	}
	return out
}

// A curve that grows a hundredfold is followed from six of its points.
func TestTheBandHoldsWhatLiesBetweenThePoints(t *testing.T) {
	t.Parallel()
	bend := func(v float64) float64 { return math.Min(v, 4) } // throughput of v workers on four cores
	for _, c := range []struct {
		name string
		f    func(float64) float64
		at   []float64
	}{
		{"M/M/1", mm1, []float64{5, 12, 29, 45, 69, 95}},
		{"a bend", bend, []float64{1, 2, 3, 6, 9, 16}},
	} {
		curve := NewCurve(anchors(c.f, c.at...), nil)
		last := c.at[len(c.at)-1]
		for v := c.at[0]; v <= last; v += (last - c.at[0]) / 200 {
			a, ok := curve.At(v)
			if !ok || c.f(v) < a.Lo || c.f(v) > a.Hi {
				t.Errorf("%s at %.3g: %.4g is outside of %.4g [%.4g, %.4g]", c.name, v, c.f(v), a.Mean, a.Lo, a.Hi)
			}
		}
	}
}

// At a simulated point the curve is that point, and its band the interval.
func TestTheCurveGoesThroughItsPoints(t *testing.T) {
	t.Parallel()
	points := anchors(mm1, 10, 50, 90)
	curve := NewCurve(points, nil)
	for _, p := range points {
		a, ok := curve.At(p.At)
		if !ok || math.Abs(a.Mean/p.Mean-1) > 1e-9 || math.Abs(a.Hi/p.Hi-1) > 1e-9 {
			t.Errorf("at %g the curve is %+v, want the point %+v", p.At, a, p)
		}
	}
	for _, v := range []float64{9.9, 90.1} {
		if _, ok := curve.At(v); ok {
			t.Errorf("the curve says something at %g, where nothing was simulated", v)
		}
	}
}

// An estimate that errs by a constant factor has the right shape: with it three
// points are enough where without it the band is wide.
func TestAnEstimateLendsItsShapeOnlyIfItHelps(t *testing.T) {
	t.Parallel()
	points := anchors(mm1, 10, 50, 95)
	width := func(c *Curve) float64 {
		a, _ := c.At(85)
		return a.Hi / a.Lo
	}
	without := width(NewCurve(points, nil))
	good := NewCurve(points, func(v float64) float64 { return 1.3 * mm1(v) })
	if a, _ := good.At(85); math.Abs(a.Mean/mm1(85)-1) > 0.01 || width(good) > 1.1 {
		t.Errorf("with the shape of M/M/1 the curve at 85 is %+v, want %.4g within 1 %%", a, mm1(85))
	}
	wrong := NewCurve(points, func(v float64) float64 { return 1 / mm1(v) })
	if w := width(wrong); w != without {
		t.Errorf("an estimate of another shape makes the band %.3g wide instead of %.3g", w, without)
	}
}

func TestOnePointIsNoCurve(t *testing.T) {
	t.Parallel()
	if c := NewCurve(anchors(mm1, 10), nil); c != nil {
		t.Errorf("a curve of one point: %+v", c)
	}
	same := anchors(mm1, 10, 10)
	if c := NewCurve(same, nil); c != nil {
		t.Errorf("a curve of one point twice: %+v", c)
	}
}

func TestValuesBeginWithThePresentOneAndTheEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p    core.Parameter
		at   float64
		want []float64
	}{
		// A quarter of 4 and four times 8; then the middles √(1·8) = 3, √(8·32) = 16, √(1·3) = 2.
		{core.Parameter{Default: 4, Min: 1, Max: 64, Integer: true}, 8, []float64{8, 1, 32, 3, 16, 2}},
		{core.Parameter{Default: 1, Min: 1, Max: 3, Integer: true}, 1, []float64{1, 3, 2}},
		{core.Parameter{Default: 0, Min: 0, Max: 10}, 0, []float64{0, 10, 5, 2.5, 7.5, 1.25}},
	} {
		if got := Values(c.p, c.at, Points); !slices.Equal(got, c.want) {
			t.Errorf("values of %+v at %g are %v, want %v", c.p, c.at, got, c.want)
		}
	}
}

// What depends on how long one looks is no point of a curve: any number where arrivals exceed the capacity, and what is
// open above where queues remember for longer. Throughput is one there, and a mean that is open for another reason.
func TestACurveHasNoPointWhereQueuesGrow(t *testing.T) {
	t.Parallel()
	result := func(unstable, short bool) *simulation.Result {
		return &simulation.Result{Unstable: unstable, Short: short, Metrics: []simulation.Metric{
			{Name: "R", Of: "class/task", Stat: "mean", Estimate: output.Estimate{Mean: 2, Lo: 1, Hi: math.Inf(1), N: 5}},
			{Name: "X", Of: "class/task", Stat: "mean", Estimate: output.Estimate{Mean: 3, Lo: 2, Hi: 4, N: 5}},
		}}
	}
	for _, c := range []struct{ unstable, short, r, x bool }{{true, false, false, false}, {false, true, false, true}, {false, false, true, true}} {
		for key, want := range map[string]bool{"R class/task mean": c.r, "X class/task mean": c.x} {
			a, ok := AnchorOf(result(c.unstable, c.short), 7, key)
			if ok != want || ok && a.At != 7 {
				t.Errorf("unstable %v, short %v, %s: point %v %v, want one: %v", c.unstable, c.short, key, a, ok, want)
			}
		}
	}
}
