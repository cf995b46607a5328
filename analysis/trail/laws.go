package trail

import (
	"math"
	"slices"

	"tierscope/core"
)

// sketchPoints are the probabilities at which an empirical distribution is
// kept: evenly in the middle, denser towards both tails, where response time
// percentiles come from. Convention, sensitivity slight.
var sketchPoints = []float64{0, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5,
	0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.975, 0.99, 0.995, 0.999, 1}

// Empirical returns the distribution of samples given in ns, in seconds: a
// quantile sketch, linear between its points, scaled so that its mean is that
// of the samples exactly. Of equal samples it is a constant, of none the zero
// value. It sorts samples.
func Empirical(samples []int64) core.Distribution {
	n := len(samples)
	if n == 0 {
		return core.Distribution{}
	}
	slices.Sort(samples)
	sum := 0.0
	for _, s := range samples {
		sum += float64(s)
	}
	mean := sum / float64(n) * 1e-9
	if samples[0] == samples[n-1] {
		return core.Distribution{Kind: core.Constant, Value: mean, Samples: int64(n)}
	}
	d := core.Distribution{Kind: core.Empirical, Samples: int64(n)}
	for _, p := range sketchPoints {
		d.Probabilities = append(d.Probabilities, p)
		d.Values = append(d.Values, quantile(samples, p)*1e-9)
	}
	sketch := 0.0
	for i := 1; i < len(d.Values); i++ {
		sketch += (d.Values[i] + d.Values[i-1]) / 2 * (d.Probabilities[i] - d.Probabilities[i-1])
	}
	if sketch > 0 {
		for i := range d.Values {
			d.Values[i] *= mean / sketch
		}
	}
	return d
}

// quantile interpolates between order statistics (Hyndman & Fan type 7).
func quantile(sorted []int64, p float64) float64 {
	h := p * float64(len(sorted)-1)
	i := int(math.Floor(h))
	if i+1 >= len(sorted) {
		return float64(sorted[len(sorted)-1])
	}
	// This form does not fall as p grows, however it rounds.
	return float64(sorted[i]) + (h-float64(i))*float64(sorted[i+1]-sorted[i])
}

// Counts returns the law of whole numbers: a constant if all are equal, else
// a discrete distribution of the values seen, or an empirical one if there
// are many different ones.
func Counts(ns []int64) core.Distribution {
	if len(ns) == 0 {
		return core.Distribution{}
	}
	ns = slices.Clone(ns)
	slices.Sort(ns)
	if ns[0] == ns[len(ns)-1] {
		return core.Distribution{Kind: core.Constant, Value: float64(ns[0]), Samples: int64(len(ns))}
	}
	d := core.Distribution{Kind: core.Discrete, Samples: int64(len(ns))}
	for i := 0; i < len(ns); {
		j := i
		for j < len(ns) && ns[j] == ns[i] {
			j++
		}
		d.Values = append(d.Values, float64(ns[i]))
		d.Weights = append(d.Weights, float64(j-i)/float64(len(ns)))
		i = j
	}
	return d
}

// SecondsOf returns the empirical distribution of samples in seconds.
func SecondsOf(samples []float64) core.Distribution {
	ns := make([]int64, len(samples))
	for i, s := range samples {
		ns[i] = int64(math.Round(s * 1e9))
	}
	return Empirical(ns)
}
