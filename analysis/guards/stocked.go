package guards

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// Who starts the threads may fill the list before, where no lock is needed and nobody is to be woken, and who is done with something may
// find several things that can be done now, or none:
//
//	done: lock; for what waits for it { if it waits for nothing else { append; more.Signal() } }; unlock
//
// Each signal is for one thing then. How many there were before, the waits tell: whoever waits finds nothing there, so that at every
// wait as much has been taken as was there before and was brought since.

// stocked returns the places that bring, true, and those that take, where each signal stands for one thing that is brought, and something
// was there before.
func (b *buffer) stocked(stays []trail.Stay) (brings map[side]bool, ok bool) {
	v := b.visits(stays)
	brings = map[side]bool{}
	var pool *trail.Pool
	for _, at := range v.order {
		switch {
		case v.takes[at] && (v.signals[at] || pool != nil && pool != at.group):
			return nil, false
		case v.takes[at]:
			brings[at], pool = false, at.group
		case v.signals[at]:
			brings[at] = true
		}
	}
	if b.full != nil || pool == nil || pool.Parent == nil {
		return nil, false
	}
	b.counted = true
	return brings, b.findStock(stays, brings)
}

// findStock finds out how much there was before; false: the waits do not agree, or do not tell.
func (b *buffer) findStock(stays []trail.Stay, brings map[side]bool) bool {
	type event struct {
		at    int64
		by    int
		waits bool
	}
	var events []event
	ended := int64(0) // when all were woken first
	for i := range stays {
		s := &stays[i]
		put, in := brings[sideOf(s)]
		for k := s.First; k <= s.Last; k++ {
			x := &s.Sequence.Steps[k]
			switch {
			case x.Lock == b.empty && x.Node.Op == trace.OpCondWait:
				events = append(events, event{at: x.Start, waits: true})
			case x.Lock == b.empty && x.Node.Op == trace.OpBroadcast && (ended == 0 || x.Start < ended):
				ended = x.Start
			}
		}
		switch {
		case in && put:
			events = append(events, event{at: s.Leaves().Start, by: signals(s, b.empty)})
		case in:
			events = append(events, event{at: s.Leaves().Start, by: -1})
		}
	}
	slices.SortStableFunc(events, func(x, y event) int { return cmp.Compare(x.at, y.at) })
	items, told := 0, false
	for _, e := range events {
		switch {
		case ended > 0 && e.at >= ended: // takes in vain
			if e.by > 0 {
				return false
			}
		case !e.waits:
			items += e.by
		case told && items != -int(b.stock):
			return false
		case !told:
			b.stock, told = -int64(items), true
		}
		if told && items < -int(b.stock) {
			return false
		}
	}
	return told && b.stock > 0
}
