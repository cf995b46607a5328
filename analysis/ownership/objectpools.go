package ownership

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Programs keep objects that one thread uses at a time: connections, buffers, writers.
// A thread takes one that is free before it locks it, so nobody ever waits, however
// long such locks are held. The model knows how often each is used, but not which are
// free: it would pick one at random, and wait for it, perhaps for ever, as who has it
// may need what the thread holds.
//
// Theory: of fewestClashes that are expected of random picks, less than clashShare of them
// come by chance once in 360 cases: Poisson, e⁻¹⁰ (1 + 10 + 10²/2) = 0.28 %.
const (
	fewestClashes = 10
	clashShare    = 0.25
)

// FromPool reports whether the locks that one resource stands for are picked such
// that hardly anybody meets another one: by far fewer requests found a lock taken
// than if each had picked one at random.
func FromPool(r *trail.Resource) bool {
	if n, _ := r.Stripes(); n <= 1 || r.Kind != core.Mutex {
		return false
	}
	expected, met := clashes(r)
	return expected >= fewestClashes && float64(met) < clashShare*expected
}

// clashes returns how many requests would find a lock taken by another thread if each
// picked one at random, and how many did.
func clashes(r *trail.Resource) (expected float64, met int) {
	_, weights := r.Stripes()
	weight := map[uint64]float64{}
	for i, o := range r.Objects {
		weight[o.ID] = weights[i]
	}
	type event struct {
		at     int64
		order  int // of events at one time: who leaves, who asks, who enters
		thread int64
		weight float64
	}
	var es []event
	for _, s := range r.Stays() {
		in, th := s.Enters(), s.Sequence.Thread.ID
		w := weight[in.Object]
		es = append(es, event{s.Leaves().Start, 0, th, -w}, event{in.Start, 1, th, 0}, event{in.End, 2, th, w})
		if in.Waited > 0 {
			met++
		}
	}
	for _, u := range r.Uses {
		if s := u.Step(); trace.Tries(s.Node.Op) && !s.Succeeded() {
			met++
		}
	}
	slices.SortFunc(es, func(a, b event) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order)) })
	all, by := 0.0, map[int64]float64{}
	for _, e := range es {
		if e.order == 1 {
			expected += all - by[e.thread]
		}
		all += e.weight
		by[e.thread] += e.weight
	}
	return expected, met
}
