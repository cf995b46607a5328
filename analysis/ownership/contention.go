package ownership

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// findWaits finds how long threads waited for locks that others held. The
// trace tells exactly: the lock was requested while somebody had it. The
// duration of the request alone does not, as a thread may lose its core at any
// place.
func findWaits(rs []*trail.Resource) {
	for _, r := range rs {
		if !r.Kind.Exclusive() {
			continue
		}
		for _, stays := range byObject(r) {
			for i := 1; i < len(stays); i++ {
				asks := stays[i].Enters()
				for j := i - 1; j >= 0 && j >= i-lookBack; j-- {
					other := &stays[j]
					bothRead := other.Enters().Node.Op == trace.OpRLock && asks.Node.Op == trace.OpRLock
					if until := other.Leaves().Start; other.Sequence.Thread.ID != stays[i].Sequence.Thread.ID && until > asks.Start && !bothRead {
						asks.Waited = max(asks.Waited, until-asks.Start)
					}
				}
			}
		}
	}
}

// lookBack is how many earlier holds of a lock are looked at; more than one
// can be open at a time only among readers. Convention, sensitivity none.
const lookBack = 64

// byObject returns the stays under each of the locks that a resource stands for, in the order
// in which they began.
func byObject(r *trail.Resource) map[uint64][]trail.Stay {
	stays := map[uint64][]trail.Stay{}
	for _, s := range r.Stays() {
		o := s.Enters().Object
		stays[o] = append(stays[o], s)
	}
	for _, ss := range stays {
		slices.SortFunc(ss, func(a, b trail.Stay) int { return cmp.Compare(a.Enters().End, b.Enters().End) })
	}
	return stays
}

// Contention finds how long threads waited for locks that others held.
func Contention(tr *trail.Trail) { findWaits(tr.Resources) }
