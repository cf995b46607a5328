package native

import (
	"testing"

	"tierscope/analysis/trace"
)

// did makes records of threads that come to lock 1 by turns: "take" waits for condition 2 at its third coming, "bring" and
// also signal what says gives. Signals come after the lock was given back.
func did(turns []string, says map[string]uint64) *trace.Trace {
	t := &trace.Trace{
		Objects: []trace.Object{{ID: 1, Kind: "mutex", Site: -1}, {ID: 2, Kind: "cond", Site: -1, Parent: 1}, {ID: 3, Kind: "cond", Site: -1, Parent: 1}},
		Threads: []trace.Thread{{ID: 1}, {ID: 2}},
		Sites:   []trace.Site{{Frames: []trace.Frame{{Function: "take"}}}, {Frames: []trace.Frame{{Function: "bring"}}}},
	}
	came := map[string]int{}
	for i, who := range turns {
		thread, site := 0, int32(0)
		if who == "bring" {
			thread, site = 1, 1
		}
		at := int64(1000 * (i + 1))
		does := func(op trace.Op, object uint64) {
			for _, end := range []bool{false, true} {
				t.Threads[thread].Records = append(t.Threads[thread].Records, trace.Record{Time: at, Site: site, Op: op, End: end, Object: object})
				at += 10
			}
		}
		if came[who]++; who == "take" && came[who] == 3 {
			at -= 1500 // before the one who brought last
			does(trace.OpLock, 1)
			does(trace.OpCondWait, 2)
			at += 1500
		} else {
			does(trace.OpLock, 1)
		}
		does(trace.OpUnlock, 1)
		if c := says[who]; c != 0 {
			does(trace.OpSignal, c)
		}
	}
	return t
}

// Of two buffers both are out when the third is waited for: a semaphore. Where who takes a place says that there is an
// item, as in a ring whose other side never had to wait, items are handed over: a queue, which is left to what finds those.
func TestAStockHasOneConditionAndARingTwo(t *testing.T) {
	t.Parallel()
	turns := []string{"take", "take", "bring", "take", "bring", "take", "bring", "bring"}
	for name, c := range map[string]struct {
		says map[string]uint64
		want int
	}{
		"stock": {map[string]uint64{"bring": 2}, 1},
		"ring":  {map[string]uint64{"bring": 2, "take": 3}, 0},
	} {
		tr := did(turns, c.says)
		before := began(tr, trace.OpLock)
		stocks(tr)
		if got := len(tr.Objects) - 3; got != c.want {
			t.Errorf("%s: %d semaphores, want %d", name, got, c.want)
		}
		if c.want == 1 && (began(tr, trace.OpAcquire) != 4 || began(tr, trace.OpRelease) != 4 || began(tr, trace.OpSignal) != 0) {
			t.Errorf("%s: %d permits taken, %d brought of %d, %d signals left", name, began(tr, trace.OpAcquire), began(tr, trace.OpRelease), before, began(tr, trace.OpSignal))
		}
	}
}
