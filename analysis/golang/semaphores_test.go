package golang

import (
	"testing"

	"tierscope/analysis/trace"
)

// The parts of a semaphore as probes record them: a stay under the mutex, with
// what its ends tell, and what is done in it or after it.
const semaphoreMutex, ready = 1, 2

type stay struct {
	at    int64
	site  int32 // 0: Acquire, 1: Release, 2: TryAcquire
	size  int64 // permits, as the lock tells
	after int64 // permits taken when it ends, or waited for
	waits bool
	wakes int
}

func semaphoreTrace(threads ...[]stay) *trace.Trace {
	t := &trace.Trace{Objects: make([]trace.Object, 2)}
	for _, f := range []string{acquireCall, releaseCall, tryCall} {
		t.Sites = append(t.Sites, trace.Site{Frames: []trace.Frame{{Function: "sync.(*Mutex).Lock", Std: true}, {Function: f}, {Function: "main.work"}}})
	}
	for i, stays := range threads {
		th := trace.Thread{ID: int64(i + 1)}
		does := func(r trace.Record) {
			th.Records = append(th.Records, r)
			if r.Op != trace.OpMake {
				r.Time, r.Arg, r.End = r.Time+1, 0, true
				th.Records = append(th.Records, r)
			}
		}
		for _, s := range stays {
			does(trace.Record{Time: s.at, Op: trace.OpLock, Object: semaphoreMutex, Site: s.site, Arg: s.size})
			if s.waits {
				does(trace.Record{Time: s.at + 2, Op: trace.OpMake, Object: ready, Site: s.site})
			}
			for range s.wakes {
				does(trace.Record{Time: s.at + 2, Op: trace.OpClose, Object: ready, Site: s.site})
			}
			does(trace.Record{Time: s.at + 4, Op: trace.OpUnlock, Object: semaphoreMutex, Site: s.site, Arg: s.after})
			if s.waits {
				does(trace.Record{Time: s.at + 6, Op: trace.OpSelect, Object: ready, Site: s.site})
			}
		}
		t.Threads = append(t.Threads, th)
	}
	return t
}

// Of four permits two threads take one each and a third wants three: it waits for
// the first to give its one back. A fourth asks for two, does not get them and
// goes on without.
func TestAWeightedSemaphoreIsPutTogetherFromItsParts(t *testing.T) {
	t.Parallel()
	tr := semaphoreTrace(
		[]stay{{at: 0, size: 4, after: 1}, {at: 100, site: 1, size: 4, after: 4, wakes: 1}},
		[]stay{{at: 10, size: 4, after: 2}, {at: 200, site: 1, size: 4, after: 3}},
		[]stay{{at: 20, size: 4, after: 3, waits: true}, {at: 300, site: 1, size: 4, after: 0}},
		[]stay{{at: 110, site: 2, size: 4, after: 4}},
	)
	semaphores(tr)
	if len(tr.Objects) != 3 || tr.Objects[2].Kind != "semaphore" || tr.Objects[2].Capacity != 4 {
		t.Fatalf("objects %+v, want a semaphore of 4 permits", tr.Objects)
	}
	for i, permits := range []int64{1, 1, 3} {
		th := &tr.Threads[i]
		if len(th.Records) != 4 {
			t.Fatalf("thread %d has records %+v, want an acquire and a release", th.ID, th.Records)
		}
		for k, op := range []trace.Op{trace.OpAcquire, trace.OpAcquire, trace.OpRelease, trace.OpRelease} {
			r := th.Records[k]
			if r.Op != op || r.End != (k%2 == 1) || !r.End && r.Arg != permits {
				t.Errorf("thread %d: record %d is %v of %d permits, end %v; want %v of %d", th.ID, k, r.Op, r.Arg, r.End, op, permits)
			}
		}
	}
	if waited := tr.Threads[2].Records[1].Time - tr.Threads[2].Records[0].Time; waited != 7 {
		t.Errorf("the third thread acquires for %d ns, want 7: from the lock to the end of the select", waited)
	}
	if rs := tr.Threads[3].Records; len(rs) != 2 || rs[0].Op != trace.OpTryAcquire || rs[1].Arg != 0 {
		t.Errorf("the fourth thread has records %+v, want a try that fails", rs)
	}
}

// Acquiring no permits, as gofmt does for what only has to be reported in its turn, is
// nothing; the semaphore is one all the same.
func TestAcquiringNoPermitsIsNothing(t *testing.T) {
	t.Parallel()
	tr := semaphoreTrace(
		[]stay{{at: 0, size: 4, after: 1}, {at: 100, site: 1, size: 4, after: 0}},
		[]stay{{at: 10, size: 4, after: 1}, {at: 20, site: 1, size: 4, after: 1}},
	)
	semaphores(tr)
	if len(tr.Objects) != 3 || len(tr.Warnings) > 0 {
		t.Fatalf("objects %+v, warnings %q, want a semaphore", tr.Objects, tr.Warnings)
	}
	for i, want := range []int{4, 0} {
		if rs := tr.Threads[i].Records; len(rs) != want {
			t.Errorf("thread %d has records %+v, want %d", i+1, rs, want)
		}
	}
}

// Who gives up waiting, because its context ends, locks once more and takes
// nothing: the list of those who wait is not known any more.
func TestASemaphoreWhoseWaitersGiveUpStaysWhatItIsMadeOf(t *testing.T) {
	t.Parallel()
	tr := semaphoreTrace(
		[]stay{{at: 0, size: 2, after: 2}, {at: 100, site: 1, size: 2, after: 0}},
		[]stay{{at: 20, size: 2, after: 1, waits: true}, {at: 50, size: 2, after: 2}},
	)
	semaphores(tr)
	if len(tr.Objects) != 2 || len(tr.Warnings) != 1 {
		t.Errorf("objects %+v, warnings %q, want no semaphore and a warning", tr.Objects, tr.Warnings)
	}
}
