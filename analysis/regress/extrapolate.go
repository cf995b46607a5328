package regress

import (
	"cmp"
	"math"
	"slices"
)

// largestShare of the samples are predicted from the others to see how well a
// model extrapolates.
const largestShare = 4 // one in …

// splitByLargest returns the samples with the smaller values of a variable, and the
// quarter with the larger ones. Equal values stay together, with the smaller.
func splitByLargest(samples []Sample, value func(Sample) float64) (small, large []Sample) {
	sorted := slices.Clone(samples)
	slices.SortStableFunc(sorted, func(a, b Sample) int { return cmp.Compare(value(a), value(b)) })
	k := len(sorted) - len(sorted)/largestShare
	for k < len(sorted) && k > 0 && value(sorted[k]) == value(sorted[k-1]) {
		k++
	}
	return sorted[:k], sorted[k:]
}

// extrapolated returns the accuracy of a model on the largest inputs, with the
// coefficients of the others; 0 if there is no telling. What is large is said by the
// variable of the model that spans most.
func extrapolated(samples []Sample, m Model, o Options) float64 {
	name, span := "", 0.0
	for _, input := range m.Inputs() {
		lo, hi := rangeOf(samples, func(s Sample) float64 { return s.Variables[input] })
		if r := hi / lo; lo > 0 && r > span {
			name, span = input, r
		}
	}
	if name == "" || m.Form == TreeForm {
		return 0
	}
	small, large := splitByLargest(samples, func(s Sample) float64 { return s.Variables[name] })
	if len(large) == 0 || len(small) <= len(m.Coefficients) {
		return 0
	}
	part := fitTerms(small, m.Terms, m.Form, o)
	if part == nil {
		return 0
	}
	return Accuracy(large, *part)
}

func rangeOf(samples []Sample, value func(Sample) float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, s := range samples {
		lo, hi = math.Min(lo, value(s)), math.Max(hi, value(s))
	}
	return lo, hi
}
