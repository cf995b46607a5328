package regress

import (
	"fmt"
	"math"
	"slices"
)

// Options of the search; the zero value is the default.
type Options struct {
	// Ladder are the target accuracies, descending: the search stops at the
	// first model that reaches a rung, starting at the highest. Empty:
	// .99, .95, .9, .8, .7.
	Ladder   []float64
	MaxTerms int  // 0: 6, and never more than a fifth of the rows
	Folds    int  // of the cross-validation, 0: 4
	Absolute bool // minimise absolute instead of relative errors
	// Without are variables that take no part, With are such that do although they
	// look like identities, seeds and inode numbers.
	Without, With []string
	ThirdOrder    bool // products of three variables, too
}

// Acceptable is the accuracy from which a behaviour counts as modelled (Wu et
// al. 2010, §5).
const Acceptable = 0.7

func (o Options) normal(rows int) Options {
	if len(o.Ladder) == 0 {
		o.Ladder = []float64{0.99, 0.95, 0.9, 0.8, Acceptable}
	}
	if o.MaxTerms == 0 {
		o.MaxTerms = 6
	}
	o.MaxTerms = min(o.MaxTerms, rows/5)
	if o.Folds == 0 {
		o.Folds = 4
	}
	return o
}

// leastRows is how many rows a model needs: four folds of two.
const leastRows = 8

// Candidate is the best model of one function of the pool.
type Candidate struct {
	Model  Model  `json:"model"`
	Why    string `json:"why"` // it was taken, or not
	Chosen bool   `json:"chosen"`
	// Extrapolated is the accuracy on the largest quarter of the inputs, with the
	// coefficients of the other three.
	Extrapolated float64 `json:"extrapolated_accuracy"`
}

// Selection is a search of the model pool with what explains its outcome.
type Selection struct {
	Model      Model       `json:"model"`
	Candidates []Candidate `json:"candidates"` // in the order in which they were tried
	Variables  []string    `json:"variables"`
	Dropped    []Dropped   `json:"dropped,omitempty"`
}

// Fit searches the model pool for the behaviour of the samples. A model is
// returned even if it reaches no rung of the ladder (Rung 0); an error means
// that there is nothing to learn from.
func Fit(samples []Sample, o Options) (Model, error) {
	s, err := Search(samples, o)
	return s.Model, err
}

// Search does what Fit does and tells how.
func Search(samples []Sample, o Options) (Selection, error) {
	if len(samples) < leastRows {
		return Selection{}, fmt.Errorf("regress: %d runs are too few: at least %d runs with different inputs are needed", len(samples), leastRows)
	}
	o = o.normal(len(samples))
	var s Selection
	s.Variables, s.Dropped = Variables(samples, o.With...)
	s.Variables = slices.DeleteFunc(s.Variables, func(name string) bool {
		if !slices.Contains(o.Without, name) {
			return false
		}
		s.Dropped = append(s.Dropped, Dropped{name, "left out on request"})
		return true
	})
	where := absence(samples, s.Variables)
	all, samples := samples, where.rest(samples)
	o.MaxTerms = min(o.MaxTerms, len(samples)/5)
	// The search at the highest rung visits everything that the searches at
	// lower rungs would; candidates are kept, so each is fitted once. A tree, which
	// predicts nothing beyond the range, is grown if neither function gets there.
	top := o.Ladder[0]
	for _, form := range []Form{Linear, LogLog, TreeForm} {
		var m *Model
		switch {
		case form != TreeForm:
			m = stepwise(samples, s.Variables, form, o, top)
		case !slices.ContainsFunc(s.Candidates, func(c Candidate) bool { return c.Model.CrossValidated >= top }):
			m = fitTree(samples, s.Variables, o)
		}
		if m == nil {
			continue
		}
		beyond := extrapolated(samples, *m, o)
		where.explain(m, all)
		s.Candidates = append(s.Candidates, Candidate{Model: *m, Extrapolated: beyond})
	}
	if len(s.Candidates) == 0 {
		return Selection{}, fmt.Errorf("regress: no model of the pool can be fitted to %d runs", len(samples))
	}
	s.choose(o.Ladder)
	return s, nil
}

// Differences between two functions that say little about which is right: of their
// accuracies, and as a factor of what they lack to 1.
const nearTie, nearFactor = 0.01, 1.5

// tie returns which of the linear and the log-log candidate to take if their
// accuracies are nearly the same: the one that predicts the largest inputs better
// from the smaller ones, and log-log if that says little, too.
func (s *Selection) tie(best int) int {
	if len(s.Candidates) < 2 || s.Candidates[0].Model.Form != Linear || s.Candidates[1].Model.Form != LogLog || best > 1 {
		return best
	}
	a, b := s.Candidates[0], s.Candidates[1]
	lackA, lackB := 1-a.Model.CrossValidated, 1-b.Model.CrossValidated
	switch {
	case !b.Model.Varies() || math.Abs(lackA-lackB) > nearTie || math.Max(lackA, lackB) > nearFactor*math.Min(lackA, lackB):
		return best
	case a.Extrapolated > b.Extrapolated+nearTie:
		return 0
	}
	return 1
}

// choose takes the first candidate that reaches the highest rung that any
// reaches, or the best, and says of each why. Near ties are decided by tie.
func (s *Selection) choose(ladder []float64) {
	best, rung := 0, 0.0
	for i, c := range s.Candidates {
		if c.Model.CrossValidated > s.Candidates[best].Model.CrossValidated {
			best = i
		}
	}
	for _, r := range ladder {
		if i := slices.IndexFunc(s.Candidates, func(c Candidate) bool { return c.Model.CrossValidated >= r }); i >= 0 {
			best, rung = i, r
			break
		}
	}
	if other := s.tie(best); other != best {
		best = other
		if s.Candidates[best].Model.CrossValidated < rung {
			rung = 0
			for _, r := range slices.Backward(ladder) {
				if s.Candidates[best].Model.CrossValidated >= r {
					rung = r
				}
			}
		}
	}
	for i := range s.Candidates {
		c := &s.Candidates[i]
		c.Chosen = i == best
		switch a := c.Model.CrossValidated; {
		case c.Chosen && rung > 0:
			c.Why = fmt.Sprintf("%.3f in cross-validation, %.3f on the largest inputs from smaller ones: the first that reaches %g, or nearly as good and better there", a, c.Extrapolated, rung)
		case c.Chosen:
			c.Why = fmt.Sprintf("%.3f in cross-validation: the best, though below %g", a, ladder[len(ladder)-1])
		case rung > 0 && a >= rung:
			c.Why = fmt.Sprintf("%.3f in cross-validation: good enough, but a simpler function is too", a)
		case rung > 0:
			c.Why = fmt.Sprintf("%.3f in cross-validation: does not reach %g", a, rung)
		default:
			c.Why = fmt.Sprintf("%.3f in cross-validation: another is better", a)
		}
	}
	s.Candidates[best].Model.Rung = rung
	s.Model = s.Candidates[best].Model
}
