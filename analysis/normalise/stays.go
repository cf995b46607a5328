package normalise

import (
	"slices"

	"tierscope/analysis/trace"
)

// stay is one stay of a thread under a lock, in its records.
type stay struct {
	thread, first, past int // records: from the start of the lock operation to after the release
	object              uint64
	entered, left       int64 // ns, both inside, so that the stays of all threads are in the order of these; of an atomic counter, where time does not tell the order, entered is its value
	exit                int32 // site of the release
	waits, signals      bool  // conditions were used, with this lock as the innermost one
	conditions          bool  // or with others inside
	nothing             bool  // it took nothing: there was no more
	took                int   // things at a time
	leaves              bool  // some were left
}

func (s *stay) begin() message { return message{s.thread, s.first} }

// staysOf returns the stays of a thread by their ends, and the locks that it still has.
func staysOf(t *trace.Trace, thread int) (stays []*stay, open map[uint64]*stay) {
	rs := t.Threads[thread].Records
	open = map[uint64]*stay{}
	var held []uint64
	for i := range rs {
		r := &rs[i]
		switch r.Op {
		case trace.OpCondWait, trace.OpSignal, trace.OpBroadcast:
			for _, s := range open {
				s.conditions = true
			}
			if len(held) > 0 {
				s := open[held[len(held)-1]]
				s.waits = s.waits || r.Op == trace.OpCondWait
				s.signals = s.signals || r.Op != trace.OpCondWait
			}
		case trace.OpLock:
			switch s := open[r.Object]; {
			case !r.End:
				open[r.Object] = &stay{thread: thread, first: i, object: r.Object}
				held = append(slices.DeleteFunc(held, func(o uint64) bool { return o == r.Object }), r.Object)
			case s != nil:
				s.entered = r.Time
			}
		case trace.OpUnlock:
			s := open[r.Object]
			if s == nil || r.End {
				continue
			}
			s.exit, s.past, s.left = r.Site, i+1, r.Time
			if i+1 < len(rs) && rs[i+1].Op == trace.OpUnlock && rs[i+1].End {
				s.past = i + 2
			}
			delete(open, r.Object)
			held = slices.DeleteFunc(held, func(o uint64) bool { return o == r.Object })
			if s.entered > 0 {
				stays = append(stays, s)
			}
		}
	}
	return stays, open
}
