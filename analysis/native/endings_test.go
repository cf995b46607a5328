package native

import (
	"testing"

	"tierscope/analysis/trace"
)

// records makes records, a millisecond from each other; those of an operation on an object with their end.
func records(ops ...trace.Record) (rs []trace.Record) {
	for _, r := range ops {
		r.Time = int64(len(rs)+1) * 1_000_000
		rs = append(rs, r)
	}
	return rs
}

func start(op trace.Op, object uint64) trace.Record { return trace.Record{Op: op, Object: object} }

func end(op trace.Op, object uint64, arg int64) trace.Record {
	return trace.Record{Op: op, Object: object, Arg: arg, End: true}
}

// POSIX, pthread_cond_timedwait(3): a wait whose time is up ends with the mutex. A thread that looks again and again waits once, until
// it is signalled; one that does something else in between does not.
func TestWaitsInVainAreOneWait(t *testing.T) {
	t.Parallel()
	const lock, cond = 1, 2
	vain := []trace.Record{
		start(trace.OpLock, lock), end(trace.OpLock, lock, 0), start(trace.OpCondWait, cond), end(trace.OpCondWait, cond, 0),
		start(trace.OpUnlock, lock), end(trace.OpUnlock, lock, 0),
	}
	got := []trace.Record{start(trace.OpLock, lock), end(trace.OpLock, lock, 0), start(trace.OpCondWait, cond), end(trace.OpCondWait, cond, 1), start(trace.OpUnlock, lock), end(trace.OpUnlock, lock, 0)}
	waits := func(rs []trace.Record) (n int) {
		for _, r := range rs {
			if r.Op == trace.OpCondWait && !r.End {
				n++
			}
		}
		return n
	}
	looks := &trace.Trace{Threads: []trace.Thread{{Records: records(append(append(append([]trace.Record{}, vain...), vain...), got...)...)}}}
	patient(looks)
	if rs := looks.Threads[0].Records; len(rs) != len(got) || waits(rs) != 1 || rs[3].Time != 16_000_000 {
		t.Errorf("two waits in vain and one that is signalled, after 16 ms, became %+v", rs)
	}
	write := []trace.Record{start(trace.OpFileWrite, 3), end(trace.OpFileWrite, 3, 0)}
	busy := &trace.Trace{Threads: []trace.Thread{{Records: records(append(append(append([]trace.Record{}, vain...), write...), got...)...)}}}
	patient(busy)
	if n := waits(busy.Threads[0].Records); n != 2 {
		t.Errorf("a thread that writes between two waits waits %d times, want 2", n)
	}
}

// exit(3) ends a process whatever its threads do. Who waits for a signal then, under a lock, is in no section of the model; who
// computes goes on.
func TestWhoWaitsWhenTheProgramEndsHasEnded(t *testing.T) {
	t.Parallel()
	const lock, cond = 1, 2
	waiting := trace.Thread{ID: 2, Parent: 1, Born: 1, Records: records(start(trace.OpFileRead, 3), end(trace.OpFileRead, 3, 8),
		start(trace.OpLock, lock), end(trace.OpLock, lock, 0), start(trace.OpCondWait, cond))}
	computing := trace.Thread{ID: 3, Parent: 1, Born: 1, Records: records(start(trace.OpFileRead, 3), end(trace.OpFileRead, 3, 8))}
	tr := &trace.Trace{End: 1_000_000_000, Threads: []trace.Thread{{ID: 1, Ended: 1_000_000_000}, waiting, computing}}
	endIdle(tr)
	if th := tr.Threads[1]; th.Ended != 3_000_000 || len(th.Records) != 3 || th.Records[2].Op != trace.OpThreadEnd {
		t.Errorf("the thread that waits has %+v, want that it ended when it asked for the lock", th)
	}
	if tr.Threads[2].Ended != 0 {
		t.Error("the thread that computes has ended")
	}
}
