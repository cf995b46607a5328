package golang

import (
	"math"
	"testing"

	"tierscope/analysis/trace"
)

// A limiter of 500 tokens a second, three at once, lets three waits pass and holds
// the fourth back. In its place come a channel with three places and a thread that
// sends to it every 2 ms; the waits are receives.
func TestALimiterIsAChannelWithATicker(t *testing.T) {
	t.Parallel()
	const mutex, timer = 1, 2
	tr := &trace.Trace{Objects: make([]trace.Object, 2)}
	for _, f := range []string{limiterMethods + "wait", limiterMethods + "reserveN"} {
		tr.Sites = append(tr.Sites, trace.Site{Frames: []trace.Frame{{Function: "sync.(*Mutex).Lock", Std: true}, {Function: f},
			{Function: limiterMethods + "WaitN"}, {Function: limiterWait}, {Function: "main.work", File: "main.go", Line: 7}}})
	}
	th := trace.Thread{ID: 1}
	does := func(at int64, op trace.Op, object uint64, site int32, arg int64) {
		r := trace.Record{Time: at, Op: op, Object: object, Site: site, Arg: arg}
		if th.Records = append(th.Records, r); op != trace.OpMake {
			r.Time, r.Arg, r.End = at+1, 0, true
			th.Records = append(th.Records, r)
		}
	}
	for n := range int64(4) {
		at := n * 100
		for site := range int32(2) {
			does(at, trace.OpLock, mutex, site, int64(math.Float64bits(500)))
			does(at+2, trace.OpUnlock, mutex, site, 3)
		}
		if n == 3 {
			does(at+5, trace.OpMake, timer, 0, 1)
			does(at+6, trace.OpSelect, timer, 0, 0)
		}
	}
	tr.Threads = []trace.Thread{th}
	limiters(tr)
	if len(tr.Objects) != 3 || tr.Objects[2].Kind != "chan" || tr.Objects[2].Capacity != 3 {
		t.Fatalf("objects %+v, want a channel with 3 places", tr.Objects)
	}
	if rs := tr.Threads[0].Records; len(rs) != 8 || rs[6].Op != trace.OpReceive || rs[7].Time != 307 {
		t.Errorf("records %+v, want 4 receives, the last of which has its token at 307", rs)
	}
	if len(tr.Threads) != 2 {
		t.Fatalf("%d threads, want one more, which sends tokens", len(tr.Threads))
	}
	fills := 0
	for _, r := range tr.Threads[1].Records {
		switch {
		case r.Op == trace.OpSend && r.End:
			fills++
		case r.Op == trace.OpSleep && !r.End && r.Arg != 2_000_000:
			t.Errorf("it sleeps for %d ns, want 2 ms", r.Arg)
		}
	}
	if fills != 3 {
		t.Errorf("it begins with %d tokens, want 3", fills)
	}
}

// A thread may wait for two limiters by turns: each wait becomes a receive from the
// channel of its limiter, in the order of the program.
func TestAThreadWaitsForTwoLimitersByTurns(t *testing.T) {
	t.Parallel()
	tr := &trace.Trace{Objects: make([]trace.Object, 2), Sites: []trace.Site{{Frames: []trace.Frame{{Function: limiterWait}, {Function: "main.work"}}}}}
	th := trace.Thread{ID: 1}
	for n := range int64(4) {
		mutex := uint64(1 + n%2)
		for k, op := range []trace.Op{trace.OpLock, trace.OpUnlock, trace.OpLock, trace.OpUnlock} {
			r := trace.Record{Time: 100*n + 10*int64(k), Op: op, Object: mutex, Arg: int64(math.Float64bits(500))}
			if op == trace.OpUnlock {
				r.Arg = 3
			}
			th.Records = append(th.Records, r)
			r.Time, r.Arg, r.End = r.Time+1, 0, true
			th.Records = append(th.Records, r)
		}
		th.Records = append(th.Records, trace.Record{Time: 100*n + 50, Site: -1, Op: trace.OpYield})
	}
	tr.Threads = []trace.Thread{th}
	limiters(tr)
	var objects []uint64
	for _, r := range tr.Threads[0].Records {
		if r.Op == trace.OpReceive && !r.End {
			objects = append(objects, r.Object)
		}
	}
	if len(objects) != 4 || objects[0] != objects[2] || objects[1] != objects[3] || objects[0] == objects[1] {
		t.Errorf("receives from %v, want two channels by turns", objects)
	}
}
