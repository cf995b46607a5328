package chart

import (
	"math"
	"sort"

	"gonum.org/v1/plot"
)

// Steps shows distribution functions: measured and simulated response times,
// the demand of a fragment, the service law P(t | x) of a disk.
type Steps struct {
	Title string
	X     Axis
	Laws  []Law
}

// Law is one distribution function as quantiles: P(X ≤ Values[i]) =
// Probabilities[i], both ascending.
type Law struct {
	Name          string
	Role          Role
	Colour        int
	Values        []float64
	Probabilities []float64
}

func (f Steps) lines() Lines {
	l := Lines{Title: f.Title, X: f.X, Y: Axis{Label: "Share at most this", Unit: "1", Max: 1}}
	for _, law := range f.Laws {
		role := law.Role
		if role == Measured {
			role = Bound // a distribution has no markers: neutral and dotted
		}
		s := Series{Name: law.Name, Role: role, Colour: law.Colour}
		for i, v := range law.Values {
			s.Points = append(s.Points, Point{X: v, Y: law.Probabilities[i]})
		}
		l.Series = append(l.Series, s)
	}
	return l
}

func (f Steps) draw(p *plot.Plot, t Theme) (layout, error) {
	t.Edge = t.Ink
	return f.lines().draw(p, t)
}

// Table implements Figure.
func (f Steps) Table() Table { return f.lines().Table() }

// Summary implements Figure.
func (f Steps) Summary() string { return f.lines().Summary() }

// Distance returns the Kolmogorov–Smirnov distance of two laws: the largest
// difference of their distribution functions, taken as linear between the
// given quantiles.
func Distance(a, b Law) float64 {
	var d float64
	for _, v := range append(a.Values[:len(a.Values):len(a.Values)], b.Values...) {
		d = math.Max(d, math.Abs(a.at(v)-b.at(v)))
	}
	return d
}

func (l Law) at(v float64) float64 {
	i := sort.SearchFloat64s(l.Values, v)
	switch {
	case i == len(l.Values):
		return 1
	case l.Values[i] == v || i == 0:
		if l.Values[i] == v {
			return l.Probabilities[i]
		}
		return 0
	}
	f := (v - l.Values[i-1]) / (l.Values[i] - l.Values[i-1])
	return l.Probabilities[i-1] + f*(l.Probabilities[i]-l.Probabilities[i-1])
}
