package java

import (
	"path/filepath"
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

// Every way to sleep is recorded with the time that it asks for: by a unit of time, which is a class that the JVM has loaded before the agent, too.
func TestSleepsOfAllKindsSayForHowLong(t *testing.T) {
	t.Parallel()
	tr, _ := traced(t, "-cp", compiled(t, filepath.Join("testdata", "naps", "Naps.java")), "Naps")
	const each = 8
	asked := map[int64]int{} // ns → how often
	for _, th := range tr.Threads {
		for i, r := range th.Records {
			if r.Op != trace.OpSleep || r.End {
				continue
			}
			if end, ended := trace.EndOf(th.Records, i); !ended || end.Time-r.Time < r.Arg {
				t.Errorf("a sleep of %d ns ends after %d ns", r.Arg, end.Time-r.Time)
			}
			asked[r.Arg]++
		}
	}
	for _, ns := range []int64{800_000, 2_000_000, 3_000_000, 1_500_000} {
		if asked[ns] != each {
			t.Errorf("%d sleeps of %d ns, want %d", asked[ns], ns, each)
		}
	}
}
