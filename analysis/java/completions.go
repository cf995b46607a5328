package java

import (
	"slices"

	"tierscope/analysis/trace"
)

// completeOnce leaves out attempts to complete what is complete already: two threads of which each has done one of two things that a
// CompletableFuture waits for may both see the other's result, and only the first one's compareAndSet succeeds.
func (f *futures) completeOnce() {
	type place struct {
		time           int64
		thread, record int
	}
	first := map[uint64]place{}
	attempt := func(r *trace.Record) bool { return r.Op == trace.OpDone && f.results[r.Object] }
	again := false
	for i := range f.trace.Threads {
		for k := range f.trace.Threads[i].Records {
			r := &f.trace.Threads[i].Records[k]
			if !attempt(r) || r.End {
				continue
			}
			known, is := first[r.Object]
			again = again || is
			if !is || r.Time < known.time {
				first[r.Object] = place{r.Time, i, k}
			}
		}
	}
	if !again {
		return
	}
	for i := range f.trace.Threads {
		th, k, counts := &f.trace.Threads[i], -1, false
		th.Records = slices.DeleteFunc(th.Records, func(r trace.Record) bool {
			k++
			if !attempt(&r) {
				return false
			}
			if !r.End {
				counts = first[r.Object] == place{r.Time, i, k}
			}
			return !counts
		})
	}
}
