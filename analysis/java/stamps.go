package java

import "tierscope/analysis/trace"

// readingOf marks, in what a thread holds, a StampedLock that it reads under.
const readingOf = 1 << 38

// stamp completes an operation on a StampedLock; false: it is none for the model. Such a
// lock is not reentrant, and its stamps say what they are for: a method that takes any stamp frees what the
// thread holds, and one that turns a stamp of a reader into that of a writer frees that first.
func (d *decoder) stamp(t *jthread, rec *trace.Record, end *hit24, held map[uint64]int) bool {
	lock, reading := rec.Object, rec.Object|readingOf
	got := end != nil && end.arg != 0
	switch rec.Op {
	case trace.OpLock, trace.OpTryLock:
		if got && held[lock] > 0 { // the stamp was a writer's already
			return false
		}
		if got && held[reading] > 0 {
			held[reading]--
			d.freeReader(t, *rec)
		}
		if got {
			held[lock] = 1
		}
	case trace.OpRLock, trace.OpTryRLock:
		if got {
			held[reading]++
		}
	case trace.OpUnlock, trace.OpRUnlock:
		switch {
		case rec.Op == trace.OpUnlock && held[lock] > 0:
			held[lock] = 0
		case held[reading] > 0:
			held[reading]--
			rec.Op = trace.OpRUnlock
		default:
			return false
		}
	}
	return true
}

// freeReader writes that a thread stops reading, where another operation begins.
func (d *decoder) freeReader(t *jthread, at trace.Record) {
	at.Op = trace.OpRUnlock
	d.emit(t, at)
	at.End = true
	d.emit(t, at)
}
