package regress

import (
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Levels are those of figures 6 and 7 of Wu et al. 2010: shares of behaviours that
// are predicted with at least this accuracy.
var Levels = []float64{0.9, 0.8, Acceptable}

// Distribution is how many behaviours of a program, or of one name in all programs,
// reach which level of accuracy.
type Distribution struct {
	Name   string `json:"name"`
	Counts []int  `json:"counts"` // in [.9, 1], [.8, .9), [.7, .8), below
}

// All is the number of behaviours.
func (d Distribution) All() (n int) {
	for _, c := range d.Counts {
		n += c
	}
	return n
}

// counted calls f for every behaviour of whole threads that depends on anything, with
// its accuracy; 0 where there is no acceptable model.
func (r *Report) counted(f func(b Behaviour, accuracy float64)) {
	for _, b := range r.Behaviours {
		switch {
		case b.Phase != "" || b.Constant:
		case b.Acceptable():
			f(b, b.Evaluation.HeldOut)
		default:
			f(b, 0)
		}
	}
}

// Coverage returns how many behaviours of whole threads there are, how many have an
// acceptable model, and the geometric mean accuracy of those on held-out runs: the
// figures of Wu et al. 2010, §5. Constant behaviours do not count.
func (r *Report) Coverage() (all, modelled int, accuracy float64) {
	var accuracies []float64
	r.counted(func(b Behaviour, a float64) {
		all++
		if b.Acceptable() {
			accuracies = append(accuracies, a)
		}
	})
	return all, len(accuracies), stat.GeometricMean(accuracies, nil)
}

// Constants is the number of behaviours of whole threads that depend on no input.
func (r *Report) Constants() (n int) {
	for _, b := range r.Behaviours {
		if b.Phase == "" && b.Constant {
			n++
		}
	}
	return n
}

// Covered is the share of all held-out rows that lie in their 95 % prediction
// intervals, over the behaviours with a model; 0 if there is none.
func (r *Report) Covered() float64 {
	inside, all := 0.0, 0.0
	r.counted(func(b Behaviour, _ float64) {
		if b.Acceptable() {
			n := float64(len(b.Evaluation.Predictions))
			inside, all = inside+n*b.Covered, all+n
		}
	})
	if all == 0 {
		return 0
	}
	return inside / all
}

// Distributions are figure 6, by behaviour, and figure 7, by program.
func (r *Report) Distributions() (behaviours, programs []Distribution) {
	add := func(list *[]Distribution, name string, accuracy float64) {
		k := slices.IndexFunc(*list, func(d Distribution) bool { return d.Name == name })
		if k < 0 {
			k = len(*list)
			*list = append(*list, Distribution{Name: name, Counts: make([]int, len(Levels)+1)})
		}
		level := slices.IndexFunc(Levels, func(l float64) bool { return accuracy >= l })
		if level < 0 {
			level = len(Levels)
		}
		(*list)[k].Counts[level]++
	}
	r.counted(func(b Behaviour, accuracy float64) {
		add(&behaviours, b.Name, accuracy)
		add(&programs, b.Program, accuracy)
	})
	return behaviours, programs
}
