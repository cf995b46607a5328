package guards

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// Who brings may bring several things at a time, as many each time, which threads take one by one:
//
//	put:  lock; append 8 things; notEmpty.Broadcast(); unlock
//	take: lock; for empty { notEmpty.Wait() }; remove one; unlock
//
// How many, nobody recorded. But all are taken, and nobody waits while there is something.

// atATime is how many things each stay brings that brings something: 1, or as many as make it true of all stays that take.
func (b *buffer) atATime(stays []trail.Stay, puts, takes int64) int64 {
	if b.counted || b.stock > 0 || puts < 2 {
		return 1
	}
	k := takes / puts
	if k < 2 || takes-k*puts > int64(len(b.takes)) {
		return 1
	}
	var cs []trace.Change
	var waits []int64 // ns, at which somebody finds nothing
	for i := range stays {
		s := &stays[i]
		_, taking := b.takes[s.Sequence][s.First]
		switch by := b.puts[s.Sequence][s.First]; {
		case by > 1:
			return 1
		case by == 1:
			cs = append(cs, trace.Change{At: s.Leaves().Start, By: int(k)})
		case taking:
			cs = append(cs, trace.Change{At: s.Leaves().Start, By: -1})
			if w := b.firstWait(s); w != nil {
				waits = append(waits, w.Start)
			}
		}
	}
	slices.SortStableFunc(cs, func(a, b trace.Change) int { return cmp.Compare(a.At, b.At) })
	things, next := int64(0), 0
	for _, at := range slices.Sorted(slices.Values(waits)) {
		for ; next < len(cs) && cs[next].At < at; next++ {
			if things += int64(cs[next].By); things < 0 {
				return 1
			}
		}
		if things != 0 {
			return 1
		}
	}
	for _, c := range cs[next:] {
		if things += int64(c.By); things < -int64(len(b.takes)) {
			return 1 // more found nothing than there are threads that could end
		}
	}
	return k
}

// bringsSeveral lets each stay bring k things and each take one. The other condition says something else than that there is room.
func (b *buffer) bringsSeveral(k int) {
	b.full = nil
	for _, at := range b.puts {
		for first := range at {
			at[first] *= k
		}
	}
	for _, at := range b.takes {
		for first := range at {
			at[first] = true
		}
	}
}

// firstWait is the first step of a stay that waits for things, nil if there were some.
func (b *buffer) firstWait(s *trail.Stay) *trail.Step {
	for i := s.First; i <= s.Last; i++ {
		if x := &s.Sequence.Steps[i]; x.Lock == b.empty && x.Node.Op == trace.OpCondWait {
			return x
		}
	}
	return nil
}
