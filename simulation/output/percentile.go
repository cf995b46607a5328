package output

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Percentile estimates the p-quantile of a distribution from independent
// observations, such as the makespans of whole runs, with the
// distribution-free interval between two order statistics (David & Nagaraja
// 2003, §7.1): the numbers of observations below the quantile is binomial.
// A side on which the sample is too small for the confidence is unbounded.
// It panics unless 0 < p < 1 and 0 < confidence < 1.
func Percentile(values []float64, p, confidence float64) Estimate {
	checkConfidence(confidence)
	if !(p > 0 && p < 1) {
		panic("output: percentile outside 0…1")
	}
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	e := Estimate{Mean: math.NaN(), Lo: math.Inf(-1), Hi: math.Inf(1), N: n, Confidence: confidence, Samples: values}
	if n == 0 {
		return e.Warn("nothing was observed")
	}
	e.Mean = stat.Quantile(p, stat.Empirical, sorted, nil)
	if sorted[0] == sorted[n-1] && n > 1 {
		e.Lo, e.Hi = e.Mean, e.Mean // a constant: as far as anybody can see
		return e
	}
	below := distuv.Binomial{N: float64(n), P: p}
	tail := (1 - confidence) / 2
	// The r-th smallest exceeds the quantile with probability P(B < r).
	for r := 1; r <= n && below.CDF(float64(r-1)) <= tail; r++ {
		e.Lo = sorted[r-1]
	}
	for r := n; r >= 1 && 1-below.CDF(float64(r-1)) <= tail; r-- {
		e.Hi = sorted[r-1]
	}
	if math.IsInf(e.Lo, 0) || math.IsInf(e.Hi, 0) {
		e = e.Warn("%d independent observations are too few for a %g %% interval of the %g %% quantile", n, 100*confidence, 100*p)
	}
	return e
}
