package diskio

import (
	"slices"

	"gonum.org/v1/gonum/stat"
)

// KolmogorovSmirnov is the largest difference between the distribution functions
// of two samples.
func KolmogorovSmirnov(a, b []float64) float64 { return max(above(a, b), above(b, a)) }

// above is the most by which the distribution function of a lies above that of b.
func above(a, b []float64) float64 {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	most, j := 0.0, 0
	for i, x := range a {
		for j < len(b) && b[j] <= x {
			j++
		}
		most = max(most, float64(i+1)/float64(len(a))-float64(j)/float64(len(b)))
	}
	return most
}

// Comparison is how far an estimated law of service is from another one.
type Comparison struct {
	Mean     float64 // of the other, seconds
	Error    float64 // of the estimated mean, as a share of Mean
	Distance float64 // Kolmogorov–Smirnov
	Within   float64 // seconds within which times must count as equal for a distance of closeEnough
}

// closeEnough is the distance between distribution functions that Comparison.Within
// is for. A constant is a step: an error of a microsecond can move its distribution
// function by 1.
const closeEnough = 0.05

func compareLaws(estimated, other []float64) Comparison {
	c := Comparison{Mean: stat.Mean(other, nil), Distance: KolmogorovSmirnov(estimated, other)}
	c.Error = stat.Mean(estimated, nil)/c.Mean - 1
	moved := func(by float64) []float64 {
		m := slices.Clone(other)
		for i := range m {
			m[i] += by
		}
		return m
	}
	far := func(by float64) bool {
		return max(above(estimated, moved(-by)), above(moved(by), estimated)) > closeEnough
	}
	if !far(0) {
		return c
	}
	low, high := 0.0, c.Mean
	for range 30 { // to a billionth of the mean
		if middle := (low + high) / 2; far(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	c.Within = high
	return c
}
