package trail

import (
	"slices"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// Region is a stay under a lock, from step first, which acquires it, to step
// last, which releases it.
type Region struct {
	First, Last int
	Lock        *Resource
}

// Regions returns the stays under locks in the order in which they begin, one
// that is not ended before the recording excepted.
func (q *Sequence) Regions() []Region {
	var rs []Region
	type key struct {
		object uint64
		by     trace.Op
	}
	open := map[key][]int{} // indices into rs
	for i := range q.Steps {
		s := &q.Steps[i]
		if s.Lock == nil || s.Node.Class != core.SyncFragment {
			continue
		}
		if by, ok := trace.Acquires(s.Node.Op); ok && s.Succeeded() && !s.Open {
			k := key{s.Object, by}
			open[k] = append(open[k], len(rs))
			rs = append(rs, Region{i, -1, s.Lock})
			continue
		}
		if k := (key{s.Object, s.Node.Op}); len(open[k]) > 0 {
			n := len(open[k]) - 1
			rs[open[k][n]].Last = i
			open[k] = open[k][:n]
		}
	}
	return slices.DeleteFunc(rs, func(r Region) bool { return r.Last < 0 })
}
