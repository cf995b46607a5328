package optimise

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"tierscope/core"
	"tierscope/simulation/experiment"
)

// space is the set of configurations that a question asks for. Nothing of it is stored: its points
// are made when they are looked at.
type space struct {
	axes  []axis
	fixed map[string]float64
	rules *experiment.Rules
}

// axis is a dimension of the space: values in an order, values without one, or a range of real
// numbers.
type axis struct {
	name     string
	values   []float64 // nil: real
	from, to float64   // of a real one
	category bool
	log      bool // what matters is the ratio of two values
}

// place is where a point lies on every axis: the index of its value, or its position 0…1 in a real
// range.
type place []float64

// logRatio is the ratio of its largest to its smallest value from which an axis is taken as
// logarithmic: from 1 to 2 threads is as far as from 8 to 16.
const logRatio = 8

// newSpace reads the axes and constraints of an experiment.
func newSpace(e *experiment.Experiment, m *core.Model) (*space, error) {
	s := &space{fixed: e.Settings}
	var errs []error
	seen := map[string]bool{}
	for i, a := range e.Axes {
		x := axis{name: a.Parameter, from: a.From, to: a.To, category: a.Category}
		if seen[a.Parameter] {
			errs = append(errs, fmt.Errorf("axes[%d]: %q has an axis already; keep one", i, a.Parameter))
		}
		seen[a.Parameter] = true
		if a.Real {
			if !(a.From < a.To) || math.IsInf(a.To-a.From, 0) {
				errs = append(errs, fmt.Errorf("axes[%d]: %q: a real range needs from < to", i, a.Parameter))
			}
		} else {
			var err error
			if x.values, err = a.Expand(); err != nil {
				errs = append(errs, fmt.Errorf("axes[%d]: %w", i, err))
				continue
			}
			x.from, x.to = x.values[0], x.values[0]
			for _, v := range x.values {
				x.from, x.to = min(x.from, v), max(x.to, v)
			}
		}
		x.log = !x.category && x.from > 0 && x.to/x.from >= logRatio
		s.axes = append(s.axes, x)
	}
	var err error
	if s.rules, err = experiment.NewRules(e.Constraints, m, e.Settings); err != nil {
		errs = append(errs, err)
	}
	return s, errors.Join(errs...)
}

// size is the number of points, those that break a constraint included; +Inf with a real axis.
func (s *space) size() float64 {
	n := 1.0
	for _, a := range s.axes {
		if a.values == nil {
			return math.Inf(1)
		}
		n *= float64(len(a.values))
	}
	return n
}

// settings is the configuration at a place.
func (s *space) settings(p place) map[string]float64 {
	settings := maps.Clone(s.fixed)
	if settings == nil {
		settings = map[string]float64{}
	}
	for i, a := range s.axes {
		settings[a.name] = a.value(p[i])
	}
	return settings
}

// realDigits is the number of significant digits of a value on a real axis: what is nearer makes no
// difference that a simulation could show.
const realDigits = 3

func (a *axis) value(x float64) float64 {
	if a.values != nil {
		return a.values[int(x)]
	}
	v := a.from + x*(a.to-a.from)
	if a.log {
		v = a.from * math.Pow(a.to/a.from, x)
	}
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', realDigits, 64), 64)
	return min(max(v, a.from), a.to)
}

// key names a place; equal configurations have equal keys.
func (s *space) key(p place) string {
	var b strings.Builder
	for i := range s.axes {
		b.WriteString(strconv.FormatFloat(s.axes[i].value(p[i]), 'g', -1, 64))
		b.WriteByte(' ')
	}
	return b.String()
}

// features are the coordinates of a place among which distances mean something: 0…1 on an axis with
// an order, and a coordinate for every value of a category.
func (s *space) features(p place) []float64 {
	var f []float64
	for i, a := range s.axes {
		switch v := a.value(p[i]); {
		case a.category:
			for k := range a.values {
				if k == int(p[i]) {
					f = append(f, math.Sqrt2/2) // any two values are at distance 1
				} else {
					f = append(f, 0)
				}
			}
		case a.from == a.to:
			f = append(f, 0)
		case a.log:
			f = append(f, math.Log(v/a.from)/math.Log(a.to/a.from))
		default:
			f = append(f, (v-a.from)/(a.to-a.from))
		}
	}
	return f
}

// all yields every place of a space without real axes, the last axis fastest.
func (s *space) all(yield func(place) bool) {
	p := make(place, len(s.axes))
	for {
		if !yield(append(place(nil), p...)) {
			return
		}
		i := len(p) - 1
		for ; i >= 0; i-- {
			if p[i]++; int(p[i]) < len(s.axes[i].values) {
				break
			}
			p[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

// random is a place anywhere in the space.
func (s *space) random(r *rand.Rand) place {
	p := make(place, len(s.axes))
	for i := range s.axes {
		p[i] = s.axes[i].random(r)
	}
	return p
}

// random is uniform over what matters: over ratios on a logarithmic axis.
func (a *axis) random(r *rand.Rand) float64 {
	switch {
	case a.values == nil:
		return r.Float64()
	case a.log:
		want := math.Log(a.from) + r.Float64()*math.Log(a.to/a.from)
		best, least := 0, math.Inf(1)
		for i, v := range a.values { // values may be in any order
			if d := math.Abs(math.Log(v) - want); d < least {
				best, least = i, d
			}
		}
		return float64(best)
	}
	return float64(r.IntN(len(a.values)))
}

// near is a place near p: one or two axes are moved, mostly by little.
func (s *space) near(p place, r *rand.Rand) place {
	q := append(place(nil), p...)
	if len(s.axes) == 0 {
		return q
	}
	for range 1 + r.IntN(2) {
		i := r.IntN(len(s.axes))
		a := &s.axes[i]
		switch {
		case a.category || r.IntN(10) == 0:
			q[i] = a.random(r)
		case a.values == nil:
			q[i] = min(max(q[i]+0.1*r.NormFloat64(), 0), 1)
		default:
			step := math.Pow(float64(len(a.values))/4, r.Float64()*r.Float64()) // mostly one, sometimes far
			if r.IntN(2) == 0 {
				step = -step
			}
			q[i] = min(max(math.Round(q[i]+math.Copysign(max(1, math.Abs(step)), step)), 0), float64(len(a.values)-1))
		}
	}
	return q
}

// mix is a place with each coordinate from one of two parents.
func (s *space) mix(p, q place, r *rand.Rand) place {
	child := append(place(nil), p...)
	for i := range child {
		if r.IntN(2) == 0 {
			child[i] = q[i]
		}
	}
	return child
}
