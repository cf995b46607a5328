package regress

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// doubtful is the relative error that a prediction outside of what was seen is not believed to keep if it is more likely than not
// to be exceeded.
const doubtful = 0.10

// belief is what rivals together say of an input.
type belief struct {
	rival   []*rival
	form    []Form
	value   []float64
	sigma   []float64 // of a run about the value
	plain   []float64 // the same where there are runs
	freedom []float64
	weight  []float64
}

// below is the probability that a run has less than y.
func (b belief) below(y float64) (p float64) {
	for i, w := range b.weight {
		t := distuv.StudentsT{Sigma: 1, Nu: b.freedom[i]}
		z := (y/b.value[i] - 1) / b.sigma[i]
		if b.form[i] == LogLog {
			z = math.Log(y/b.value[i]) / b.sigma[i]
		}
		p += w * t.CDF(z)
	}
	return p
}

// wrong is the probability that a run differs from a prediction by more than doubtful, relative to the run.
func (b belief) wrong(predicted float64) float64 {
	return b.below(predicted/(1+doubtful)) + 1 - b.below(predicted/(1-doubtful))
}

// quantile is the value below which a run is with a probability.
func (b belief) quantile(p float64) float64 {
	lo, hi := -700.0, 700.0 // logarithms of what a number can hold
	for hi-lo > 1e-6 {
		if middle := (lo + hi) / 2; b.below(math.Exp(middle)) < p {
			lo = middle
		} else {
			hi = middle
		}
	}
	return math.Exp(lo)
}

// beliefAt is what the rivals say of an input that give a value of the same sign as a prediction, apart from the sign. Those that need
// what is not known of it say nothing.
func beliefAt(rivals []rival, v map[string]float64, sign float64) (b belief) {
	sum := 0.0
	for i := range rivals {
		r := &rivals[i]
		if slices.ContainsFunc(r.inputs(), func(name string) bool { _, known := v[name]; return !known }) {
			continue
		}
		value, sigma := r.at(v)
		value *= sign
		if !(value > 0) || math.IsInf(value, 0) || math.IsNaN(sigma) {
			continue
		}
		b.rival, b.plain = append(b.rival, r), append(b.plain, r.sigma)
		b.form, b.value, b.sigma = append(b.form, r.form), append(b.value, value), append(b.sigma, sigma)
		b.freedom, b.weight = append(b.freedom, float64(r.freedom)), append(b.weight, r.weight)
		sum += r.weight
	}
	for i := range b.weight {
		b.weight[i] /= sum
	}
	return b
}

// doubt widens the interval of a prediction outside of what was seen by what all rivals say, and warns if it is more likely than not to
// be wrong.
func (b *Behaviour) doubt(rivals []rival, v map[string]float64, f *Forecast) {
	sign := math.Copysign(1, f.Value)
	belief := beliefAt(rivals, v, sign)
	if len(belief.weight) == 0 || f.Value == 0 {
		f.Doubt = 1
		f.Warnings = append(f.Warnings, "no function that explains the runs is possible there")
		return
	}
	const tail = (1 - confidence) / 2
	near, far := sign*belief.quantile(tail), sign*belief.quantile(1-tail)
	f.Lo, f.Hi = min(f.Lo, near, far), max(f.Hi, near, far)
	if f.Doubt = belief.wrong(sign * f.Value); f.Doubt > 0.5 {
		f.Warnings = append(f.Warnings, fmt.Sprintf("with a probability of %.0f %% a run differs from this by more than %.0f %%: %s", 100*f.Doubt, 100*doubtful, belief.why(sign*f.Value)))
	}
}

// why says what most of the doubt in a prediction comes from.
func (b belief) why(predicted float64) string {
	likeliest, other := 0, -1
	for i := range b.weight {
		if b.weight[i] > b.weight[likeliest] {
			likeliest = i
		}
		if math.Abs(b.value[i]-predicted) > doubtful*b.value[i] && (other < 0 || b.weight[i] > b.weight[other]) {
			other = i
		}
	}
	scatter := belief{form: b.form[likeliest : likeliest+1], value: []float64{predicted}, sigma: []float64{b.plain[likeliest]}, freedom: b.freedom[likeliest : likeliest+1], weight: []float64{1}}
	switch {
	case scatter.wrong(predicted) > 0.5:
		return fmt.Sprintf("runs scatter by %.2g %% about what explains them best", 100*b.plain[likeliest])
	case other >= 0:
		return fmt.Sprintf("%s, which explains the runs about as well, gives %.2g times as much", b.rival[other], b.value[other]/predicted)
	}
	return fmt.Sprintf("the runs determine what there is there to %.2g %% only", 100*b.sigma[likeliest])
}
