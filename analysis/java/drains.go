package java

import "tierscope/analysis/trace"

// drain is what BlockingQueue.drainTo does, which takes all that there is, up to a limit, 0 being none: so many takes, and a look in vain,
// unless it came to the limit. What it took has no identity.
func (d *decoder) drain(t *jthread, begin trace.Record, end *hit24) {
	limit := begin.Arg
	begin.Arg = 0
	last := begin
	last.Time, last.CPU, last.Ready, last.End, last.Arg = end.time, max(end.cpu, begin.CPU), end.ready, true, 1
	next := last
	next.End, next.Arg = false, 0
	for range end.arg {
		d.emit(t, begin)
		d.emit(t, last)
		begin = next
	}
	if limit == 0 || int64(end.arg) < limit {
		last.Arg = 0
		d.emit(t, begin)
		d.emit(t, last)
	}
}
