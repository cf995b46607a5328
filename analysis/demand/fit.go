package demand

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Observation is what one run cost, and the causes for which that may differ from the cost of a
// run without them.
type Observation struct {
	Of     string  // what was measured; only what is of the same is compared
	CPU    float64 // s
	Causes []string
}

func (o Observation) has(c Cause) bool { return slices.Contains(o.Causes, c.Name) }

// Cause is something that multiplies what runs cost.
type Cause struct {
	Name  string
	Slows bool // it cannot make them cost less
	// Usual is the standard deviation of the logarithm of its factor among programs, where that is known: every program has
	// such a factor, and runs that hardly tell it leave it near 1. 0: a program has it if its runs tell it from none.
	Usual float64
}

// Factor is by how much a cause multiplies what runs cost, as they show it.
type Factor struct {
	Cause    string  `json:"cause"`
	Kept     bool    `json:"kept"`           // they tell it from none, or every program has it
	Estimate float64 `json:"estimate"`       // of the factor
	Error    float64 `json:"standard_error"` // of its logarithm
	Freedom  float64 `json:"degrees_of_freedom"`
	Gain     float64 `json:"log_likelihood_gain"` // over the same model without it
	Runs     int     `json:"runs"`                // that had this cause, where others had not
}

// Interval is where the factor lies with some confidence: Student's t interval of its logarithm.
func (f Factor) Interval(confidence float64) (low, high float64) {
	half := quantile((1+confidence)/2, f.Freedom) * f.Error
	return f.Estimate * math.Exp(-half), f.Estimate * math.Exp(half)
}

// Fit is the model of what runs cost: a base and the factors that are kept.
type Fit struct {
	Spread  float64  // standard deviation between runs of a kind, of the logarithm
	Freedom float64  // degrees of freedom of the spread
	Factors []Factor // of all causes that the runs can tell, kept or not, in the order of the causes
	base    map[string]float64
}

// Cost is what a run with some causes costs, in s of CPU; 0: no run tells.
func (f *Fit) Cost(of string, causes ...string) float64 {
	b, ok := f.base[of]
	if !ok {
		return 0
	}
	for _, k := range f.Factors {
		if k.Kept && slices.Contains(causes, k.Cause) {
			b += math.Log(k.Estimate)
		}
	}
	return math.Exp(b)
}

// Factor returns that of a cause; the zero value if the runs cannot tell it.
func (f *Fit) Factor(cause string) Factor {
	if i := slices.IndexFunc(f.Factors, func(k Factor) bool { return k.Cause == cause }); i >= 0 {
		return f.Factors[i]
	}
	return Factor{}
}

// The spread between runs of one kind where there are too few to tell: the variances of
// the recordings of testdata/traces are as if drawn from a scaled inverse χ² distribution of so many
// degrees of freedom around it (Smyth 2004, §6; spread_test.go finds these numbers).
const (
	usualSpread  = 0.031
	usualFreedom = 2
)

const (
	// ownFreedom is how many degrees of freedom tell a program's own spread: three
	// runs of each of two kinds. Convention, sensitivity none.
	ownFreedom = 4
	// noiseKept is how often a cause is kept if none has an effect. Theory: the error of the
	// first kind that tests usually have (Conover 1999, §2.3).
	noiseKept = 0.05
	// exact is by how much two costs must differ to be told apart, relatively: the kernel charges CPU
	// time by the microsecond, and the shortest of programs takes some milliseconds. Convention,
	// sensitivity none.
	exact = 1e-3
	// mostCondition is the largest condition number of a regression: beyond it the runs cannot tell
	// the causes. Theory: half of the 16 digits of a number are lost by it.
	mostCondition = 1e9
)

// FitRuns finds the model of what runs cost that is the most likely. Each
// factor that it has beyond the base must raise the likelihood by more than one of no effect
// does in all but a few of 100 programs, unless every program has it.
func FitRuns(runs []Observation, causes []Cause) *Fit {
	runs = slices.DeleteFunc(slices.Clone(runs), func(o Observation) bool { return !(o.CPU > 0) })
	r := regression{runs: runs}
	for _, o := range runs {
		if !slices.Contains(r.of, o.Of) {
			r.of = append(r.of, o.Of)
		}
	}
	if len(runs) == 0 {
		return &Fit{}
	}
	for _, c := range causes {
		if r.solve([]Cause{c}) != nil {
			r.causes = append(r.causes, c)
		}
	}
	r.few = len(runs)-len(r.of)-len(r.causes) < ownFreedom
	all := r.solve(r.causes)
	if all == nil { // some can be told only where others have no effect
		all = r.best()
	}
	r.spread, r.freedom = math.Sqrt(all.squares/all.freedom), all.freedom
	r.widen(all)
	return r.fit(r.best())
}

// widen makes what is usual of a cause as large as a solution that knows nothing of that shows it to be, where it tells the cause from none.
func (r *regression) widen(s *solution) {
	for i := range r.causes {
		c := &r.causes[i]
		if c.Usual == 0 || !slices.Contains(s.causes, *c) {
			continue
		}
		if v, deviation := r.coefficient(s, c.Name); v > quantile(1-noiseKept, r.freedom)*deviation {
			c.Usual = math.Sqrt(max(c.Usual*c.Usual, v*v-deviation*deviation))
		}
	}
}

// regression is a linear model of the logarithms of costs: a constant for everything that was
// measured, and one for each cause.
type regression struct {
	runs   []Observation
	of     []string
	causes []Cause // that can be told
	few    bool    // too few runs to tell how far they spread
	// spread and freedom are of the regression on all causes: between runs that have nothing that tells them apart. 0: not known yet, nor does
	// what is usual count.
	spread, freedom float64
}

// solution is a regression on some of the causes.
type solution struct {
	causes       []Cause
	coefficients mat.VecDense // of what was measured, then of the causes
	inverse      mat.SymDense // of XᵀX
	n            float64      // observations,
	freedom      float64      // degrees of freedom,
	squares      float64      // and sum of squares that are left, with those of the usual spread
}

// solve is the regression on some causes by least squares; nil: they cannot be told.
func (r *regression) solve(causes []Cause) *solution {
	width := len(r.of) + len(causes)
	if len(r.runs) < width {
		return nil
	}
	// What is usual is as good as one more run that shows no effect (Theil & Goldberger 1961).
	x, y := mat.NewDense(len(r.runs)+len(causes), width, nil), mat.NewVecDense(len(r.runs)+len(causes), nil)
	for i, o := range r.runs {
		y.SetVec(i, math.Log(o.CPU))
		x.Set(i, slices.Index(r.of, o.Of), 1)
		for j, c := range causes {
			if o.has(c) {
				x.Set(i, len(r.of)+j, 1)
			}
		}
	}
	for j, c := range causes {
		if c.Usual > 0 {
			x.Set(len(r.runs)+j, len(r.of)+j, r.spread/c.Usual)
		}
	}
	var normal mat.SymDense
	normal.SymOuterK(1, x.T())
	var cholesky mat.Cholesky
	if !cholesky.Factorize(&normal) || cholesky.Cond() > mostCondition {
		return nil
	}
	s := &solution{causes: causes, n: float64(len(r.runs)), freedom: float64(len(r.runs) - width)}
	var right, left mat.VecDense
	right.MulVec(x.T(), y)
	if cholesky.SolveVecTo(&s.coefficients, &right) != nil || cholesky.InverseTo(&s.inverse) != nil {
		return nil
	}
	left.MulVec(x, &s.coefficients)
	left.SubVec(y, &left)
	s.squares = max(mat.Dot(&left, &left), s.n*exact*exact)
	if r.few {
		s.n, s.freedom, s.squares = s.n+usualFreedom, s.freedom+usualFreedom, s.squares+usualFreedom*usualSpread*usualSpread
	}
	return s
}

// coefficient is that of a cause, with its standard error.
func (r *regression) coefficient(s *solution, cause string) (value, deviation float64) {
	i := len(r.of) + slices.IndexFunc(s.causes, func(c Cause) bool { return c.Name == cause })
	return s.coefficients.AtVec(i), r.spread * math.Sqrt(s.inverse.At(i, i))
}

// best is the most likely solution, each factor having its price.
func (r *regression) best() *solution {
	var best *solution
	least := math.Inf(1)
	for set := range 1 << len(r.causes) {
		var causes []Cause
		for i, c := range r.causes {
			if set&(1<<i) != 0 {
				causes = append(causes, c)
			}
		}
		s := r.solve(causes)
		if s == nil || slices.ContainsFunc(causes, func(c Cause) bool { v, _ := r.coefficient(s, c.Name); return c.Slows && v < 0 }) {
			continue
		}
		if deviance := s.n*math.Log(s.squares/s.n) + r.price(s); deviance < least {
			best, least = s, deviance
		}
	}
	return best
}

// price is what a solution's factors must raise twice the logarithm of the likelihood by: each by
// what one of no effect exceeds with a probability of noiseKept over the number of causes.
// For few runs it is above the price of Akaike's criterion with its correction, for
// some dozen above that of the Bayesian one.
func (r *regression) price(s *solution) (sum float64) {
	for i, c := range s.causes {
		if c.Usual > 0 {
			continue // what is known before the runs has its price
		}
		p := noiseKept / float64(len(r.causes))
		if !c.Slows { // it may be either way
			p /= 2
		}
		freedom := s.freedom + float64(len(s.causes)-1-i)
		t := quantile(1-p, freedom)
		sum += s.n * math.Log1p(t*t/freedom)
	}
	return sum
}

// fit is what a solution tells, of the causes that it has and of the others if each were added.
func (r *regression) fit(s *solution) *Fit {
	f := &Fit{Spread: r.spread, Freedom: r.freedom, base: map[string]float64{}}
	for i, of := range r.of {
		f.base[of] = s.coefficients.AtVec(i)
	}
	for _, c := range r.causes {
		without := slices.DeleteFunc(slices.Clone(s.causes), func(k Cause) bool { return k == c })
		less, more := r.solve(without), r.solve(append(without, c))
		if more == nil {
			continue
		}
		k := Factor{Cause: c.Name, Kept: len(without) < len(s.causes), Freedom: r.freedom, Gain: more.n / 2 * math.Log(less.squares/more.squares)}
		value, deviation := r.coefficient(more, c.Name)
		k.Estimate, k.Error = math.Exp(value), deviation
		for _, o := range r.runs {
			if o.has(c) && slices.ContainsFunc(r.runs, func(p Observation) bool { return p.Of == o.Of && !p.has(c) }) {
				k.Runs++
			}
		}
		f.Factors = append(f.Factors, k)
	}
	return f
}

// quantile is that of Student's t distribution.
func quantile(p, freedom float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(p)
}

// likelier reports whether a model of n observations with normal errors is the likelier one for having more
// parameters, by Schwarz's criterion (Schwarz 1978): less and more are the sums of squares that the model
// leaves without them and with them.
func likelier(n, less, more float64, parameters int) bool {
	return more > 0 && n*math.Log(less/more) > float64(parameters)*math.Log(n)
}
