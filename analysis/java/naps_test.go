package java

import (
	"testing"

	"tierscope/analysis/trace"
)

// Waits for a permit for a time are sleeps, but for those during which, or since the wait before, another thread gave one; a wait
// without a time is none.
func TestAWaitForAPermitThatNobodyGivesIsASleep(t *testing.T) {
	t.Parallel()
	park := func(at, until, asked int64) []trace.Record {
		return []trace.Record{{Time: at, Op: trace.OpPark, Object: parkOf | 1, Arg: asked}, {Time: until, Op: trace.OpPark, Object: parkOf | 1, End: true}}
	}
	tr := &trace.Trace{End: 1000, Threads: []trace.Thread{{ID: 1}, {ID: 2}}}
	for _, p := range [][3]int64{{10, 110, 100}, {200, 250, 300}, {400, 401, 100}, {500, 600, 100}, {700, 800, 0}} {
		tr.Threads[0].Records = append(tr.Threads[0].Records, park(p[0], p[1], p[2])...)
	}
	for _, at := range []int64{245, 390} {
		tr.Threads[1].Records = append(tr.Threads[1].Records, trace.Record{Time: at, Op: trace.OpUnpark, Object: parkOf | 1}, trace.Record{Time: at + 1, Op: trace.OpUnpark, Object: parkOf | 1, End: true})
	}
	naps(tr)
	for i, want := range []trace.Op{trace.OpSleep, trace.OpPark, trace.OpPark, trace.OpSleep, trace.OpPark} {
		r := tr.Threads[0].Records[2*i]
		if r.Op != want || tr.Threads[0].Records[2*i+1].Op != want {
			t.Errorf("wait %d is %v, want %v", i, r.Op, want)
		}
		if asked := r.Arg; (want == trace.OpSleep) != (asked == 100) || (want == trace.OpSleep) != (r.Object == 0) {
			t.Errorf("wait %d: %v of object %d for %d ns", i, r.Op, r.Object, asked)
		}
	}
}
