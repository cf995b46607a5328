package regress

import (
	"math"
	"slices"
)

// stepwise fits a linear or log-log model: terms are added in the order of the
// pool, always the one that helps most within its group, until the
// cross-validated accuracy reaches the target, no term helps, or there are
// enough. After each addition, terms that have become useless leave
// (Efroymson's backward step). It returns nil if the function does not apply.
func stepwise(samples []Sample, variables []string, form Form, o Options, target float64) *Model {
	if form == LogLog && !nonNegative(samples) {
		return nil
	}
	score := func(chosen []Term) float64 {
		return crossValidated(samples, o.Folds, func(train []Sample) *Model { return fitTerms(train, chosen, form, o) })
	}
	var chosen []Term
	best := score(nil)
	for _, group := range terms(variables, o.ThirdOrder) {
		group = slices.DeleteFunc(group, func(t Term) bool { return !usable(t, form, samples) })
		for best < target && len(chosen) < o.MaxTerms {
			winner, gain := -1, best+minimumGain
			for i, t := range group {
				if slices.Contains(chosen, t) || redundant(samples, chosen, t, form) {
					continue
				}
				if a := score(append(slices.Clip(chosen), t)); a > gain {
					winner, gain = i, a
				}
			}
			if winner < 0 {
				break
			}
			chosen, best = append(slices.Clip(chosen), group[winner]), gain
			chosen, best = backward(chosen, best, target, score)
		}
		if best >= target {
			break
		}
	}
	m := fitTerms(samples, chosen, form, o)
	if m == nil {
		return nil
	}
	m.CrossValidated, m.Training = best, Accuracy(samples, *m)
	return m
}

// minimumGain is the improvement of accuracy for which a term is worth its
// place.
const minimumGain = 2e-3

// backward removes terms, other than the newest, without which the model is
// as good.
func backward(chosen []Term, best, target float64, score func([]Term) float64) ([]Term, float64) {
	for i := 0; i < len(chosen)-1; i++ {
		rest := slices.Delete(slices.Clone(chosen), i, i+1)
		if a := score(rest); a >= best-minimumGain/1000 || a >= target {
			chosen, best, i = rest, a, -1
		}
	}
	return chosen, best
}

// usable reports whether a term has a value for every sample under the function, and
// more than one: a product of variables may be a constant.
func usable(t Term, form Form, samples []Sample) bool {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range samples {
		v := t.Value(s.Variables, s.Threads)
		if math.IsNaN(v) || math.IsInf(v, 0) || form == LogLog && v <= 0 {
			return false
		}
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	return hi-lo > constant*math.Max(math.Abs(lo), math.Abs(hi))
}

// tolerance is the share of a term's variance that the chosen terms must leave unexplained. Of two terms that differ by
// rounding, such as a share of the work and the work by the number of threads, the difference would get an exponent of
// a hundred. Source: the tolerance of stepwise regression in SPSS (Frane 1977).
const tolerance = 1e-4

// redundant reports whether a term follows from the chosen ones.
func redundant(samples []Sample, chosen []Term, t Term, form Form) bool {
	if len(chosen) == 0 {
		return false
	}
	x, y, w := design(samples, chosen, form, Options{Absolute: true})
	mean := 0.0
	for i, s := range samples {
		if y[i] = t.Value(s.Variables, s.Threads); form == LogLog {
			y[i] = math.Log(y[i])
		}
		mean += y[i] / float64(len(y))
	}
	b := leastSquares(x, y, w)
	if b == nil {
		return false
	}
	left, all := 0.0, 0.0
	for i := range y {
		fit := 0.0
		for k := range b {
			fit += b[k] * x[i][k]
		}
		left += (y[i] - fit) * (y[i] - fit)
		all += (y[i] - mean) * (y[i] - mean)
	}
	return left < tolerance*all
}

// fitTerms determines the coefficients for given terms, or returns nil. Rows in which the behaviour is 0 have no logarithm and
// tell nothing of a log-log model; they do count where its accuracy is judged.
func fitTerms(samples []Sample, chosen []Term, form Form, o Options) *Model {
	of := samples
	if form == LogLog {
		if of = present(samples); len(of) == 0 {
			return nil
		}
	}
	coefficients := leastSquares(design(of, chosen, form, o))
	if coefficients == nil {
		return nil
	}
	return &Model{Form: form, Terms: chosen, Coefficients: coefficients, NonNegative: form == Linear && nonNegative(samples)}
}

// present are the samples in which the behaviour is not 0.
func present(samples []Sample) []Sample {
	return slices.DeleteFunc(slices.Clone(samples), func(s Sample) bool { return s.Y == 0 })
}

// nonNegative reports whether a behaviour is never negative, as times and counts
// are.
func nonNegative(samples []Sample) bool {
	return !slices.ContainsFunc(samples, func(s Sample) bool { return s.Y < 0 })
}

// design returns the rows (1, terms…), the responses and the weights of a
// least squares problem.
func design(samples []Sample, chosen []Term, form Form, o Options) (x [][]float64, y, w []float64) {
	x = make([][]float64, len(samples))
	y, w = make([]float64, len(samples)), make([]float64, len(samples))
	for i, s := range samples {
		x[i] = make([]float64, 1, 1+len(chosen))
		x[i][0] = 1
		for _, t := range chosen {
			v := t.Value(s.Variables, s.Threads)
			if form == LogLog {
				v = math.Log(v)
			}
			x[i] = append(x[i], v)
		}
		y[i], w[i] = s.Y, 1
		switch {
		case form == LogLog:
			y[i] = math.Log(s.Y)
		case !o.Absolute && s.Y != 0:
			w[i] = 1 / math.Abs(s.Y)
		}
	}
	return x, y, w
}
