package tasks

import (
	"slices"

	"tierscope/analysis/trail"
	"tierscope/core"
)

// inTurn reports whether r are queues of which all who take from them take from one after the other, in the same order, such as
// what a counter shares out in rounds (normalise.Counters): then they are one queue, since nobody takes from two at a time.
func inTurn(r *trail.Resource) bool {
	taken := map[*trail.Sequence][]uint64{}
	for _, u := range r.Uses {
		s, from := u.Step(), taken[u.Sequence]
		if trail.ChannelOp(s) == core.Receive && (len(from) == 0 || from[len(from)-1] != s.Object) {
			taken[u.Sequence] = append(from, s.Object)
		}
	}
	var order []uint64
	for _, from := range taken {
		if order == nil {
			order = slices.Clone(from)
		}
		if !slices.Equal(from, order) {
			return false
		}
	}
	n := len(order)
	slices.Sort(order)
	return len(taken) > 1 && n > 1 && n == len(r.Objects) && n == len(slices.Compact(order))
}
