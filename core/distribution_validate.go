package core

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// sumTolerance is how far probabilities may be from summing to 1: a thousand
// rounded decimals.
const sumTolerance = 1e-6

// Validate reports every defect of d, joined; nil for the zero value, which
// means "not given".
func (d Distribution) Validate() error {
	var errs []error
	add := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }

	positive := func(field string, v float64) {
		if !(v > 0) || math.IsInf(v, 1) {
			add("%s is %v; give a finite number > 0", field, v)
		}
	}
	nonNegative := func(field string, v float64) {
		if !(v >= 0) || math.IsInf(v, 1) {
			add("%s is %v; give a finite number ≥ 0", field, v)
		}
	}
	weights := func(n int, of string) {
		switch {
		case n == 0:
			add("%s is empty; give at least one", of)
		case len(d.Weights) != n:
			add("%d weights for %d %s; give one weight for each", len(d.Weights), n, of)
		default:
			checkProbabilities(add, "weights", d.Weights)
		}
	}

	if n := max(len(d.Values), len(d.Means), len(d.Weights), len(d.Probabilities)); n > mostLaw {
		return fmt.Errorf("has %d entries; keep at most %d, such as every tenth quantile", n, mostLaw)
	}
	switch d.Kind {
	case "":
		if d.used() != nil {
			add("kind is missing; add \"kind\", for example \"kind\": %q", Constant)
		}
		return errors.Join(errs...)
	case Constant:
		nonNegative("value", d.Value)
	case Exponential:
		positive("mean", d.Mean)
	case Erlang:
		positive("mean", d.Mean)
		if d.Phases < 1 {
			add("phases is %d; give at least 1", d.Phases)
		}
	case Hyperexponential:
		weights(len(d.Means), "means")
		for i, m := range d.Means {
			positive(fmt.Sprintf("means[%d]", i), m)
		}
	case Lognormal, Gamma:
		positive("mean", d.Mean)
		if !(d.CV > 0) || math.IsInf(d.CV, 1) {
			add("cv is %v; give a finite number > 0, or use kind %q for a value that never varies", d.CV, Constant)
		}
	case Weibull:
		positive("mean", d.Mean)
		positive("shape", d.Shape)
	case Pareto:
		positive("min", d.Min)
		if !(d.Shape > 1) || math.IsInf(d.Shape, 1) {
			add("shape is %v; give a finite number > 1, below that the mean is infinite", d.Shape)
		}
	case Uniform:
		nonNegative("min", d.Min)
		nonNegative("max", d.Max)
		if d.Max <= d.Min {
			add("max %v is not above min %v; exchange them, or use kind %q", d.Max, d.Min, Constant)
		}
	case Empirical:
		d.validateSketch(add)
	case Discrete:
		weights(len(d.Values), "values")
		for i, v := range d.Values {
			nonNegative(fmt.Sprintf("values[%d]", i), v)
		}
		if !slices.IsSorted(d.Values) {
			add("values do not ascend; sort them together with their weights")
		}
	case Mixture:
		weights(len(d.Components), "components")
		for i, c := range d.Components {
			if c.IsZero() {
				add("components[%d] has no kind; give a distribution", i)
			} else if err := c.Validate(); err != nil {
				add("components[%d]: %w", i, err)
			}
		}
	default:
		add("kind %q is unknown; use one of %s", d.Kind, quoteAll(distributionKinds))
		return errors.Join(errs...)
	}
	if d.Samples < 0 {
		add("samples is %d; give the number of observations or leave it out", d.Samples)
	}
	for _, field := range d.used() {
		if !slices.Contains(distributionFields[d.Kind], field) {
			add("%s is given but kind %q does not use it; remove it or change the kind", field, d.Kind)
		}
	}
	return errors.Join(errs...)
}

func (d Distribution) validateSketch(add func(string, ...any)) {
	n := len(d.Values)
	if n < 2 || len(d.Probabilities) != n {
		add("%d values and %d probabilities; give the same number of each, at least 2", n, len(d.Probabilities))
		return
	}
	for i, v := range d.Values {
		if !(v >= 0) || math.IsInf(v, 1) {
			add("values[%d] is %v; give a finite number ≥ 0", i, v)
		}
		if p := d.Probabilities[i]; !(p >= 0 && p <= 1) {
			add("probabilities[%d] is %v; give a number in 0…1", i, p)
		}
	}
	if !slices.IsSorted(d.Values) {
		add("values do not ascend; sort them")
	}
	if !slices.IsSorted(d.Probabilities) {
		add("probabilities do not ascend; sort them")
	}
	if d.Probabilities[0] != 0 || d.Probabilities[n-1] != 1 {
		add("probabilities go from %v to %v; start at 0 (least value) and end at 1 (greatest)", d.Probabilities[0], d.Probabilities[n-1])
	}
}

// checkProbabilities reports entries outside 0…1 and a sum other than 1.
func checkProbabilities(add func(string, ...any), what string, p []float64) {
	var sum float64
	for i, w := range p {
		if !(w >= 0 && w <= 1) {
			add("%s[%d] is %v; give a number in 0…1", what, i, w)
		}
		sum += w
	}
	if !(math.Abs(sum-1) <= sumTolerance) {
		add("%s sum to %.6g; make them sum to 1", what, sum)
	}
}

var distributionKinds = []DistributionKind{Constant, Exponential, Erlang, Hyperexponential, Lognormal, Gamma,
	Weibull, Pareto, Uniform, Empirical, Discrete, Mixture}

// distributionFields are the keys that each family uses.
var distributionFields = map[DistributionKind][]string{
	Constant:         {"value"},
	Exponential:      {"mean"},
	Erlang:           {"mean", "phases"},
	Hyperexponential: {"weights", "means"},
	Lognormal:        {"mean", "cv"},
	Gamma:            {"mean", "cv"},
	Weibull:          {"mean", "shape"},
	Pareto:           {"min", "shape"},
	Uniform:          {"min", "max"},
	Empirical:        {"values", "probabilities"},
	Discrete:         {"values", "weights"},
	Mixture:          {"components", "weights"},
}

// used returns the keys of d that are given.
func (d Distribution) used() []string {
	var keys []string
	for _, f := range []struct {
		key   string
		given bool
	}{
		{"value", d.Value != 0}, {"mean", d.Mean != 0}, {"cv", d.CV != 0}, {"shape", d.Shape != 0},
		{"phases", d.Phases != 0}, {"min", d.Min != 0}, {"max", d.Max != 0}, {"values", d.Values != nil},
		{"probabilities", d.Probabilities != nil}, {"weights", d.Weights != nil}, {"means", d.Means != nil},
		{"components", d.Components != nil},
	} {
		if f.given {
			keys = append(keys, f.key)
		}
	}
	return keys
}
