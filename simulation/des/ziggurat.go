package des

import "math"

// The ziggurat method (Marsaglia & Tsang 2000) covers a decreasing density with
// layers of equal area: a random layer, a random point in it, and nearly always
// the point lies under the density, which one comparison shows.

const layers = 256

type ziggurat struct {
	x [layers + 1]float64 // right edges; x[0] is that of the base with its tail folded in
	y [layers + 1]float64 // density at x
	// fast is what nearly every variate needs, in one cache line: of a point at
	// b·2⁻⁵³ of the way to x[i], for a random integer b below 2⁵³.
	fast [layers]struct {
		accept uint64  // below it the point lies under the density: ⌈2⁵³·x[i+1]/x[i]⌉
		scale  float64 // x[i]·2⁻⁵³
	}
}

// newZiggurat builds the layers of a density f with inverse g, given the start r
// of the tail and the area v of a layer.
func newZiggurat(f, g func(float64) float64, r, v float64) *ziggurat {
	z := new(ziggurat)
	z.x[0], z.x[1] = v/f(r), r
	z.y[0], z.y[1] = 0, f(r)
	for i := 2; i < layers; i++ {
		z.x[i] = g(z.y[i-1] + v/z.x[i-1])
		z.y[i] = f(z.x[i])
	}
	z.x[layers], z.y[layers] = 0, 1
	for i := range z.fast {
		z.fast[i].accept, z.fast[i].scale = uint64(math.Ceil(0x1p53*z.x[i+1]/z.x[i])), z.x[i]*0x1p-53
	}
	return z
}

// Start of the tail and area of a layer for 256 layers (Marsaglia & Tsang 2000).
const (
	exponentialTail, exponentialArea = 7.69711747013104972, 0.0039496598225815571993
	normalTail, normalArea           = 3.6541528853610088, 0.00492867323399
)

var (
	exponential = *newZiggurat(
		func(x float64) float64 { return math.Exp(-x) },
		func(y float64) float64 { return -math.Log(y) },
		exponentialTail, exponentialArea)
	normal = newZiggurat(
		func(x float64) float64 { return math.Exp(-x * x / 2) },
		func(y float64) float64 { return math.Sqrt(-2 * math.Log(y)) },
		normalTail, normalArea)
)

// Exponential returns an exponential variate of mean 1.
func (s *Stream) Exponential() float64 {
	b := s.Uint64()
	f := &exponential.fast[b%layers]
	if b>>11 < f.accept {
		return float64(int64(b>>11)) * f.scale
	}
	return s.exponentialEdge(b)
}

// ExponentialTime returns an exponential variate of the given mean in
// nanoseconds, rounded to the clock as Round does.
func (s *Stream) ExponentialTime(mean float64) Time {
	b := s.Uint64()
	f := &exponential.fast[b%layers]
	ns := mean * (float64(int64(b>>11)) * f.scale)
	if b>>11 < f.accept && ns >= roundExactly && ns < safeTime {
		return Time(ns + 0.5)
	}
	return s.exponentialTimeEdge(b, mean)
}

// ExponentialTimes fills times, from the last to the first, with what as many
// calls of ExponentialTime return. Meanwhile the state of the stream is in
// registers.
func (s *Stream) ExponentialTimes(mean float64, times []Time) {
	if mean >= safeTime/(exponentialTail+1) { // too long for what follows: no point under the density is beyond the tail
		for i := len(times) - 1; i >= 0; i-- {
			times[i] = s.ExponentialTime(mean)
		}
		return
	}
	g := *s
	for ; len(times) > 0; times = times[:len(times)-1] {
		var b uint64
		b, g = g.next()
		f := &exponential.fast[b%layers]
		ns := mean * (float64(int64(b>>11)) * f.scale)
		if b>>11 < f.accept && ns >= roundExactly {
			times[len(times)-1] = Time(ns + 0.5)
			continue
		}
		*s = g
		times[len(times)-1] = s.exponentialTimeEdge(b, mean)
		g = *s
	}
	*s = g
}

// exponentialTimeEdge is ExponentialTime for bits b that do not lie under the
// density for sure, or a time that is not simply rounded.
func (s *Stream) exponentialTimeEdge(b uint64, mean float64) Time {
	return s.Round(mean * s.exponentialEdge(b))
}

// exponentialEdge is Exponential for bits b that may not lie under the density.
func (s *Stream) exponentialEdge(b uint64) float64 {
	z, shift := &exponential, 0.0
	for {
		i := b % layers
		x := float64(int64(b>>11)) * z.fast[i].scale
		switch {
		case b>>11 < z.fast[i].accept:
			return shift + x
		case i == 0: // memoryless: the tail is the density again, moved
			shift += exponentialTail
		case z.y[i]+s.Float64()*(z.y[i+1]-z.y[i]) < math.Exp(-x):
			return shift + x
		}
		b = s.Uint64()
	}
}

// Normal returns a standard normal variate.
func (s *Stream) Normal() float64 {
	for {
		b := s.Uint64()
		i := b & (layers - 1)
		u := int64(b) >> 10 // in [−2⁵³, 2⁵³), layer bits excluded
		z := normal
		x := float64(u) * z.fast[i].scale
		switch {
		case uint64(max(u, -u)) < z.fast[i].accept:
			return x
		case i == 0: // Marsaglia's tail
			for {
				a := s.Exponential() / normalTail
				if 2*s.Exponential() > a*a {
					return math.Copysign(normalTail+a, x)
				}
			}
		case z.y[i]+s.Float64()*(z.y[i+1]-z.y[i]) < math.Exp(-x*x/2):
			return x
		}
	}
}
