package core

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Errors is the law of the errors ln(measured/predicted) of models over configurations, which are
// alike in those that are near: a Gaussian process whose scale differs from program to program
// (kriging; Rasmussen & Williams 2006, §2.2), so that intervals follow Student's t.
type Errors struct {
	Common  float64 // part of the variance that all configurations of a program have in common
	Reach   float64 // octaves of a setting after which the rest is alike to 1/e
	Noise   float64 // part that one run adds
	Scale   float64 // deviation of a program's errors, told
	Freedom float64 // with so many degrees of freedom
	// Day is the deviation of what runs of another day have in common beside all that.
	Day float64
}

// ErrorsOfModels is the law with the largest likelihood, on a grid, of the errors of 53 programs
// in 477 configurations over threads and cores (testdata/accuracy); Day is by how much the CPU times of the same programs differed
// between their analyses and later measurements, beyond what runs of one hour do (cmd/uncertain_test.go).
func ErrorsOfModels() Errors {
	return Errors{Common: 0.4, Reach: 2, Noise: 0.2, Scale: 0.04, Freedom: 1, Day: 0.04}
}

// Field is what is known of the errors of one model.
type Field struct {
	law      Errors
	seen     []Checked
	cholesky mat.Cholesky  // of the correlations of what was seen
	weights  *mat.VecDense // of those with another configuration
	variance float64       // the estimated scale, squared
	freedom  float64
}

// Field is what configurations tell in which the program was run.
func (l Errors) Field(seen []Checked) *Field {
	f := &Field{law: l, seen: seen, variance: l.Scale * l.Scale, freedom: l.Freedom}
	n := len(seen)
	if n == 0 {
		return f
	}
	f.factorise()
	f.freedom += float64(n)
	f.variance = (l.Freedom*l.Scale*l.Scale + f.weigh()) / f.freedom
	return f
}

func (f *Field) factorise() {
	n := len(f.seen)
	k := mat.NewSymDense(n, nil)
	for i, a := range f.seen {
		for j := i + 1; j < n; j++ {
			k.SetSym(i, j, f.law.correlation(a.At, f.seen[j].At))
		}
		k.SetSym(i, i, 1+f.law.Noise/float64(max(a.Runs, 1)))
	}
	if !f.cholesky.Factorize(k) {
		panic("core: correlations that are not positive definite") // noise on the diagonal makes them so
	}
}

// weigh finds the weights, and returns how far the errors are from 0, squared, by their law.
func (f *Field) weigh() float64 {
	off := mat.NewVecDense(len(f.seen), nil)
	for i, s := range f.seen {
		off.SetVec(i, s.Off)
	}
	f.weights = f.solve(off)
	return mat.Dot(off, f.weights)
}

func (f *Field) solve(v *mat.VecDense) *mat.VecDense {
	out := mat.NewVecDense(v.Len(), nil)
	if err := f.cholesky.SolveVecTo(out, v); err != nil {
		panic("core: correlations that cannot be solved: " + err.Error())
	}
	return out
}

// correlation of the errors in two configurations.
func (l Errors) correlation(a, b map[string]float64) float64 {
	octaves := 0.0
	for _, path := range sortedKeys(a) {
		x := a[path]
		switch y, ok := b[path]; {
		case !ok || x == y:
		case x > 0 && y > 0:
			octaves += math.Abs(math.Log2(x / y))
		default:
			octaves++
		}
	}
	return l.Common + (1-l.Common)*math.Exp(-octaves/l.Reach)
}

// At is what is known of ln(measured/predicted) in a configuration: its mean and the half-width of
// the interval that contains 95 % of it, of measurements without noise of their own.
func (f *Field) At(configuration map[string]float64) (mean, half float64) {
	left := 1.0
	if n := len(f.seen); n > 0 {
		k := mat.NewVecDense(n, nil)
		for i, s := range f.seen {
			k.SetVec(i, f.law.correlation(s.At, configuration))
		}
		left = max(0, left-mat.Dot(k, f.solve(k)))
		if f.weights != nil {
			mean = mat.Dot(k, f.weights)
		}
	}
	return mean, distuv.StudentsT{Sigma: 1, Nu: f.freedom}.Quantile(0.975) * math.Sqrt(f.variance*left)
}

// Model is what At tells, as the mean and the deviation of a normal law that has as wide intervals.
func (f *Field) Model(configuration map[string]float64) (mean, deviation float64) {
	mean, half := f.At(configuration)
	return mean, min(max(half/Normal95, LeastDeviation), MostDeviation)
}

// Another is At of runs of another day.
func (f *Field) Another(configuration map[string]float64) (mean, half float64) {
	mean, half = f.At(configuration)
	return mean, math.Hypot(half, Normal95*f.law.Day)
}

// LeastDeviation is one that changes nothing that anybody prints.
const LeastDeviation = 1e-4

// After is the field as it can be expected after one more run there: the scale is what it was, and
// known better. Its means are not known.
func (f *Field) After(configuration map[string]float64) *Field {
	next := &Field{law: f.law, variance: f.variance, freedom: f.freedom + 1}
	next.seen = append(append(next.seen, f.seen...), Checked{At: configuration, Runs: 1})
	next.factorise()
	return next
}

// Seen is how many configurations were seen.
func (f *Field) Seen() int { return len(f.seen) }

// Likelihood is the logarithm of the density of a program's errors, without what does not depend
// on the law: a multivariate t.
func (l Errors) Likelihood(seen []Checked) float64 {
	f := &Field{law: l, seen: seen}
	f.factorise()
	n, told := float64(len(seen)), l.Freedom*l.Scale*l.Scale
	upper, _ := math.Lgamma((l.Freedom + n) / 2)
	lower, _ := math.Lgamma(l.Freedom / 2)
	return upper - lower + l.Freedom/2*math.Log(told) - (l.Freedom+n)/2*math.Log(told+f.weigh()) - f.cholesky.LogDet()/2
}
