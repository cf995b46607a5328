package core

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Field is what is known of the errors of one model.
type Field struct {
	law    Errors
	seen   []Checked
	scales []float64 // that the program may have
	likely []float64 // how likely each is by now; their sum is 1
	solved []*solved // for each; one for all where nothing that was seen has a noise of its own
}

// solved are the correlations of what was seen, at one scale.
type solved struct {
	cholesky mat.Cholesky
	weights  *mat.VecDense // of those with another configuration
}

// Field is what configurations tell in which the program was run.
func (l Errors) Field(seen []Checked) *Field {
	f, _ := l.field(seen)
	return f
}

// field returns the logarithm of the density of what was seen, too, up to a constant.
func (l Errors) field(seen []Checked) (*Field, float64) {
	f := &Field{law: l, seen: seen}
	for z := -3.0; z <= 3; z += 0.25 { // of the standard normal law
		f.scales = append(f.scales, l.Scale*math.Exp(l.Spread*z))
		f.likely = append(f.likely, -z*z/2)
	}
	f.factorise()
	if len(seen) > 0 {
		f.learn()
	}
	sum := floats.LogSumExp(f.likely)
	for i := range f.likely {
		f.likely[i] = math.Exp(f.likely[i] - sum)
	}
	return f, sum
}

// factorise solves the correlations for every scale: the larger it is, the less counts how noisy a measurement was.
func (f *Field) factorise() {
	if len(f.seen) == 0 {
		return
	}
	noisy := slices.ContainsFunc(f.seen, func(c Checked) bool { return c.Noise > 0 })
	for i, scale := range f.scales {
		if i > 0 && !noisy {
			f.solved = append(f.solved, f.solved[0])
			continue
		}
		f.solved = append(f.solved, f.at(scale))
	}
}

func (f *Field) at(scale float64) *solved {
	n, s := len(f.seen), &solved{}
	k := mat.NewSymDense(n, nil)
	for i, a := range f.seen {
		for j := i + 1; j < n; j++ {
			k.SetSym(i, j, f.law.covariance(a.At, f.seen[j].At))
		}
		k.SetSym(i, i, f.law.variance(a.At)+f.law.noise(a.At, a.Runs)+(a.Noise/scale)*(a.Noise/scale))
	}
	if !s.cholesky.Factorize(k) {
		panic("core: correlations that are not positive definite") // noise on the diagonal makes them so
	}
	return s
}

// learn finds the weights, and by the density of what was seen how likely each scale is.
func (f *Field) learn() {
	off := mat.NewVecDense(len(f.seen), nil)
	for i, s := range f.seen {
		off.SetVec(i, s.Off)
	}
	for i, s := range f.solved {
		if s.weights == nil {
			s.weights = s.solve(off)
		}
		square := f.scales[i] * f.scales[i]
		f.likely[i] -= (float64(len(f.seen))*math.Log(square) + s.cholesky.LogDet() + mat.Dot(off, s.weights)/square) / 2
	}
}

func (s *solved) solve(v *mat.VecDense) *mat.VecDense {
	out := mat.NewVecDense(v.Len(), nil)
	if err := s.cholesky.SolveVecTo(out, v); err != nil {
		panic("core: correlations that cannot be solved: " + err.Error())
	}
	return out
}

// told is what a field says of one configuration: for every scale the mean of the error and its variance of scale 1; and the mean over all.
type told struct {
	means, left []float64
	mean        float64
}

// told is the error in a configuration in the light of what was seen.
func (f *Field) told(configuration map[string]float64) told {
	own := f.law.variance(configuration)
	t := told{means: make([]float64, len(f.scales)), left: slices.Repeat([]float64{own}, len(f.scales))}
	if len(f.seen) == 0 {
		return t
	}
	k := mat.NewVecDense(len(f.seen), nil)
	for i, s := range f.seen {
		c := f.law.covariance(s.At, configuration)
		if maps.Equal(s.At, configuration) {
			c = own
		}
		k.SetVec(i, c)
	}
	for i, s := range f.solved {
		if i > 0 && s == f.solved[0] {
			t.means[i], t.left[i] = t.means[0], t.left[0]
			continue
		}
		t.left[i] = max(0, own-mat.Dot(k, s.solve(k)))
		if s.weights != nil {
			t.means[i] = mat.Dot(k, s.weights)
		}
	}
	t.mean = floats.Dot(f.likely, t.means)
	return t
}

// half is the half-width of 95 % of mixtures of normal laws about their means, of every scale and each configuration, beside a day's.
func (f *Field) half(day float64, all ...told) float64 {
	low, high := 0.0, 0.0
	for _, t := range all {
		for i, s := range f.scales {
			high = max(high, math.Abs(t.means[i]-t.mean)+2*Normal95*(day+s*math.Sqrt(t.left[i])))
		}
	}
	for high-low > 1e-6*high {
		x, inside := (low+high)/2, 0.0
		for _, t := range all {
			for i, s := range f.scales {
				by, deviation := t.means[i]-t.mean, math.Sqrt2*math.Hypot(s*math.Sqrt(t.left[i]), day)
				inside += f.likely[i] * (math.Erf((x-by)/deviation) + math.Erf((x+by)/deviation)) / 2 / float64(len(all))
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

// At is what is known of ln(measured/predicted) in a configuration: its mean and the half-width of
// the interval that contains 95 % of it, of measurements without noise of their own.
func (f *Field) At(configuration map[string]float64) (mean, half float64) {
	t := f.told(configuration)
	return t.mean, f.half(0, t)
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
	t := f.another(configuration)
	return t.mean, f.half(f.law.Day, t)
}

// another is that, but for the day.
func (f *Field) another(configuration map[string]float64) told {
	t := f.told(configuration)
	floats.AddConst(f.law.noise(configuration, fewRuns), t.left)
	return t
}

// Within is what 95 % of these errors do not exceed, over all of some configurations together.
func (f *Field) Within(configurations []map[string]float64) float64 {
	var all []told
	for _, c := range configurations {
		all = append(all, f.another(c))
	}
	return f.half(f.law.Day, all...)
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
