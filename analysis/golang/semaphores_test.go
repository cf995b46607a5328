package golang

import (
	"testing"

	"tierscope/analysis"
)

// semaphoreTrace is what probes record of three threads that each acquire a
// semaphore of two permits, once: the third one waits for the first.
func semaphoreTrace(third int64) *analysis.Trace {
	const mutex, ready = 1, 2
	site := func(f string) analysis.Site {
		return analysis.Site{Frames: []analysis.Frame{{Function: "sync.(*Mutex).Lock", Std: true}, {Function: f}, {Function: "main.work"}}}
	}
	t := &analysis.Trace{Sites: []analysis.Site{site(acquireCall), site(releaseCall)}, Objects: make([]analysis.Object, 2)}
	thread := func(ops ...analysis.Record) {
		var rs []analysis.Record
		for _, r := range ops {
			rs = append(rs, r)
			if r.Op != analysis.OpMake {
				r.End = true
				r.Time++
				rs = append(rs, r)
			}
		}
		t.Threads = append(t.Threads, analysis.Thread{ID: int64(len(t.Threads) + 1), Records: rs})
	}
	lock := func(at int64, site int32) analysis.Record {
		return analysis.Record{Time: at, Op: analysis.OpLock, Object: mutex, Site: site}
	}
	unlock := func(at int64, site int32) analysis.Record {
		return analysis.Record{Time: at, Op: analysis.OpUnlock, Object: mutex, Site: site}
	}
	thread(lock(0, 0), unlock(2, 0), lock(100, 1), analysis.Record{Time: 102, Op: analysis.OpClose, Object: ready, Site: 1}, unlock(104, 1))
	thread(lock(10, 0), unlock(12, 0), lock(200, 1), unlock(202, 1))
	thread(lock(third, 0), analysis.Record{Time: third + 2, Op: analysis.OpMake, Object: ready, Site: 0}, unlock(third+3, 0),
		analysis.Record{Time: third + 5, Op: analysis.OpSelect, Object: ready, Site: 0}, lock(300, 1), unlock(302, 1))
	return t
}

// The mutex and the channels of a weighted semaphore become its operations, and
// the permits are the holders at the moment when somebody has to wait.
func TestAWeightedSemaphoreIsPutTogetherFromItsParts(t *testing.T) {
	t.Parallel()
	tr := semaphoreTrace(20)
	semaphores(tr)
	if len(tr.Objects) != 3 || tr.Objects[2].Kind != "semaphore" || tr.Objects[2].Capacity != 2 {
		t.Fatalf("objects %+v, want a semaphore of 2 permits", tr.Objects)
	}
	want := []analysis.Op{analysis.OpAcquire, analysis.OpAcquire, analysis.OpRelease, analysis.OpRelease}
	for _, th := range tr.Threads {
		if len(th.Records) != len(want) {
			t.Fatalf("thread %d has records %+v, want an acquire and a release", th.ID, th.Records)
		}
		for i, r := range th.Records {
			if r.Op != want[i] || r.End != (i%2 == 1) {
				t.Errorf("thread %d: record %d is %v, end %v, want %v", th.ID, i, r.Op, r.End, want[i])
			}
		}
	}
	if waited := tr.Threads[2].Records[1].Time - tr.Threads[2].Records[0].Time; waited != 6 {
		t.Errorf("the third thread acquires for %d ns, want 6: from the lock to the end of the select", waited)
	}
}

// A thread that waits although one holder fewer is there than before asks for
// more: permits and weights cannot be told apart.
func TestASemaphoreWithDifferentWeightsStaysWhatItIsMadeOf(t *testing.T) {
	t.Parallel()
	tr := semaphoreTrace(5) // waits while there is one holder
	tr.Threads[1].Records[3].Time = 13
	fourth := semaphoreTrace(20).Threads[2]
	for i := range fourth.Records {
		if i >= 6 {
			fourth.Records[i].Time += 100
		}
	}
	tr.Threads = append(tr.Threads, fourth)
	semaphores(tr)
	if len(tr.Objects) != 2 || len(tr.Warnings) != 1 {
		t.Errorf("objects %+v, warnings %q, want no semaphore and a warning", tr.Objects, tr.Warnings)
	}
}
