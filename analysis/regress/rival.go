package regress

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/combin"
)

// rival is a function that may be the true one as far as the runs can tell.
type rival struct {
	form    Form
	terms   []Term
	bend    string // a variable whose logarithm has a square, too
	split   string // a variable up to whose limit other coefficients hold than beyond; "": none
	limit   float64
	b       []float64
	normal  *normal
	sigma   float64   // of a run about the function: relative, or of logarithms
	missed  []float64 // by which each run is
	scatter scatter   // the same by the size
	freedom int
	whole   *Model  // instead of terms: a tree, or a sum of models
	parts   []Model // the same, each of three quarters of the runs
	weight  float64 // its share of the belief; the logarithm while rivals are compared
}

// row are the columns of a run.
func (r *rival) row(v map[string]float64, threads float64) []float64 {
	row := make([]float64, 1, 2*len(r.terms)+4)
	row[0] = 1
	for _, t := range r.terms {
		x := t.Value(v, threads)
		if r.form == LogLog {
			x = math.Log(x)
		}
		row = append(row, x)
	}
	if r.bend != "" {
		x := math.Log(v[r.bend])
		row = append(row, x*x)
	}
	if r.split != "" {
		k := len(row)
		row = append(row, make([]float64, k)...)
		if v[r.split] > r.limit {
			copy(row[k:], row[:k])
			clear(row[:k])
		}
	}
	return row
}

// fit determines coefficients and, not yet compared to others, weight; false if the runs do not tell them.
func (r *rival) fit(samples []Sample, pool int) bool {
	var x [][]float64
	var y, w []float64
	for _, s := range samples {
		x = append(x, r.row(s.Variables, s.Threads))
		if r.form == LogLog {
			y, w = append(y, math.Log(s.Y)), append(w, 1)
		} else {
			y, w = append(y, s.Y), append(w, 1/math.Abs(s.Y))
		}
	}
	n, k := len(x), len(x[0])
	if r.freedom = n - k; r.freedom < 1 {
		return false
	}
	var ok bool
	if r.normal, ok = normalOf(x, w); !ok {
		return false
	}
	if r.b = r.normal.solve(x, y, w); r.b == nil {
		return false
	}
	squares := 0.0
	r.missed = make([]float64, 0, n)
	for i, row := range x {
		e := (y[i] - dot(r.b, row)) * w[i]
		squares += e * e
		r.missed = append(r.missed, e)
	}
	squares += float64(n) * rounding * rounding
	r.sigma = math.Sqrt(squares / float64(r.freedom))
	steps := len(r.terms)
	if r.bend != "" {
		steps++
	}
	parameters := float64(k)
	if r.split != "" {
		parameters++
	}
	r.weight = -(float64(n)*math.Log(squares/float64(n))+parameters*math.Log(float64(n)))/2 - combin.LogGeneralizedBinomial(float64(pool), float64(steps))
	return true
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// asItIs is a tree or a sum of models. What it is worth, runs say that it has not seen; how well they determine it, the models of parts
// of the runs.
func (b *Behaviour) asItIs() (rival, bool) {
	u := Uncertainty{ratio: true}
	squares := 0.0
	var sizes, residuals []float64
	for _, p := range b.Evaluation.Predictions {
		if p.Measured > 0 && p.Predicted > 0 {
			e := u.score(p.Measured, p.Predicted)
			squares += e * e
			sizes, residuals = append(sizes, p.Measured), append(residuals, e)
		}
	}
	if len(sizes) < leastRows {
		return rival{}, false
	}
	r := rival{form: LogLog, whole: &b.Selection.Model, parts: b.Evaluation.Models, freedom: max(1, len(b.Evaluation.Models)-1)}
	r.sigma = math.Sqrt(squares/float64(len(sizes))) + rounding
	r.scatter = scatterOf(sizes, residuals, len(sizes))
	r.weight = -float64(len(present(b.Selection.Model.Absent.rest(b.Samples)))) * math.Log(r.sigma)
	return r, true
}

// inputs are the variables that it needs, the number of threads among them.
func (r *rival) inputs() (names []string) {
	m := Model{Form: r.form, Terms: r.terms}
	if r.whole != nil {
		m = *r.whole
	}
	names = m.Inputs()
	if m.PerThread() {
		names = append(names, Threads)
	}
	for _, name := range []string{r.bend, r.split} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// at is what a rival predicts for an input: the value, and the relative standard deviation of a run about it.
func (r *rival) at(v map[string]float64) (value, sigma float64) {
	if r.whole != nil {
		return r.atWhole(v)
	}
	row := r.row(v, v[Threads])
	value = dot(r.b, row)
	if r.form == LogLog {
		value = math.Exp(value)
		return value, math.Sqrt(r.scatter.variance(value) + r.sigma*r.sigma*r.normal.leverage(row))
	}
	return value, math.Sqrt(r.scatter.variance(value) + math.Pow(r.sigma/value, 2)*r.normal.leverage(row))
}

// quarter is the share of the runs that a split leaves out.
const quarter = 0.25

// atWhole is what a tree or sum predicts. The spread of those of three quarters of the runs is that of one of all of them by the
// jackknife that leaves out a quarter (Shao & Wu 1989).
func (r *rival) atWhole(v map[string]float64) (value, sigma float64) {
	value = r.whole.Predict(v, v[Threads])
	squares := 0.0
	for _, part := range r.parts {
		squares += math.Pow(math.Log(part.Predict(v, v[Threads])/value), 2) / float64(len(r.parts))
	}
	return value, math.Sqrt(r.scatter.variance(value) + (1-quarter)/quarter*squares)
}

// String is the formula.
func (r *rival) String() string {
	if r.whole != nil {
		return r.whole.Formula()
	}
	m := Model{Form: r.form, Terms: r.terms, Coefficients: r.b[:len(r.terms)+1]}
	if r.split != "" {
		m.Coefficients = r.b[len(r.b)/2:][:len(r.terms)+1]
		return fmt.Sprintf("%s above %s = %.4g", m.Formula(), r.split, r.limit)
	}
	if r.bend != "" {
		return fmt.Sprintf("%s · %s^(%.3g·log %s)", m.Formula(), r.bend, r.b[len(r.b)-1], r.bend)
	}
	return m.Formula()
}
