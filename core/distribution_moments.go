package core

import "math"

// Expectation returns E[X] in the unit of the field that holds d. The zero
// value has expectation 0, a Pareto law with Shape ≤ 1 has +Inf.
func (d Distribution) Expectation() float64 {
	switch d.Kind {
	case Constant:
		return d.Value
	case Exponential, Erlang, Lognormal, Gamma, Weibull:
		return d.Mean
	case Hyperexponential:
		return dot(d.Weights, d.Means)
	case Pareto:
		if d.Shape <= 1 {
			return math.Inf(1)
		}
		return d.Min * d.Shape / (d.Shape - 1)
	case Uniform:
		return (d.Min + d.Max) / 2
	case Empirical:
		var sum float64
		for i := 1; i < len(d.Values); i++ {
			sum += (d.Probabilities[i] - d.Probabilities[i-1]) * (d.Values[i] + d.Values[i-1]) / 2
		}
		return sum
	case Discrete:
		return dot(d.Weights, d.Values)
	case Mixture:
		var sum float64
		for i, c := range d.Components {
			sum += d.Weights[i] * c.Expectation()
		}
		return sum
	}
	return 0
}

// Variance returns E[(X − E X)²]. It is +Inf for a Pareto law with Shape ≤ 2.
func (d Distribution) Variance() float64 {
	mean := d.Expectation()
	switch d.Kind {
	case Constant:
		return 0
	case Exponential:
		return mean * mean
	case Erlang:
		return mean * mean / float64(d.Phases)
	case Lognormal, Gamma:
		return mean * mean * d.CV * d.CV
	case Weibull:
		return mean * mean * (math.Gamma(1+2/d.Shape)/sq(math.Gamma(1+1/d.Shape)) - 1)
	case Pareto:
		if d.Shape <= 2 {
			return math.Inf(1)
		}
		return sq(d.Min) * d.Shape / (sq(d.Shape-1) * (d.Shape - 2))
	case Uniform:
		return sq(d.Max-d.Min) / 12
	case Hyperexponential:
		var second float64
		for i, w := range d.Weights {
			second += w * 2 * sq(d.Means[i])
		}
		return math.Max(0, second-mean*mean)
	case Empirical:
		// Within a linear piece X is uniform between its ends.
		var sum float64
		for i := 1; i < len(d.Values); i++ {
			lo, hi := d.Values[i-1], d.Values[i]
			sum += (d.Probabilities[i] - d.Probabilities[i-1]) * (sq((lo+hi)/2-mean) + sq(hi-lo)/12)
		}
		return sum
	case Discrete:
		var sum float64
		for i, w := range d.Weights {
			sum += w * sq(d.Values[i]-mean)
		}
		return sum
	case Mixture:
		var sum float64
		for i, c := range d.Components {
			sum += d.Weights[i] * (c.Variance() + sq(c.Expectation()-mean))
		}
		return sum
	}
	return 0
}

// SCV returns the squared coefficient of variation, Variance/Expectation²; 0
// when the expectation is 0.
func (d Distribution) SCV() float64 {
	mean := d.Expectation()
	if mean == 0 {
		return 0
	}
	return d.Variance() / (mean * mean)
}

// Scaled returns the law of by·X. It panics if by is negative or not finite.
func (d Distribution) Scaled(by float64) Distribution {
	if !(by >= 0) || math.IsInf(by, 1) {
		panic("core: Distribution scaled by a number that is not finite and ≥ 0")
	}
	if d.IsZero() || by == 1 {
		return d
	}
	if by == 0 {
		return Distribution{Kind: Constant, Samples: d.Samples}
	}
	d.Value *= by
	d.Mean *= by
	d.Min *= by
	d.Max *= by
	d.Values = scaled(d.Values, by)
	d.Means = scaled(d.Means, by)
	if d.Components != nil {
		components := make([]Distribution, len(d.Components))
		for i, c := range d.Components {
			components[i] = c.Scaled(by)
		}
		d.Components = components
	}
	return d
}

func scaled(values []float64, by float64) []float64 {
	if values == nil {
		return nil
	}
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v * by
	}
	return out
}

func dot(a, b []float64) float64 {
	var sum float64
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func sq(x float64) float64 { return x * x }
