package factor

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Analysis is what a prolongation shows.
type Analysis struct {
	Experiment    *Experiment     `json:"experiment"`
	Sensitivities [][]Sensitivity `json:"sensitivities"` // row is prolonged, column reacts
	// Touching is what of them delays that only compute do not cause; nil if nothing
	// touched memory.
	Touching     [][]Sensitivity `json:"touching,omitempty"`
	Scree        Scree           `json:"scree"`
	Method       Method          `json:"method"`
	Loadings     [][]float64     `json:"loadings"` // modules × factors, rotated
	Uniqueness   []float64       `json:"uniqueness"`
	Explained    []float64       `json:"explained"`                     // share of the variance, by factor
	FactorsAgree [][]float64     `json:"factor_correlations,omitempty"` // after promax
	Dependencies []Dependency    `json:"dependencies"`
	Warnings     []string        `json:"warnings,omitempty"`
}

// Dependency is a pair of modules that act on each other.
type Dependency struct {
	A        string      `json:"a"`
	B        string      `json:"b"`
	AB       Sensitivity `json:"a_to_b"`
	BA       Sensitivity `json:"b_to_a"`
	Together bool        `json:"same_factor"`
	Latent   bool        `json:"latent"`             // no call leads from one to the other
	Carriers []string    `json:"carriers,omitempty"` // locks and resources that both use
	Memory   bool        `json:"memory,omitempty"`   // only delays that touch memory show it
}

// Options of an analysis; the zero value is the default.
type Options struct {
	Method  Method  // "": principal axis
	Oblique bool    // promax instead of varimax
	Trials  int     // of the parallel analysis, 0: 300
	Least   float64 // sensitivity that matters, seconds per second; 0: 0.1
}

const (
	salient       = 0.4 // loading from which a module belongs to a factor
	defaultTrials = 300
	defaultLeast  = 0.1
	mostLoad      = 0.1 // share of the machine used by others from which timing is doubtful
)

// Analyse estimates sensitivities, extracts factors and lists dependencies. It
// fails if the runs cannot be used; what makes the answer doubtful is among
// its warnings.
func Analyse(e *Experiment, o Options) (*Analysis, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	if o.Method == "" {
		o.Method = PrincipalAxis
	}
	if o.Trials == 0 {
		o.Trials = defaultTrials
	}
	if o.Least == 0 {
		o.Least = defaultLeast
	}
	a := &Analysis{Experiment: e, Method: o.Method, Sensitivities: e.Sensitivities(), Touching: e.Touching()}
	if err := a.factors(o); err != nil {
		a.Warnings = append(a.Warnings, "no factors: "+err.Error())
	}
	a.dependencies(o.Least)
	loaded := 0
	for _, r := range e.Runs {
		if r.Loaded > mostLoad {
			loaded++
		}
	}
	if loaded > 0 {
		a.Warnings = append(a.Warnings, fmt.Sprintf("in %d of %d runs other programs used more than %.0f %% of the machine: what is common to all modules of a run was divided out, the rest may still be disturbed",
			loaded, len(e.Runs), 100*mostLoad))
	}
	return a, nil
}

// factors fills what the factor analysis says.
func (a *Analysis) factors(o Options) error {
	r, err := a.correlation()
	if err != nil {
		return err
	}
	a.Scree = ParallelAnalysis(r, len(a.Experiment.Runs), o.Trials, 1)
	if a.Scree.Factors == 0 {
		return fmt.Errorf("no eigenvalue exceeds that of unrelated modules")
	}
	return a.extract(r, a.Scree.Factors, o.Oblique)
}

// WithFactors returns the analysis with n factors instead of the number that
// parallel analysis finds. Of two samples of the same modules that number may differ
// by a factor at its limit: to compare them, the same number is extracted from both.
func (a *Analysis) WithFactors(n int) (*Analysis, error) {
	b := *a
	r, err := b.correlation()
	if err != nil {
		return nil, err
	}
	return &b, b.extract(r, n, a.FactorsAgree != nil)
}

// correlation is that of the modules' times over the runs.
func (a *Analysis) correlation() (*mat.SymDense, error) {
	observations := a.Experiment.table()
	if a.Experiment.Adjust {
		observations = Center(observations)
	} else {
		observations.Apply(func(_, _ int, t float64) float64 { return math.Log(t) }, observations)
	}
	return Correlation(observations, a.Experiment.Modules)
}

// extract fills what n factors say.
func (a *Analysis) extract(r *mat.SymDense, n int, oblique bool) error {
	l, err := Extract(r, min(n, len(a.Experiment.Modules)-1), a.Method)
	if err != nil {
		return err
	}
	if oblique {
		l = Promax(l)
	} else {
		l = Varimax(l)
	}
	a.Loadings, a.Uniqueness, a.Explained = rowsOf(l.Matrix), l.Uniqueness, l.Explained()
	if l.Correlations != nil {
		a.FactorsAgree = rowsOf(l.Correlations)
	}
	return nil
}

func rowsOf(m mat.Matrix) [][]float64 {
	rows, columns := m.Dims()
	out := make([][]float64, rows)
	for i := range out {
		out[i] = make([]float64, columns)
		for j := range out[i] {
			out[i][j] = m.At(i, j)
		}
	}
	return out
}

// together reports whether two modules load on the same factor in the same
// direction.
func (a *Analysis) together(i, j int) bool {
	if a.Loadings == nil {
		return false
	}
	for k := range a.Loadings[i] {
		x, y := a.Loadings[i][k], a.Loadings[j][k]
		if math.Abs(x) >= salient && math.Abs(y) >= salient && x*y > 0 {
			return true
		}
	}
	return false
}

// doubtless reports whether delaying i makes j longer beyond doubt: chance does not explain it, over all
// pairs; it is there in the times as they were measured, so that dividing out what is common to
// all modules did not make it; and no run without delay was as long as any with the largest, so that a few runs
// that something else disturbed did not make it either.
func (a *Analysis) doubtless(raw [][]Sensitivity, i, j int, least float64) bool {
	n := float64(len(raw))
	return a.Sensitivities[i][j].P*n*(n-1) < almostNever && a.Sensitivities[i][j].Slope >= least && raw[i][j].Slope >= least && a.Experiment.separated(i, j)
}

// separated reports whether j takes longer in every run with about the largest delay of i than in any without.
func (e *Experiment) separated(i, j int) bool {
	const about = 0.8 // of the largest
	times, delays := e.adjusted()
	largest, longest, shortest := 0.0, 0.0, math.Inf(1)
	for r, run := range e.Runs {
		switch run.Module {
		case i:
			largest = math.Max(largest, delays[r])
		case Nothing:
			longest = math.Max(longest, times.At(r, j))
		}
	}
	for r, run := range e.Runs {
		if run.Module == i && delays[r] >= about*largest {
			shortest = math.Min(shortest, times.At(r, j))
		}
	}
	return shortest > longest
}

// almostNever is the chance of a single false dependency in a study that is too small to
// matter.
const almostNever = 1e-3

// dependencies lists the pairs with a significant sensitivity that matters in
// at least one direction, and either a common factor, a common carrier, a
// call, or no doubt.
func (a *Analysis) dependencies(least float64) {
	e := a.Experiment
	plain := *e
	plain.Adjust = false
	raw := plain.Sensitivities()
	strong := func(s Sensitivity) bool { return s.Significant && s.Slope >= least }
	for i := range e.Modules {
		for j := i + 1; j < len(e.Modules); j++ {
			d := Dependency{A: e.Modules[i], B: e.Modules[j], AB: a.Sensitivities[i][j], BA: a.Sensitivities[j][i], Together: a.together(i, j), Latent: true}
			if e.Calls != nil {
				d.Latent = !e.Calls[i][j] && !e.Calls[j][i]
			}
			if e.Carriers != nil {
				for _, c := range e.Carriers[i] {
					if slices.Contains(e.Carriers[j], c) {
						d.Carriers = append(d.Carriers, c)
					}
				}
			}
			d.Memory = a.Touching != nil && (strong(a.Touching[i][j]) || strong(a.Touching[j][i]))
			// Where memory is asked for, what delays that only compute do as well is competition for cores.
			together := d.Together && a.Touching == nil
			doubtless := a.Touching == nil && (a.doubtless(raw, i, j, least) || a.doubtless(raw, j, i, least))
			if (strong(d.AB) || strong(d.BA)) && (together || doubtless || len(d.Carriers) > 0 || !d.Latent || d.Memory) {
				a.Dependencies = append(a.Dependencies, d)
			}
		}
	}
	slices.SortStableFunc(a.Dependencies, func(x, y Dependency) int {
		return cmp.Compare(max(y.AB.Slope, y.BA.Slope), max(x.AB.Slope, x.BA.Slope))
	})
}

// Sentence says in words what a dependency is.
func (d Dependency) Sentence() string {
	from, to, s := d.A, d.B, d.AB
	if d.BA.Slope > s.Slope {
		from, to, s = d.B, d.A, d.BA
	}
	text := fmt.Sprintf("Slowing %s by 1 ms slows %s by %.2f ms", from, to, s.Slope)
	switch {
	case d.Memory:
		return text + ", if that ms walks through memory, and clearly less if it computes; they share a cache or the bandwidth of the memory."
	case !d.Latent:
		return text + ", and one calls the other."
	case len(d.Carriers) > 0:
		return text + ", which it never calls; they share " + strings.Join(d.Carriers, ", ") + "."
	}
	return text + ", which it never calls; no lock is common to them, so a queue, the CPU or another resource carries it."
}

// Latent returns the dependencies that no call shows.
func (a *Analysis) Latent() []Dependency {
	return slices.DeleteFunc(slices.Clone(a.Dependencies), func(d Dependency) bool { return !d.Latent })
}

// Groups returns the modules that move together with each factor, largest
// loading first; those that move against it are left out.
func (a *Analysis) Groups() [][]string {
	var groups [][]string
	if len(a.Loadings) == 0 {
		return nil
	}
	for k := range a.Loadings[0] {
		sign := 1.0
		if slices.MinFunc(a.Loadings, by(k))[k] < -slices.MaxFunc(a.Loadings, by(k))[k] {
			sign = -1
		}
		var members []int
		for i := range a.Loadings {
			if sign*a.Loadings[i][k] >= salient {
				members = append(members, i)
			}
		}
		slices.SortStableFunc(members, func(i, j int) int {
			return cmp.Compare(math.Abs(a.Loadings[j][k]), math.Abs(a.Loadings[i][k]))
		})
		var names []string
		for _, i := range members {
			names = append(names, a.Experiment.Modules[i])
		}
		groups = append(groups, names)
	}
	return groups
}

// by compares rows of loadings by one factor.
func by(k int) func(a, b []float64) int {
	return func(a, b []float64) int { return cmp.Compare(a[k], b[k]) }
}

// Agreement returns the correlation of the off-diagonal sensitivities of two
// analyses over the modules that both have, and how many pairs that were. It
// is NaN for fewer than three.
func Agreement(a, b *Analysis) (correlation float64, pairs int) {
	var x, y []float64
	for i, from := range a.Experiment.Modules {
		k := slices.Index(b.Experiment.Modules, from)
		for j, to := range a.Experiment.Modules {
			l := slices.Index(b.Experiment.Modules, to)
			if i != j && k >= 0 && l >= 0 {
				x, y = append(x, a.Sensitivities[i][j].Slope), append(y, b.Sensitivities[k][l].Slope)
			}
		}
	}
	if len(x) < 3 {
		return math.NaN(), len(x)
	}
	return stat.Correlation(x, y, nil), len(x)
}
