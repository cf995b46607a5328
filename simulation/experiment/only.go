package experiment

import (
	"slices"
	"strings"

	"tierscope/simulation"
)

// trimmed returns a result with the metrics whose keys begin as only says, and without distributions and
// courses; all of it without such wishes.
func trimmed(r *simulation.Result, only []string) *simulation.Result {
	if len(only) == 0 {
		return r
	}
	small := *r
	small.Distributions, small.Courses = nil, nil
	small.Metrics = nil
	for _, m := range r.Metrics {
		if slices.ContainsFunc(only, func(prefix string) bool { return strings.HasPrefix(m.Key(), prefix) }) {
			small.Metrics = append(small.Metrics, m)
		}
	}
	return &small
}

// covers reports whether what was kept has all that is wanted.
func covers(kept, wanted []string) bool {
	if len(kept) == 0 {
		return true
	}
	if len(wanted) == 0 {
		return false
	}
	for _, w := range wanted {
		if !slices.ContainsFunc(kept, func(k string) bool { return strings.HasPrefix(w, k) }) {
			return false
		}
	}
	return true
}
