package golang

import "tierscope/analysis/trace"

// mendOrder puts events of a goroutine right that went from one core to another
// between two records, and whose counters differ: an operation cannot end before it
// has begun, nor the next one begin before it has ended. The two events change
// places and keep the times of the places.
func (r *recording) mendOrder() {
	states := map[uint64]*pairing{}
	for i := range r.events {
		e := &r.events[i]
		if !bracket(e.op) {
			continue
		}
		s := states[e.goid]
		if s == nil {
			s = &pairing{}
			states[e.goid] = s
		}
		if d := s.doubt; d != nil {
			s.doubt = nil
			if possible(s.open, e) && possible(after(e), d) && e.ticks-d.ticks < maxStep {
				*d, *e = *e, *d
				d.ticks, e.ticks = e.ticks, d.ticks
				s.open = after(e)
				continue
			}
			s.open = after(d)
		}
		if !possible(s.open, e) {
			s.doubt = e
			continue
		}
		s.open = after(e)
	}
}

// pairing is what a goroutine is doing.
type pairing struct {
	open  trace.Op // operation that it is in; OpNone: none
	doubt *event   // one that cannot be the next, unless it comes after the next
}

// possible reports whether a goroutine that is in the operation open can have e.
func possible(open trace.Op, e *event) bool {
	if e.flags&flagEnd != 0 {
		return open == e.op
	}
	return open == trace.OpNone
}

// after is the operation that a goroutine is in after e.
func after(e *event) trace.Op {
	if e.flags&flagEnd != 0 {
		return trace.OpNone
	}
	return e.op
}
