package regress

import (
	"cmp"
	"math"
	"slices"
)

// window is Occam's: rivals that are less likely than the likeliest by more than this factor are discredited
// (Madigan & Raftery 1994).
const window = 20.0

// rivalsOf are the functions that explain the runs about as well as those that were chosen: with one term more, less, or another,
// with a bend, or with other coefficients for small inputs than for large ones. Their weights are posterior probabilities by the
// Bayesian information criterion (Raftery 1995), with equal belief in each number of terms (Scott & Berger 2010).
func (b *Behaviour) rivalsOf() []rival {
	samples := present(b.Selection.Model.Absent.rest(b.Samples))
	if len(samples) < leastRows {
		return nil
	}
	third := false
	var bases []rival
	for _, c := range b.Selection.Candidates {
		if m := c.Model; m.Form == LogLog && nonNegative(b.Samples) || m.Form == Linear {
			bases = append(bases, rival{form: m.Form, terms: m.Terms})
			third = third || slices.ContainsFunc(m.Terms, func(t Term) bool { return t.C != "" })
		}
	}
	var pool []Term
	for _, group := range terms(b.Selection.Variables, third) {
		pool = append(pool, group...)
	}
	var out []rival
	for _, base := range bases {
		usable := slices.DeleteFunc(slices.Clone(pool), func(t Term) bool { return !usable(t, base.form, samples) })
		for _, r := range base.around(usable, b.Selection.Variables, samples) {
			if r.fit(samples, len(pool)+len(b.Selection.Variables)) {
				out = append(out, r)
			}
		}
	}
	if m := b.Selection.Model; m.Form == TreeForm || m.Form == Sum {
		if r, ok := b.asItIs(); ok {
			out = append(out, r)
		}
	}
	out = credited(out)
	var sizes []float64
	for _, s := range samples {
		sizes = append(sizes, math.Abs(s.Y))
	}
	for i := range out {
		if r := &out[i]; r.whole == nil {
			r.scatter = scatterOf(sizes, r.missed, r.freedom)
		}
	}
	return out
}

// around are the function and those that differ from it by one step.
func (r rival) around(pool []Term, variables []string, samples []Sample) []rival {
	out := []rival{r}
	with := func(terms []Term) { out = append(out, rival{form: r.form, terms: terms}) }
	for i := range r.terms {
		with(slices.Delete(slices.Clone(r.terms), i, i+1))
	}
	for _, t := range pool {
		if slices.Contains(r.terms, t) {
			continue
		}
		with(append(slices.Clone(r.terms), t))
		for i := range r.terms {
			other := slices.Clone(r.terms)
			other[i] = t
			with(other)
		}
	}
	for _, name := range variables {
		value := valueOf(name)
		if lo, _ := rangeOf(samples, value); lo > 0 && r.form == LogLog {
			bent := r
			bent.bend = name
			out = append(out, bent)
		}
		sorted := slices.Clone(samples)
		slices.SortFunc(sorted, func(a, b Sample) int { return cmp.Compare(value(a), value(b)) })
		var limits []float64
		for quarters := 1; quarters < 4; quarters++ {
			limits = append(limits, value(sorted[len(sorted)*quarters/4]))
		}
		for _, limit := range slices.Compact(limits) {
			broken := r
			broken.split, broken.limit = name, limit
			out = append(out, broken)
		}
	}
	return out
}

// credited are the rivals within the window, with weights that add up to 1, the likeliest first.
func credited(all []rival) []rival {
	slices.SortStableFunc(all, func(a, b rival) int { return cmp.Compare(b.weight, a.weight) })
	sum := 0.0
	for i := range all {
		if all[0].weight-all[i].weight > math.Log(window) {
			all = all[:i]
			break
		}
		sum += math.Exp(all[i].weight - all[0].weight)
	}
	if len(all) == 0 {
		return nil
	}
	best := all[0].weight
	for i := range all {
		all[i].weight = math.Exp(all[i].weight-best) / sum
	}
	return all
}
