package regress

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Curve is a quantity as a function of inputs, learnt from a handful of runs: too few
// to hold any out. What a program computes exactly is an exact relation; anything
// else is the simplest of a constant, a whole power, a share of what happens once, power laws and
// lines that predicts the runs left out one by one.
type Curve struct {
	Exact   *Relation // nil: Model
	Model   Model
	Sigma   float64 // standard deviation of a run about the curve, relative
	Freedom int     // of Sigma
	normal  *normal
	samples []Sample
	refit   func([]Sample) *Model // the same curve through others; nil: through none
}

const (
	worthMore  = 0.75 // of the error of a simpler curve that another must reach
	leastSigma = 1e-3 // relative scatter below which a curve is believed to be exact up to rounding
)

// FitFew fits a curve. It panics without samples.
func FitFew(samples []Sample) Curve {
	names := slices.Sorted(maps.Keys(samples[0].Variables))
	var rows []map[string]float64
	var values []float64
	for _, s := range samples {
		rows, values = append(rows, s.Variables), append(values, s.Y)
	}
	if r, ok := relate(rows, values, names); ok {
		return Curve{Exact: &r, samples: samples}
	}
	best := Steady(samples)
	error, simpler := best.LeftOut(), Constant(samples).LeftOut()
	for _, name := range names {
		for _, power := range powers {
			if c, ok := inProportion(samples, name, power); ok {
				if e := c.LeftOut(); e < error && e < worthMore*simpler {
					best, error = c, e
				}
			}
		}
	}
	for _, terms := range fewTerms(names, len(samples)) {
		for _, form := range []Form{LogLog, Linear} {
			if form == LogLog && (!nonNegative(samples) || slices.ContainsFunc(samples, func(s Sample) bool { return s.Y == 0 })) {
				continue
			}
			if slices.ContainsFunc(terms, func(t Term) bool { return !usable(t, form, samples) }) {
				continue
			}
			c := curveOf(samples, terms, form)
			if e := c.LeftOut(); e < worthMore*error {
				best, error = c, e
			}
		}
	}
	return best
}

// Constant fits the mean, by relative errors. It panics without samples.
func Constant(samples []Sample) Curve { return curveOf(samples, nil, Linear) }

// Steady fits what comes to an end as inputs grow: a constant, or one with a share of what happens once. It panics without samples.
func Steady(samples []Sample) Curve {
	best := Constant(samples)
	error := best.LeftOut()
	for _, name := range slices.Sorted(maps.Keys(samples[0].Variables)) {
		if c, ok := shared(samples, name); ok {
			if e := c.LeftOut(); e < worthMore*error {
				best, error = c, e
			}
		}
	}
	return best
}

// powers of an input that what a program does is in proportion to: a loop over it, loops in loops, a share, a side of a square. Of four runs no
// fit tells 1.02 from 1, but four times as far outside of them it does.
var powers = []float64{1, 2, 3, -1, 0.5}

// inProportion fits c·x^p.
func inProportion(samples []Sample, x string, p float64) (Curve, bool) {
	if slices.ContainsFunc(samples, func(s Sample) bool { return s.Y <= 0 || s.Variables[x] <= 0 }) {
		return Curve{}, false
	}
	fit := func(of []Sample) *Model {
		logs := 0.0
		for _, s := range of {
			logs += math.Log(s.Y) - p*math.Log(s.Variables[x])
		}
		return &Model{Form: LogLog, Terms: []Term{{A: x}}, Coefficients: []float64{logs / float64(len(of)), p}}
	}
	c := Curve{Model: *fit(samples), Freedom: len(samples) - 1, samples: samples, refit: fit}
	c.scatter()
	return c, true
}

// shared fits a + b/x: what happens once, such as that caches and tables fill, is shared by all that is done x times, of which a
// sample is the mean. A power law through it would fall for ever.
func shared(samples []Sample, x string) (Curve, bool) {
	term := Term{A: x, Inverse: true}
	if len(samples) < 4 || !usable(term, Linear, samples) {
		return Curve{}, false
	}
	c := curveOf(samples, []Term{term}, Linear)
	return c, len(c.Model.Coefficients) == 2 && c.Model.Coefficients[0] > 0 && c.Model.Coefficients[1] > 0
}

// Line fits a + b·x, by relative errors.
func Line(samples []Sample, x string) Curve { return curveOf(samples, []Term{{A: x}}, Linear) }

// fewTerms are the sets of terms that are tried, those of fewer terms first: so many
// that two runs are left to contradict.
func fewTerms(names []string, runs int) (sets [][]Term) {
	for _, a := range names {
		sets = append(sets, []Term{{A: a}})
	}
	for i, a := range names {
		for _, b := range names[i:] {
			sets = append(sets, []Term{{A: a, B: b}})
			if a != b {
				sets = append(sets, []Term{{A: a}, {A: b}})
			} else {
				sets = append(sets, []Term{{A: a}, {A: a, B: a}})
			}
		}
	}
	if len(names) > 2 {
		var all []Term
		for _, a := range names {
			all = append(all, Term{A: a})
		}
		sets = append(sets, all)
	}
	return slices.DeleteFunc(sets, func(s []Term) bool { return len(s)+1 > runs-2 })
}

func curveOf(samples []Sample, terms []Term, form Form) Curve {
	c := Curve{samples: samples, refit: func(of []Sample) *Model { return fitTerms(of, terms, form, Options{}) }}
	m := fitTerms(samples, terms, form, Options{})
	if m == nil {
		return Curve{Model: Model{Form: Linear, Coefficients: []float64{samples[0].Y}}, Sigma: math.Inf(1), samples: samples}
	}
	c.Model = *m
	c.Freedom = len(samples) - len(terms) - 1
	x, _, w := design(samples, terms, form, Options{})
	if normal, ok := normalOf(x, w); ok {
		c.normal = normal
	}
	c.scatter()
	return c
}

// scatter measures Sigma.
func (c *Curve) scatter() {
	squares := 0.0
	for _, s := range c.samples {
		squares += math.Pow(c.residual(s), 2)
	}
	c.Sigma = math.Sqrt(squares / math.Max(1, float64(c.Freedom)))
}

// residual is relative.
func (c Curve) residual(s Sample) float64 {
	p := c.Model.Predict(s.Variables, s.Threads)
	switch {
	case s.Y == 0:
		return p
	case c.Model.Form == LogLog:
		return math.Log(s.Y / p)
	}
	return 1 - p/s.Y
}

// LeftOut is the root mean square of the relative errors of the runs, each predicted
// by the others.
func (c Curve) LeftOut() float64 {
	if c.Freedom < 1 || c.refit == nil || math.IsInf(c.Sigma, 1) {
		return math.Inf(1)
	}
	squares := 0.0
	for i, s := range c.samples {
		rest := slices.Delete(slices.Clone(c.samples), i, i+1)
		m := c.refit(rest)
		if m == nil {
			return math.Inf(1)
		}
		squares += math.Pow(Curve{Model: *m}.residual(s), 2)
	}
	return math.Sqrt(squares / float64(len(c.samples)))
}

// At returns the value for an input.
func (c Curve) At(v map[string]float64) float64 {
	if c.Exact != nil {
		return c.Exact.Value(v)
	}
	return c.Model.Predict(v, 1)
}

// Spread is the relative standard deviation of a new run at an input: that of a run
// about the curve, and that of the curve.
func (c Curve) Spread(v map[string]float64) float64 {
	if c.Exact != nil || c.Sigma < leastSigma {
		return 0
	}
	leverage := 1.0
	switch {
	case c.Freedom == len(c.samples)-1: // there is one coefficient
		leverage = 1 / float64(len(c.samples))
	case c.normal != nil:
		at := Sample{Variables: v, Threads: 1, Y: math.Max(c.At(v), math.SmallestNonzeroFloat64)}
		x, _, w := design([]Sample{at}, c.Model.Terms, c.Model.Form, Options{})
		leverage = w[0] * w[0] * c.normal.leverage(x[0])
	}
	return c.Sigma * math.Sqrt(1+leverage)
}

// Quantile is that of Student's law with the curve's degrees of freedom, for drawing
// values of the curve: At·exp(Spread·Quantile).
func (c Curve) Quantile(p float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: math.Max(2, float64(c.Freedom))}.Quantile(p)
}

// String is the formula.
func (c Curve) String() string {
	if c.Exact != nil {
		return c.Exact.String()
	}
	return c.Model.Formula()
}

// Varies reports whether the curve depends on the inputs.
func (c Curve) Varies() bool {
	if c.Exact != nil {
		return c.Exact.A != ""
	}
	return c.Model.Varies()
}
