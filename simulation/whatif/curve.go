package whatif

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/interp"
)

// Anchor is a simulated point of a curve: a mean with its interval. An infinite
// or missing interval says nothing of its noise.
type Anchor struct {
	At           float64 // value of the knob
	Mean, Lo, Hi float64
}

// noise returns how far the interval reaches to each side on the scale of the
// curve.
func (a Anchor) noise(scale func(float64) float64) (below, above float64) {
	finite := func(w float64) float64 {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return 0
		}
		return w
	}
	return finite(scale(a.Mean) - scale(a.Lo)), finite(scale(a.Hi) - scale(a.Mean))
}

// Curve is what simulated points say of the values between them.
type Curve struct {
	anchors  []Anchor // ascending
	ratios   bool     // the mean is interpolated by its logarithm, as all are positive
	logAt    bool     // and so is the knob
	shape    func(float64) float64
	through  interp.FritschButland
	line     interp.PiecewiseLinear
	cubic    bool
	surprise []float64 // by anchor: how far it lies from what its neighbours would say, on the scale of the curve
}

// leastAnchors is the number of points below which there is no curve.
const leastAnchors = 2

// NewCurve returns the curve through simulated points, nil for fewer than two.
// estimate is the analytic forecast of the same quantity, nil or not finite where
// there is none: of interpolating the points and of interpolating their ratio to
// the estimate it takes the one by which each point is better foretold by the
// others.
func NewCurve(anchors []Anchor, estimate func(float64) float64) *Curve {
	c := &Curve{anchors: slices.Clone(anchors), ratios: true, logAt: true}
	slices.SortFunc(c.anchors, func(a, b Anchor) int { return cmp.Compare(a.At, b.At) })
	c.anchors = slices.CompactFunc(c.anchors, func(a, b Anchor) bool { return a.At == b.At })
	if len(c.anchors) < leastAnchors {
		return nil
	}
	for _, a := range c.anchors {
		c.ratios, c.logAt = c.ratios && a.Mean > 0, c.logAt && a.At > 0
	}
	plain := c.fit(func(float64) float64 { return 0 })
	if estimate == nil || !c.ratios {
		return plain
	}
	shaped := c.fit(func(v float64) float64 { return math.Log(estimate(v)) })
	if shaped == nil || rms(shaped.surprise) >= rms(plain.surprise) {
		return plain
	}
	return shaped
}

// fit interpolates what is left of the points beside a shape, nil if the shape is
// not finite at all of them.
func (c *Curve) fit(shape func(float64) float64) *Curve {
	out := *c
	out.shape = shape
	xs, ys := make([]float64, len(c.anchors)), make([]float64, len(c.anchors))
	for i, a := range c.anchors {
		xs[i], ys[i] = c.x(a.At), c.y(a.Mean)-shape(a.At)
		if math.IsNaN(ys[i]) || math.IsInf(ys[i], 0) {
			return nil
		}
	}
	out.surprise = surprises(xs, ys)
	if out.cubic = len(xs) > leastAnchors; out.cubic {
		if out.through.Fit(xs, ys) == nil {
			return &out
		}
		out.cubic = false
	}
	if out.line.Fit(xs, ys) != nil {
		return nil
	}
	return &out
}

// surprises returns how far each point lies from the line between its
// neighbours. The ends have only one: as far as the point beside them.
func surprises(xs, ys []float64) []float64 {
	n := len(xs)
	out := make([]float64, n)
	if n == leastAnchors {
		d := math.Abs(ys[1]-ys[0]) / 2
		return []float64{d, d}
	}
	for i := 1; i < n-1; i++ {
		t := (xs[i] - xs[i-1]) / (xs[i+1] - xs[i-1])
		out[i] = math.Abs(ys[i] - (1-t)*ys[i-1] - t*ys[i+1])
	}
	out[0], out[n-1] = out[1], out[n-2]
	return out
}

func rms(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum / float64(len(v)))
}

func (c *Curve) x(at float64) float64 {
	if c.logAt {
		return math.Log(at)
	}
	return at
}

func (c *Curve) y(mean float64) float64 {
	if c.ratios {
		return math.Log(mean)
	}
	return mean
}

// Anchors returns the simulated points, ascending.
func (c *Curve) Anchors() []Anchor { return c.anchors }

// At returns the curve at a value of the knob with its band, and false outside
// of the simulated points: the curve does not extrapolate.
//
// The band adds the noise of the two points beside the value, and how far a
// curve may stray between them: nothing at the points, and in the middle as far as
// the points there lie from what their neighbours foretell. That is what a line
// over twice the distance misses, so it is more than a smooth curve strays by
// (its error grows with the square of the distance) and as much as a curve with a
// bend does.
func (c *Curve) At(v float64) (a Anchor, ok bool) {
	n := len(c.anchors)
	if !(v >= c.anchors[0].At && v <= c.anchors[n-1].At) {
		return Anchor{}, false
	}
	i := min(before(c.anchors, v), n-2)
	left, right := c.anchors[i], c.anchors[i+1]
	t := (c.x(v) - c.x(left.At)) / (c.x(right.At) - c.x(left.At))
	rest := c.line.Predict
	if c.cubic {
		rest = c.through.Predict
	}
	y := rest(c.x(v)) + c.shape(v)
	if math.IsNaN(y) || math.IsInf(y, 0) {
		return Anchor{}, false
	}
	stray := 4 * t * (1 - t) * math.Max(c.surprise[i], c.surprise[i+1])
	leftBelow, leftAbove := left.noise(c.y)
	rightBelow, rightAbove := right.noise(c.y)
	lo, hi := y-(1-t)*leftBelow-t*rightBelow-stray, y+(1-t)*leftAbove+t*rightAbove+stray
	if c.ratios {
		return Anchor{At: v, Mean: math.Exp(y), Lo: math.Exp(lo), Hi: math.Exp(hi)}, true
	}
	return Anchor{At: v, Mean: y, Lo: lo, Hi: hi}, true
}

// before returns the last anchor that is not right of a value.
func before(anchors []Anchor, v float64) int {
	i, exact := slices.BinarySearchFunc(anchors, v, func(a Anchor, v float64) int { return cmp.Compare(a.At, v) })
	if exact {
		return i
	}
	return max(i-1, 0)
}
