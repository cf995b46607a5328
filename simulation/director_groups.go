package simulation

import (
	"math"
	"slices"
)

// gathered returns what follows a take of a thread that gathers tasks, which got one of the recording or nothing.
func (r *replica) gathered(th *thread, x *cast, got int64, to int32, shut bool) ([]move, bool) {
	g := x.gathers
	own, ok := g.own[got]
	switch {
	case g.ends[got]:
		end := r.endGroup(th, x)
		if n := len(end); n > 0 && r.program.takes(end[n-1].at, x.home) {
			end = end[:n-1]
		}
		return slices.Concat(end, own), true
	case got != 0 && ok:
		th.pending = append(th.pending, got)
		if g.limit == 0 || len(th.pending) < g.limit {
			return slices.Concat(own, g.next), true
		}
		return slices.Concat(own, r.endGroup(th, x)), true
	case len(th.pending) > 0:
		return r.endGroup(th, x), true
	default:
		return r.another(th, x, to, shut)
	}
}

// endGroup returns what a thread does at the end of the group that it has: what was done for one of the same size, or nearly so, in
// the recording, by turns; with the last of all groups a thread may end, but with no other.
func (r *replica) endGroup(th *thread, x *cast) []move {
	if len(th.pending) == 0 {
		return nil
	}
	size, best := len(th.pending), math.MaxInt
	var alike []*ending
	for i := range x.gathers.endings {
		e := &x.gathers.endings[i]
		d := max(e.size-size, size-e.size)
		if e.last && !r.closedNow(th, x.home) || d > best {
			continue
		}
		if d < best {
			best, alike = d, nil
		}
		alike = append(alike, e)
	}
	var moves []move
	var e ending
	if len(alike) > 0 {
		e = *alike[r.followed.groups%len(alike)]
	}
	r.followed.groups++
	moves = append(moves, e.before...)
	for _, task := range th.pending {
		moves = append(moves, x.gathers.answers[task]...)
	}
	th.pending = th.pending[:0]
	// The share of recorded work that is done knows nothing of how many groups there are.
	r.followed.left -= r.program.computes(e.before) + r.program.computes(e.then)
	return append(moves, e.then...)
}
