package analysis

import (
	"cmp"
	"slices"

	"tierscope/core"
)

// findWaits finds how long threads waited for locks that others held. The
// trace tells exactly: the lock was requested while somebody had it. The
// duration of the request alone does not, as a thread may lose its core at any
// place.
func findWaits(rs []*resource) {
	for _, r := range rs {
		if r.kind != core.Mutex && r.kind != core.RWLock {
			continue
		}
		for _, hs := range holdsOf(r) {
			for i := 1; i < len(hs); i++ {
				for j := i - 1; j >= 0 && j >= i-lookBack; j-- {
					if hs[j].thread != hs[i].thread && hs[j].to > hs[i].asked && !(hs[j].read && hs[i].read) {
						hs[i].by.waited = max(hs[i].by.waited, hs[j].to-hs[i].asked)
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
	by       *step
}

// holdsOf returns the stays in the regions of a lock by object, in the order
// in which they began.
func holdsOf(r *resource) map[uint64][]hold {
	holds := map[uint64][]hold{}
	type key struct {
		seq    *sequence
		object uint64
	}
	open := map[key]*step{}
	for _, u := range r.uses {
		s := &u.seq.steps[u.step]
		k := key{u.seq, s.object}
		if _, ok := acquires(s.node.op); ok && s.succeeded() && !s.open {
			open[k] = s
			continue
		}
		if a := open[k]; a != nil && releases(s.node.op) {
			holds[s.object] = append(holds[s.object], hold{u.seq.thread.ID, a.node.op == OpRLock, a.start, a.end, s.start, a})
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
func findMonitors(gs []*group) {
	for _, g := range gs {
		for _, q := range g.seqs {
			q.held(func(i int, locks []*resource) {
				s := &q.steps[i]
				if s.node.op == OpCondWait && s.lock != nil && s.lock.monitor == nil && len(locks) > 0 {
					s.lock.monitor = locks[len(locks)-1]
				}
			})
		}
	}
}

// findMonitors finds the lock of every condition variable.
func (b *build) findMonitors() { findMonitors(b.groups) }

// findWaits finds how long threads waited for locks that others held.
func (b *build) findWaits() { findWaits(b.resources) }
