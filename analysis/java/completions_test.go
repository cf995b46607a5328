package java

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
)

// Two threads complete what waits for both, and one of them a third time: only the first attempt counts, whoever's records come first. A count
// of the program's own, of the same kind, stays what it is.
func TestAFutureIsCompletedOnce(t *testing.T) {
	t.Parallel()
	late := (&tape{thread: trace.Thread{ID: 1}}).at(5000).does(trace.OpDone, 11, 0).does(trace.OpDone, 20, 0).does(trace.OpDone, 20, 0)
	early := (&tape{thread: trace.Thread{ID: 2}}).at(2000).does(trace.OpDone, 11, 0).at(8000).does(trace.OpDone, 11, 0).does(trace.OpDone, 12, 0)
	f := &futures{trace: &trace.Trace{Sites: []trace.Site{{}}, Threads: []trace.Thread{late.thread, early.thread}}, results: map[uint64]bool{11: true, 12: true}}
	f.completeOnce()
	for i, want := range [][]uint64{{20, 20, 20, 20}, {11, 11, 12, 12}} {
		var objects []uint64
		for _, r := range f.trace.Threads[i].Records {
			objects = append(objects, r.Object)
		}
		if !slices.Equal(objects, want) {
			t.Errorf("thread %d completes %v, want %v", i+1, objects, want)
		}
	}
}
