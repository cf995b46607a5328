package ownership

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// findWaits finds how long threads waited for locks that others held. The
// trace tells exactly: the lock was requested while somebody had it. The
// duration of the request alone does not, as a thread may lose its core at any
// place.
func findWaits(rs []*trail.Resource) {
	for _, r := range rs {
		if r.Kind != core.Mutex && r.Kind != core.RWLock {
			continue
		}
		for _, hs := range holdsOf(r) {
			for i := 1; i < len(hs); i++ {
				for j := i - 1; j >= 0 && j >= i-lookBack; j-- {
					if hs[j].thread != hs[i].thread && hs[j].to > hs[i].asked && !(hs[j].read && hs[i].read) {
						hs[i].by.Waited = max(hs[i].by.Waited, hs[j].to-hs[i].asked)
					}
				}
			}
		}
	}
}

// lookBack is how many earlier holds of a lock are looked at; more than one
// can be open at a time only among readers.
const lookBack = 64

// hold is one stay in a region.
type hold struct {
	thread   int64
	read     bool
	asked    int64 // ns: when the lock was requested
	from, to int64 // ns: when it was held
	by       *trail.Step
}

// holdsOf returns the stays in the regions of a lock by object, in the order
// in which they began.
func holdsOf(r *trail.Resource) map[uint64][]hold {
	holds := map[uint64][]hold{}
	type key struct {
		seq    *trail.Sequence
		object uint64
	}
	open := map[key]*trail.Step{}
	for _, u := range r.Uses {
		s := &u.Sequence.Steps[u.Index]
		k := key{u.Sequence, s.Object}
		if _, ok := trace.Acquires(s.Node.Op); ok && s.Succeeded() && !s.Open {
			open[k] = s
			continue
		}
		if a := open[k]; a != nil && trace.Releases(s.Node.Op) {
			holds[s.Object] = append(holds[s.Object], hold{u.Sequence.Thread.ID, a.Node.Op == trace.OpRLock, a.Start, a.End, s.Start, a})
			delete(open, k)
		}
	}
	for _, hs := range holds {
		slices.SortFunc(hs, func(a, b hold) int { return cmp.Compare(a.from, b.from) })
	}
	return holds
}

// findMonitors finds the lock of every condition variable: the innermost one
// that the waiting thread holds.
func findMonitors(gs []*trail.Pool) {
	for _, g := range gs {
		for _, q := range g.Sequences {
			q.Held(func(i int, locks []*trail.Resource) {
				s := &q.Steps[i]
				if s.Node.Op == trace.OpCondWait && s.Lock != nil && s.Lock.Monitor == nil && len(locks) > 0 {
					s.Lock.Monitor = locks[len(locks)-1]
				}
			})
		}
	}
}

// ConditionLocks finds the lock of every condition variable.
func ConditionLocks(tr *trail.Trail) { findMonitors(tr.Pools) }

// Contention finds how long threads waited for locks that others held.
func Contention(tr *trail.Trail) { findWaits(tr.Resources) }
