package normalise

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// lockEvent is an operation on a lock or a condition of it.
type lockEvent struct {
	op        trace.Op
	thread    int
	record    int   // its begin
	past      int   // behind its end
	at, until int64 // ns; until 0: it never ended
	place     trace.Frame
	waits     bool       // of an entry: a wait follows at once
	after     *lockEvent // of a wait: the entry just before it
	again     bool       // or another wait just before it
}

func (e *lockEvent) signals() bool { return e.op == trace.OpSignal || e.op == trace.OpBroadcast }

// when is when something has happened: who enters or has waited has the lock at the end, and who signals has woken another one before.
func (e *lockEvent) when() int64 {
	if e.op == trace.OpLock || e.op == trace.OpCondWait {
		return max(e.at, e.until)
	}
	return e.at
}

// locksWithConditions lists the locks for whose conditions somebody waits, without a time limit, and what is done to them. A lock that
// is tried, or whose operations are torn, is none of them.
func locksWithConditions(t *trace.Trace) (bs []*inbox) {
	of, by := conditionLocks(t)
	for i := range t.Threads {
		rs := t.Threads[i].Records
		for k := range rs {
			r := &rs[k]
			lock, isCondition := of[r.Object]
			if !isCondition {
				lock = r.Object
			}
			b := by[lock]
			if b == nil || r.End {
				continue
			}
			e := &lockEvent{op: r.Op, thread: i, record: k, past: k + 1, at: r.Time}
			if r.Site >= 0 {
				e.place = trace.InnermostFrame(t.Sites[r.Site])
			}
			switch r.Op {
			case trace.OpLock, trace.OpUnlock, trace.OpSignal, trace.OpBroadcast:
			case trace.OpCondWait:
				b.broken = b.broken || r.Arg != 0
			default:
				b.broken = true
			}
			if k+1 < len(rs) && rs[k+1].End && rs[k+1].Op == r.Op && rs[k+1].Object == r.Object {
				e.past, e.until = k+2, rs[k+1].Time
			} else if k+1 < len(rs) {
				b.broken = true
			}
			b.events = append(b.events, e)
		}
	}
	for _, b := range by {
		if !b.broken {
			b.link()
			bs = append(bs, b)
		}
	}
	slices.SortFunc(bs, func(x, y *inbox) int { return cmp.Compare(x.lock, y.lock) })
	return bs
}

// link finds the waits that follow entries, and puts what was done in order.
func (b *inbox) link() {
	for i := 1; i < len(b.events); i++ { // those of one thread after those of another
		e, last := b.events[i], b.events[i-1]
		switch {
		case e.op != trace.OpCondWait || e.thread != last.thread || e.record != last.past:
		case last.op == trace.OpLock:
			last.waits, e.after = true, last
		default:
			e.again = last.op == trace.OpCondWait
		}
	}
	slices.SortStableFunc(b.events, func(x, y *lockEvent) int { return cmp.Compare(x.when(), y.when()) })
}

// conditionLocks maps each condition to the lock that who waits for it has entered last; those locks have conditions of which that is so
// always.
func conditionLocks(t *trace.Trace) (of map[uint64]uint64, locks map[uint64]*inbox) {
	of, locks = map[uint64]uint64{}, map[uint64]*inbox{}
	for i := range t.Threads {
		var held []uint64
		for k := range t.Threads[i].Records {
			switch r := &t.Threads[i].Records[k]; {
			case r.Op == trace.OpLock && !r.End:
				held = append(held, r.Object)
			case r.Op == trace.OpUnlock && !r.End:
				if at := slices.Index(held, r.Object); at >= 0 {
					held = slices.Delete(held, at, at+1)
				}
			case r.Op == trace.OpCondWait && !r.End && len(held) > 0:
				lock := held[len(held)-1]
				if locks[lock] == nil {
					locks[lock] = &inbox{trace: t, lock: lock}
				}
				if other, known := of[r.Object]; known && other != lock {
					locks[lock].broken, locks[other].broken = true, true
				}
				of[r.Object] = lock
			}
		}
	}
	return of, locks
}
