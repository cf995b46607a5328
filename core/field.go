package core

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Errors is the law of the errors ln(measured/predicted) of models over configurations, which are
// alike in those that are near: a Gaussian process (kriging; Rasmussen & Williams 2006, §2.2) whose
// scale differs from program to program, as a log-normal law says, and is learned of a program's runs.
type Errors struct {
	Common float64 // part of the variance that all configurations of a program have in common
	Reach  float64 // octaves of a setting after which the rest is alike to 1/e
	Noise  float64 // part that one run adds
	Scale  float64 // deviation of the errors of the median program
	Spread float64 // deviation of its logarithm among programs
	// Day is the deviation of what runs of another day have in common beside all that.
	Day float64
}

// ErrorsOfModels is the law with the largest likelihood, on a grid, of the errors of 53 programs
// in 477 configurations over threads and cores (testdata/accuracy); Day is by how much the CPU times of the same programs differed
// between their analyses and later measurements, beyond what runs of one hour do (cmd/uncertain_test.go).
func ErrorsOfModels() Errors {
	return Errors{Common: 0.4, Reach: 2, Noise: 0.2, Scale: 0.06, Spread: 1, Day: 0.04}
}

// Field is what is known of the errors of one model.
type Field struct {
	law      Errors
	seen     []Checked
	cholesky mat.Cholesky  // of the correlations of what was seen
	weights  *mat.VecDense // of those with another configuration
	scales   []float64     // that the program may have
	likely   []float64     // how likely each is by now; their sum is 1
}

// Field is what configurations tell in which the program was run.
func (l Errors) Field(seen []Checked) *Field {
	f, _ := l.field(seen)
	return f
}

// field returns the logarithm of the density of what was seen, too, up to a constant.
func (l Errors) field(seen []Checked) (*Field, float64) {
	f := &Field{law: l, seen: seen}
	off, determinant, n := 0.0, 0.0, float64(len(seen))
	if n > 0 {
		f.factorise()
		off, determinant = f.weigh(), f.cholesky.LogDet()
	}
	for z := -3.0; z <= 3; z += 0.25 { // of the standard normal law
		scale := l.Scale * math.Exp(l.Spread*z)
		f.scales = append(f.scales, scale)
		f.likely = append(f.likely, -z*z/2-n*math.Log(scale)-off/(2*scale*scale))
	}
	sum := floats.LogSumExp(f.likely)
	for i := range f.likely {
		f.likely[i] = math.Exp(f.likely[i] - sum)
	}
	return f, sum - determinant/2
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
	return mean, f.half() * math.Sqrt(left)
}

// half is the half-width of 95 % of a mixture of normal laws of the scales.
func (f *Field) half() float64 {
	low, high := 0.0, Normal95*f.scales[len(f.scales)-1]
	for high-low > 1e-6*high {
		x, inside := (low+high)/2, 0.0
		for i, s := range f.scales {
			inside += f.likely[i] * math.Erf(x/s/math.Sqrt2)
		}
		if inside < 0.95 {
			low = x
		} else {
			high = x
		}
	}
	return high
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

// After is the field as it can be expected after one more run there: the scale is known as it was.
// Its means are not known.
func (f *Field) After(configuration map[string]float64) *Field {
	next := &Field{law: f.law, scales: f.scales, likely: f.likely}
	next.seen = append(append(next.seen, f.seen...), Checked{At: configuration, Runs: 1})
	next.factorise()
	return next
}

// Seen is how many configurations were seen.
func (f *Field) Seen() int { return len(f.seen) }

// Likelihood is the logarithm of the density of a program's errors, without what does not depend
// on the law.
func (l Errors) Likelihood(seen []Checked) float64 {
	_, density := l.field(seen)
	return density
}
