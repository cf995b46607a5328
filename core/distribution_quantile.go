package core

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// CDF returns P(X ≤ x). The zero value is the constant 0.
func (d Distribution) CDF(x float64) float64 {
	if x < 0 {
		return 0
	}
	if law, ok := d.textbook(); ok {
		return law.CDF(x)
	}
	switch d.Kind {
	case Hyperexponential:
		var p float64
		for i, w := range d.Weights {
			p += w * -math.Expm1(-x/d.Means[i])
		}
		return p
	case Empirical:
		return d.sketchCDF(x)
	case Discrete:
		var p float64
		for i, v := range d.Values {
			if v <= x {
				p += d.Weights[i]
			}
		}
		return math.Min(p, 1)
	case Mixture:
		var p float64
		for i, c := range d.Components {
			p += d.Weights[i] * c.CDF(x)
		}
		return math.Min(p, 1)
	default:
		if x < d.Value {
			return 0
		}
		return 1
	}
}

// Quantile returns the smallest x with P(X ≤ x) ≥ p. It panics unless
// 0 ≤ p ≤ 1; at p = 1 it is +Inf for laws without an upper end.
func (d Distribution) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		panic("core: Quantile of a probability outside 0…1")
	}
	if law, ok := d.textbook(); ok {
		if p == 1 && d.Kind != Uniform {
			return math.Inf(1)
		}
		return law.Quantile(p)
	}
	switch d.Kind {
	case Hyperexponential:
		if p == 1 {
			return math.Inf(1)
		}
		return d.invert(p)
	case Empirical:
		return d.sketchQuantile(p)
	case Discrete:
		var sum float64
		for i, v := range d.Values {
			if sum += d.Weights[i]; sum >= p-1e-12 && d.Weights[i] > 0 {
				return v
			}
		}
		return d.Values[len(d.Values)-1]
	case Mixture:
		if p == 0 || p == 1 {
			edge := d.Components[0].Quantile(p)
			for i, c := range d.Components {
				if d.Weights[i] > 0 {
					if q := c.Quantile(p); (p == 0 && q < edge) || (p == 1 && q > edge) {
						edge = q
					}
				}
			}
			return edge
		}
		return d.invert(p)
	default:
		return d.Value
	}
}

// textbook returns the gonum law of the families that have one.
func (d Distribution) textbook() (interface {
	CDF(float64) float64
	Quantile(float64) float64
}, bool) {
	switch d.Kind {
	case Exponential:
		return distuv.Exponential{Rate: 1 / d.Mean}, true
	case Erlang:
		k := float64(d.Phases)
		return distuv.Gamma{Alpha: k, Beta: k / d.Mean}, true
	case Lognormal:
		s2 := math.Log1p(d.CV * d.CV)
		return distuv.LogNormal{Mu: math.Log(d.Mean) - s2/2, Sigma: math.Sqrt(s2)}, true
	case Gamma:
		shape := 1 / (d.CV * d.CV)
		return distuv.Gamma{Alpha: shape, Beta: shape / d.Mean}, true
	case Weibull:
		return distuv.Weibull{K: d.Shape, Lambda: d.Mean / math.Gamma(1+1/d.Shape)}, true
	case Pareto:
		return distuv.Pareto{Xm: d.Min, Alpha: d.Shape}, true
	case Uniform:
		return distuv.Uniform{Min: d.Min, Max: d.Max}, true
	default: // no closed form of ours in gonum, or none needed
		return nil, false
	}
}

// invert solves CDF(x) = p by bisection: the families without a closed
// inverse are asked rarely (plots, tables), never while simulating.
func (d Distribution) invert(p float64) float64 {
	lo, hi := 0.0, 1.0
	if d.CDF(0) >= p {
		return 0
	}
	for d.CDF(hi) < p {
		lo, hi = hi, 2*hi
	}
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid == lo || mid == hi {
			break
		}
		if d.CDF(mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

func (d Distribution) sketchCDF(x float64) float64 {
	n := len(d.Values)
	i := sort.Search(n, func(i int) bool { return d.Values[i] > x }) // first knot beyond x
	switch i {
	case 0:
		return 0
	case n:
		return 1
	}
	share := (x - d.Values[i-1]) / (d.Values[i] - d.Values[i-1])
	return d.Probabilities[i-1] + share*(d.Probabilities[i]-d.Probabilities[i-1])
}

func (d Distribution) sketchQuantile(p float64) float64 {
	i := sort.SearchFloat64s(d.Probabilities, p) // first knot with probability ≥ p
	if i == 0 || d.Probabilities[i] == p {
		return d.Values[i]
	}
	share := (p - d.Probabilities[i-1]) / (d.Probabilities[i] - d.Probabilities[i-1])
	return d.Values[i-1] + share*(d.Values[i]-d.Values[i-1])
}
