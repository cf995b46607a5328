package native

import (
	"testing"

	"tierscope/analysis/trace"
)

// contended is a recording of a thread that takes three locks, one of them for a moment, and of each a place that does so: the second one, for
// which it waits, twice as often as the third.
func contended() (*recording, *trace.Trace, *addresses) {
	r := &recording{contexts: [][]uint64{nil, {0x1010}, {0x1020}, {0x1030}}, threads: map[int64]*recorded{1: {hits: []hit{{}, {cpu: 1_000_000}}}}}
	t := &trace.Trace{Threads: make([]trace.Thread, 1), End: 1_000_000_000}
	th, now := &t.Threads[0], int64(0)
	hit := func(op trace.Op, end bool, lock int32, wait int64) {
		now += wait
		th.Records = append(th.Records, trace.Record{Time: now, CPU: now, Op: op, End: end, Object: uint64(lock), Site: lock})
	}
	for lock, times := range map[int32]int{1: 50, 2: 100, 3: 50} {
		for range times {
			wait := int64(1_000_000)
			if lock == 1 {
				wait = 10
			}
			hit(trace.OpLock, false, lock, 10)
			hit(trace.OpLock, true, lock, wait)
			hit(trace.OpUnlock, false, lock, 10)
			hit(trace.OpUnlock, true, lock, 10)
		}
	}
	return r, t, newAddresses([]mapping{{0x1000, 0x2000, 0, "/no/such/program"}})
}

// A lock for which nobody waits need not be recorded. Of the others those are left out that are used most often, until there are few
// enough records, and for how long threads waited there is said.
func TestTooManyRecordsAreLeftOutWhereTheyAreMost(t *testing.T) {
	t.Parallel()
	for most, want := range map[int]struct {
		places int
		waited int64
	}{1000: {1, 0}, 400: {2, 100_000_000}, 100: {3, 150_000_000}} {
		r, tr, names := contended()
		out, waited := r.mutable(tr, names, most)
		if len(out) != want.places || waited < want.waited || waited > want.waited+1_000_000 {
			t.Errorf("at most %d records: %d places with %d ms of waits are left out, want %d with %d", most, len(out), waited/1_000_000, want.places, want.waited/1_000_000)
		}
	}
}

// A lock under which a thread waits for a condition is recorded, also if that thread is never woken.
func TestALockUnderWhichAThreadWaitsForEverIsRecorded(t *testing.T) {
	t.Parallel()
	r, tr, names := contended()
	r.contexts = append(r.contexts, []uint64{0x1040}, []uint64{0x1050})
	tr.Objects = []trace.Object{{ID: 1}, {ID: 2}, {ID: 3}, {ID: 4, Kind: "cond", Parent: 1}}
	tr.Threads = append(tr.Threads, trace.Thread{Records: []trace.Record{
		{Time: 1, Op: trace.OpLock, Object: 1, Site: 1}, {Time: 2, Op: trace.OpLock, End: true, Object: 1, Site: 1},
		{Time: 3, Op: trace.OpCondWait, Object: 4, Site: 4},
	}})
	if out, _ := r.mutable(tr, names, 1000); len(out) != 0 {
		t.Errorf("left out: %v, want nothing", out)
	}
}
