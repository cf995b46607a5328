package java

import (
	"testing"

	"tierscope/analysis/trace"
)

// A pool that has been shut down goes on with what it was given when main has ended, and the JVM with it. Threads that ended before, and
// daemons, which are not seen to end, are not waited for.
func TestMainWaitsForTheThreadsThatEndAfterIt(t *testing.T) {
	t.Parallel()
	for _, ends := range []bool{false, true} {
		main := &tape{thread: trace.Thread{ID: 1}}
		main.does(trace.OpSend, 1, 1)
		if ends {
			main.thread.Records = append(main.thread.Records, trace.Record{Time: 2000, Op: trace.OpThreadEnd})
			main.thread.Ended = 2000
		}
		threads := []trace.Thread{main.thread, {ID: 2, Ended: 900}, {ID: 3, Ended: 9000}, {ID: 4, Ended: 5000}, {ID: 5}, {ID: 6, System: true, Ended: 9500}}
		joinLast(&threads[0], threads, 7)
		var joined []uint64
		at := int64(0)
		for _, r := range threads[0].Records {
			if r.Op == trace.OpJoin && r.End {
				joined = append(joined, r.Value)
			}
			if r.Time < at {
				t.Errorf("time goes back to %d", r.Time)
			}
			at = r.Time
		}
		if len(joined) != 2 || joined[0] != 4 || joined[1] != 3 || at != 9000 {
			t.Errorf("main waits for %v until %d, want 4 and 3 until 9000", joined, at)
		}
	}
}
