package des

import "math"

// The ziggurat method (Marsaglia & Tsang 2000) covers a decreasing density with
// layers of equal area: a random layer, a random point in it, and nearly always
// the point lies under the density, which one comparison shows.

const layers = 256

type ziggurat struct {
	x [layers + 1]float64 // right edges; x[0] is that of the base with its tail folded in
	y [layers + 1]float64 // density at x
	// fast is what nearly every variate needs, in one cache line.
	fast [layers]struct {
		accept float64 // x[i+1]/x[i]: a point below that fraction lies under the density
		x      float64 // x[i]
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
		z.fast[i].accept, z.fast[i].x = z.x[i+1]/z.x[i], z.x[i]
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
	u := float64(int64(b>>11)) * 0x1p-53
	f := &exponential.fast[b&(layers-1)]
	if u < f.accept {
		return u * f.x
	}
	return s.exponentialEdge(b&(layers-1), u)
}

// ExponentialTime returns an exponential variate of the given mean in
// nanoseconds, rounded to the clock as Round does.
func (s *Stream) ExponentialTime(mean float64) Time {
	b := s.Uint64()
	u := float64(int64(b>>11)) * 0x1p-53
	f := &exponential.fast[b&(layers-1)]
	x := u * f.x
	if u >= f.accept {
		x = s.exponentialEdge(b&(layers-1), u)
	}
	if t := Whole(mean * x); t > 0 {
		return t
	}
	return s.Round(mean * x)
}

func (s *Stream) exponentialEdge(i uint64, u float64) float64 {
	shift := 0.0
	for {
		z := &exponential
		x := u * z.x[i]
		switch {
		case u < z.fast[i].accept:
			return shift + x
		case i == 0: // memoryless: the tail is the density again, moved
			shift += exponentialTail
		case z.y[i]+s.Float64()*(z.y[i+1]-z.y[i]) < math.Exp(-x):
			return shift + x
		}
		b := s.Uint64()
		i, u = b&(layers-1), float64(b>>11)*0x1p-53
	}
}

// Normal returns a standard normal variate.
func (s *Stream) Normal() float64 {
	for {
		b := s.Uint64()
		i := b & (layers - 1)
		u := float64(int64(b)>>10) * 0x1p-53 // in [−1, 1), layer bits excluded
		z := normal
		x := u * z.x[i]
		switch {
		case math.Abs(u) < z.fast[i].accept:
			return x
		case i == 0: // Marsaglia's tail
			for {
				a := s.Exponential() / normalTail
				if 2*s.Exponential() > a*a {
					return math.Copysign(normalTail+a, u)
				}
			}
		case z.y[i]+s.Float64()*(z.y[i+1]-z.y[i]) < math.Exp(-x*x/2):
			return x
		}
	}
}
