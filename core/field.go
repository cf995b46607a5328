package core

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Errors is the law of the errors ln(measured/predicted) of models over configurations, which are
// alike in those that are near: a Gaussian process (kriging; Rasmussen & Williams 2006, §2.2) whose
// scale differs from program to program, as a log-normal law says, and is learned of a program's runs.
type Errors struct {
	Common float64 // part of the variance that all configurations of a program have in common
	Own    float64 // part that each has for itself, however often it is run
	Reach  float64 // octaves of a setting after which the rest is alike to 1/e
	Cores  float64 // the same of the number of cores
	Alone  float64 // deviation of all but the common part on one core, where nothing runs side by side; 1 on several
	Noise  float64 // part that one run adds
	Scale  float64 // deviation of the errors of the median program
	Spread float64 // deviation of its logarithm among programs
	// Day is the deviation of what runs of another day have in common beside all that.
	Day float64
}

// CoresPath is that of the number of cores.
const CoresPath = "cpu/cores"

// ErrorsOfModels is the law with the largest likelihood, on a grid, of the errors of 59 programs
// in 509 configurations over threads and cores (testdata/accuracy); Day is by how much the CPU times of the same programs differed
// between their analyses and later measurements, beyond what runs of one hour do (cmd/uncertain_test.go).
func ErrorsOfModels() Errors {
	return Errors{Common: 0.1, Own: 0.05, Reach: 4, Cores: 2, Alone: 0.6, Noise: 0.2, Scale: 0.07, Spread: 1, Day: 0.03}
}

// ErrorsOfServers is the law of the errors of the demands of servers, by their response times: as ErrorsOfModels, but for what seven of
// them in 83 configurations say of how large errors are.
func ErrorsOfServers() Errors {
	l := ErrorsOfModels()
	l.Scale, l.Spread = 0.14, 0.8
	return l
}

// Errors is the law of the errors of models like m.
func (m *Model) Errors() Errors {
	if len(m.Sources) > 0 {
		return ErrorsOfServers()
	}
	return ErrorsOfModels()
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
			k.SetSym(i, j, f.law.covariance(a.At, f.seen[j].At))
		}
		k.SetSym(i, i, f.law.variance(a.At)+f.law.noise(a.At, a.Runs))
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

// covariance of the errors in two configurations that differ, or in what two runs of one have in common but for Own; of scale 1.
func (l Errors) covariance(a, b map[string]float64) float64 {
	far := 0.0
	for _, path := range sortedKeys(a) {
		octaves, reach := 1.0, l.Reach
		if path == CoresPath {
			reach = l.Cores
		}
		switch x, y := a[path], b[path]; {
		case x == y:
			continue
		case x > 0 && y > 0:
			octaves = math.Abs(math.Log2(x / y))
		}
		if _, ok := b[path]; ok {
			far += octaves / reach
		}
	}
	return l.Common + (1-l.Common-l.Own)*l.beside(a)*l.beside(b)*math.Exp(-far)
}

// beside is the deviation that a configuration has beside what all have in common.
func (l Errors) beside(at map[string]float64) float64 {
	if at[CoresPath] == 1 {
		return l.Alone
	}
	return 1
}

// variance of the error in a configuration, of scale 1.
func (l Errors) variance(at map[string]float64) float64 {
	own := l.beside(at)
	return l.Common + (1-l.Common)*own*own
}

// noise is what so many runs of a configuration add to its variance.
func (l Errors) noise(at map[string]float64, runs int) float64 {
	own := l.beside(at)
	return own * own * l.Noise / float64(max(runs, 1))
}

// At is what is known of ln(measured/predicted) in a configuration: its mean and the half-width of
// the interval that contains 95 % of it, of measurements without noise of their own.
func (f *Field) At(configuration map[string]float64) (mean, half float64) {
	mean, left := f.told(configuration)
	return mean, f.half(0, math.Sqrt(left))
}

// told is the mean of the error in a configuration and its variance of scale 1, in the light of what was seen.
func (f *Field) told(configuration map[string]float64) (mean, left float64) {
	left = f.law.variance(configuration)
	if n := len(f.seen); n > 0 {
		k := mat.NewVecDense(n, nil)
		for i, s := range f.seen {
			c := f.law.covariance(s.At, configuration)
			if maps.Equal(s.At, configuration) {
				c = left
			}
			k.SetVec(i, c)
		}
		left = max(0, left-mat.Dot(k, f.solve(k)))
		if f.weights != nil {
			mean = mat.Dot(k, f.weights)
		}
	}
	return mean, left
}

// half is the half-width of 95 % of mixtures of normal laws, of every scale times each of the deviations, beside a day's.
func (f *Field) half(day float64, deviations ...float64) float64 {
	low, high := 0.0, Normal95*(day+f.scales[len(f.scales)-1]*slices.Max(deviations))
	for high-low > 1e-6*high {
		x, inside := (low+high)/2, 0.0
		for i, s := range f.scales {
			for _, d := range deviations {
				inside += f.likely[i] * math.Erf(x/math.Hypot(s*d, day)/math.Sqrt2) / float64(len(deviations))
			}
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

// fewRuns are measured of a configuration. Convention: as many as checks have (package judge).
const fewRuns = 3

// Another is what is known of the error that a few runs of another day will show.
func (f *Field) Another(configuration map[string]float64) (mean, half float64) {
	mean, deviation := f.another(configuration)
	return mean, f.half(f.law.Day, deviation)
}

// another is the mean and, but for the day, the deviation of that.
func (f *Field) another(configuration map[string]float64) (mean, deviation float64) {
	mean, left := f.told(configuration)
	return mean, math.Sqrt(left + f.law.noise(configuration, fewRuns))
}

// Within is what 95 % of these errors do not exceed, over all of some configurations together.
func (f *Field) Within(configurations []map[string]float64) float64 {
	var deviations []float64
	for _, c := range configurations {
		_, deviation := f.another(c)
		deviations = append(deviations, deviation)
	}
	return f.half(f.law.Day, deviations...)
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
