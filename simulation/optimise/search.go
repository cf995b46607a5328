package optimise

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"tierscope/simulation/experiment"
)

// search is the state of a run.
type search struct {
	runner     *experiment.Runner
	question   Question
	cost       *experiment.Expression
	costKnown  map[string]float64 // values of the model that the cost names
	space      *space
	quantities []quantity // what is predicted: of the limits in their order, then the objective
	surrogates []*surrogate
	pool       []*point // all points that were looked at
	index      map[string]*point
	stages     []Stage
	short      experiment.Experiment // how long a short simulation is
	distrust   float64               // by how many standard deviations more than believed a cheap point has to keep its limits
}

// point is a configuration with what is known of it.
type point struct {
	screened
	beliefs []belief   // by quantity
	short   *Candidate // after a short simulation
	full    *Candidate // after a simulation as the question asks for
}

// belief is what is believed of the logarithm of a quantity.
type belief struct{ mean, deviation float64 }

// rank sorts the pool by promise: the points that may meet the limits first, by what they are believed
// to be worth; then the others by how near they come.
func (s *search) rank() {
	type merit struct {
		miss, value float64
	}
	merits := make(map[*point]merit, len(s.pool))
	for _, p := range s.pool {
		m := merit{miss: s.miss(p), value: s.value(p).mean}
		if p.why != "" {
			m.miss += 1000
		}
		merits[p] = m
	}
	slices.SortStableFunc(s.pool, func(a, b *point) int {
		x, y := merits[a], merits[b]
		return cmp.Or(cmp.Compare(x.miss, y.miss), cmp.Compare(x.value, y.value), cmp.Compare(a.cost, b.cost), strings.Compare(a.name, b.name))
	})
}

// miss is how far a point is believed to be beyond its limits, in logarithms: 0 if it keeps them.
func (s *search) miss(p *point) float64 {
	sum := 0.0
	for i := range s.question.Limits {
		d := p.beliefs[i].mean - math.Log(s.question.Limits[i].Value)
		if s.question.Limits[i].AtLeast {
			d = -d
		}
		if d > 0 {
			sum += d
		}
	}
	return sum
}

// value is what is believed of what is to be minimised: the logarithm of the metric, negative if it is to
// be maximised, or the cost itself.
func (s *search) value(p *point) belief {
	if s.byCost() {
		return belief{p.cost, 0}
	}
	b := p.beliefs[len(p.beliefs)-1]
	if s.question.Maximise != "" {
		b.mean = -b.mean
	}
	return b
}

// byCost reports whether the cost is the only objective.
func (s *search) byCost() bool { return s.question.Maximise == "" && s.question.Minimise == "" }

// feasible is the probability that a point keeps all limits, as far as is believed.
func (s *search) feasible(p *point) float64 {
	if p.why != "" {
		return 0
	}
	sure := 1.0
	for i := range s.question.Limits {
		const least = 1e-3
		sure *= normal(s.within(p, i, least))
	}
	return sure
}

// within is how far a point is believed to be within a limit, in standard deviations, of which each is at least so large.
func (s *search) within(p *point, limit int, least float64) float64 {
	l, b := &s.question.Limits[limit], p.beliefs[limit]
	z := (math.Log(l.Value) - b.mean) / max(b.deviation, least)
	if l.AtLeast {
		return -z
	}
	return z
}

// normal is the distribution function of the standard normal distribution.
func normal(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }
