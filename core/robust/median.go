// Package robust has what gonum's package stat lacks of the statistics that a few wrong values do not move.
package robust

import (
	"math"
	"slices"
)

// Median returns the value in the middle of a sample in any order, of an even number the mean of the
// two in the middle (stat.Quantile would take the lower one); NaN for none, as stat.Mean does. The
// sample stays as it is.
func Median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
