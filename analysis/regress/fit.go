package regress

import "fmt"

// Options of the search; the zero value is the default.
type Options struct {
	// Ladder are the target accuracies, descending: the search stops at the
	// first model that reaches a rung, starting at the highest. Empty:
	// .99, .95, .9, .8, .7.
	Ladder   []float64
	MaxTerms int  // 0: 6, and never more than a fifth of the rows
	Folds    int  // of the cross-validation, 0: 4
	Absolute bool // minimise absolute instead of relative errors
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

// Fit searches the model pool for the behaviour of the samples. A model is
// returned even if it reaches no rung of the ladder (Rung 0); an error means
// that there is nothing to learn from.
func Fit(samples []Sample, o Options) (Model, error) {
	if len(samples) < leastRows {
		return Model{}, fmt.Errorf("regress: %d runs are too few: at least %d runs with different inputs are needed", len(samples), leastRows)
	}
	o = o.normal(len(samples))
	variables, _ := Variables(samples)
	// The search at the highest rung visits everything that the searches at
	// lower rungs would; candidates are kept, so each is fitted once.
	top := o.Ladder[0]
	var candidates []Model
	for _, form := range []Form{Linear, LogLog, TreeForm} {
		var m *Model
		if form == TreeForm {
			m = fitTree(samples, variables, o)
		} else {
			m = stepwise(samples, variables, form, o, top)
		}
		if m == nil {
			continue
		}
		candidates = append(candidates, *m)
		if m.CrossValidated >= top {
			break
		}
	}
	if len(candidates) == 0 {
		return Model{}, fmt.Errorf("regress: no model of the pool can be fitted to %d runs", len(samples))
	}
	return choose(candidates, o.Ladder), nil
}

// choose returns the first candidate that reaches the highest rung that any
// reaches, or the best.
func choose(candidates []Model, ladder []float64) Model {
	for _, rung := range ladder {
		for _, m := range candidates {
			if m.CrossValidated >= rung {
				m.Rung = rung
				return m
			}
		}
	}
	best := candidates[0]
	for _, m := range candidates {
		if m.CrossValidated > best.CrossValidated {
			best = m
		}
	}
	return best
}
