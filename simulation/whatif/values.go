package whatif

import (
	"cmp"
	"math"
	"slices"

	"tierscope/core"
)

// reach is how far from the present value a knob is tried: to a quarter and to
// four times of it, as far as the parameter allows.
const reach = 4

// Points is how many values of a knob are simulated, if it has as many.
const Points = 6

// Range is what is asked about around the present value of a parameter.
func Range(p core.Parameter, at float64) (lo, hi float64) {
	lo, hi = max(p.Min, min(at, p.Default)/reach), min(p.Max, max(at, p.Default)*reach)
	if p.Integer {
		lo, hi = math.Ceil(lo), math.Floor(hi)
	}
	if !(lo < hi) { // a knob at 0, or at the end of its range
		lo, hi = p.Min, p.Max
	}
	return min(lo, at), max(hi, at)
}

// Values chooses at most n values of a parameter for simulation, the present
// one among them, in the order in which they tell most: the present one, the ends
// of the range, and then always the middle of the widest gap. Distances are ratios
// where the range is positive.
func Values(p core.Parameter, at float64, n int) []float64 {
	lo, hi := Range(p, at)
	distance := func(a, b float64) float64 { return b - a }
	if lo > 0 {
		distance = func(a, b float64) float64 { return math.Log(b / a) }
	}
	out := []float64{at}
	add := func(v float64) bool {
		if p.Integer {
			v = math.Round(v)
		}
		if slices.Contains(out, v) {
			return false
		}
		out = append(out, v)
		return true
	}
	add(lo)
	add(hi)
	for len(out) < n {
		sorted := slices.Clone(out)
		slices.Sort(sorted)
		var gaps [][2]float64
		for i := range sorted[1:] {
			gaps = append(gaps, [2]float64{sorted[i], sorted[i+1]})
		}
		slices.SortStableFunc(gaps, func(a, b [2]float64) int { return cmp.Compare(distance(b[0], b[1]), distance(a[0], a[1])) })
		if !slices.ContainsFunc(gaps, func(g [2]float64) bool { return add(middle(g[0], g[1], lo > 0)) }) {
			break // every whole number is there
		}
	}
	return out[:min(len(out), n)]
}

// middle is between two values of a knob, of which the ratio counts where all of its range is positive.
func middle(a, b float64, ratios bool) float64 {
	if ratios {
		return math.Sqrt(a * b)
	}
	return (a + b) / 2
}
