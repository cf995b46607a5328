package regress

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Dropped says why a captured variable takes no part in a model.
type Dropped struct {
	Name   string `json:"name"`
	Reason string `json:"reason"` // "missing in some runs", "constant", "affine in NAME", "left out on request", or that it identifies
}

// constant is the relative spread up to which a variable is constant: the
// rounding of a few operations in single precision (2⁻²⁴ each) is no input.
const constant = 1e-6

// affine is the correlation above which two variables are one.
const affine = 1 - 1e-6

// Variables returns the variables that can explain anything: present in every
// sample, not constant (filter 3 of Wu et al. 2010, §3.1), no identity and no
// affine function of one that is kept. Variables of the program are kept before what it is only given, which prediction code in it
// could not read; then shorter names; and those that are named in with are kept, whatever they look like.
func Variables(samples []Sample, with ...string) (kept []string, dropped []Dropped) {
	count, given := map[string]int{}, map[string]int{}
	for _, s := range samples {
		for name := range s.Variables {
			count[name]++
		}
		for _, name := range s.Given {
			given[name] = 1
		}
	}
	var names []string
	for name := range count {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(given[a], given[b]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	columns := map[string][]float64{}
	for _, name := range names {
		if count[name] < len(samples) {
			dropped = append(dropped, Dropped{name, "missing in some runs"})
			continue
		}
		x := make([]float64, len(samples))
		for i, s := range samples {
			x[i] = s.Variables[name]
		}
		if lo, hi := slices.Min(x), slices.Max(x); hi-lo <= constant*math.Max(math.Abs(lo), math.Abs(hi)) {
			dropped = append(dropped, Dropped{name, "constant"})
			continue
		}
		if why := identifies(name, x); why != "" && !slices.Contains(with, name) {
			dropped = append(dropped, Dropped{name, why})
			continue
		}
		twin := slices.IndexFunc(kept, func(other string) bool {
			return math.Abs(stat.Correlation(x, columns[other], nil)) > affine
		})
		if twin >= 0 {
			dropped = append(dropped, Dropped{name, "affine in " + kept[twin]})
			continue
		}
		columns[name] = x
		kept = append(kept, name)
	}
	return kept, dropped
}
