package native

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// section is a critical section: what a thread does from asking for a mutex to giving it back, with the signals directly
// after that.
type section struct {
	thread, first, past int // index of the thread, and its records first … past − 1
	lock                uint64
	place               trace.Frame // where it begins, whoever called
	waits, signals      conditions
	others              bool  // something else happens in it
	waited, left        int64 // ns: when it first waited, and when it was left
}

// conditions are few objects.
type conditions []uint64

func (cs *conditions) add(c uint64) {
	if !slices.Contains(*cs, c) {
		*cs = append(*cs, c)
	}
}

// sections lists the critical sections of a trace, by lock, in the order in which they were left. Of those in
// each other each is one. Locks that were still held at the end have nil.
func sections(t *trace.Trace) map[uint64][]*section {
	by := map[uint64][]*section{}
	broken := map[uint64]bool{}
	for i := range t.Threads {
		var open []*section
		of := func(lock uint64) int { return slices.IndexFunc(open, func(s *section) bool { return s.lock == lock }) }
		var before *section // ended with the record before
		rs := t.Threads[i].Records
		for k := range rs {
			r := &rs[k]
			if before != nil && k == before.past && (r.Op == trace.OpSignal || r.Op == trace.OpBroadcast) {
				before.signals.add(r.Object)
				before.past++
			}
			for _, s := range open {
				switch {
				case r.Object == s.lock && (r.Op == trace.OpLock || r.Op == trace.OpUnlock):
				case r.Op == trace.OpCondWait:
					if len(s.waits) == 0 {
						s.waited = r.Time
					}
					s.waits.add(r.Object)
				case r.Op == trace.OpSignal || r.Op == trace.OpBroadcast:
					s.signals.add(r.Object)
				default:
					s.others = true
				}
			}
			switch {
			case r.Op == trace.OpLock && !r.End:
				s := &section{thread: i, first: k, lock: r.Object, place: trace.InnermostFrame(siteOf(t, r.Site))}
				if j := of(r.Object); j >= 0 {
					open[j] = s
				} else {
					open = append(open, s)
				}
			case r.Op == trace.OpUnlock && r.End:
				j := of(r.Object)
				if j < 0 {
					continue
				}
				s := open[j]
				s.past, s.left, before = k+1, r.Time, s
				by[r.Object] = append(by[r.Object], s)
				open = slices.Delete(open, j, j+1)
			}
		}
		for _, s := range open {
			broken[s.lock] = true
		}
	}
	for lock, ss := range by {
		slices.SortStableFunc(ss, func(a, b *section) int { return cmp.Compare(a.left, b.left) })
		if broken[lock] {
			by[lock] = nil
		}
	}
	return by
}

// siteOf is a calling context; the zero one where it is not known.
func siteOf(t *trace.Trace, i int32) trace.Site {
	return trace.Site{Frames: trace.FramesAt(t.Sites, i)}
}

// conditionsOf lists the conditions that belong to a lock: those that threads wait for under it, and those that they
// signal there.
func conditionsOf(ss []*section) (cs conditions) {
	for _, s := range ss {
		for _, c := range s.waits {
			cs.add(c)
		}
		for _, c := range s.signals {
			cs.add(c)
		}
	}
	return cs
}

// edit puts other records in the place of some of a thread.
type edit struct {
	first, past int
	with        []trace.Record
}

// apply makes edits, which do not overlap, by thread.
func apply(t *trace.Trace, edits map[int][]edit) {
	for i, es := range edits {
		slices.SortFunc(es, func(a, b edit) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.past, b.past)) })
		rs := t.Threads[i].Records
		out := make([]trace.Record, 0, len(rs))
		at := 0
		for _, e := range es {
			if e.first < at {
				continue // inside of the one before
			}
			out = append(append(out, rs[at:e.first]...), e.with...)
			at = e.past
		}
		t.Threads[i].Records = append(out, rs[at:]...)
	}
}

// as makes one operation on an object of a critical section.
func (s *section) as(t *trace.Trace, op trace.Op, object uint64, arg, result int64, value uint64) edit {
	rs := t.Threads[s.thread].Records
	begin, end := rs[s.first], rs[s.past-1]
	begin.Op, begin.Object, begin.Arg, begin.Value = op, object, arg, 0
	end.Op, end.Object, end.Arg, end.Value, end.Site = op, object, result, value, begin.Site
	return edit{s.first, s.past, []trace.Record{begin, end}}
}
