package java

import (
	"math"
	"testing"
	"time"

	"tierscope/analysis/execution"
	"tierscope/analysis/trace"
)

// Two threads enter two locks 10,000 times each. For the first nobody waits; at
// the second they wait for 1 µs of every 2 µs. Only the first is muted, with both
// of its places; and not if somebody waits for a signal there.
func TestOnlyLocksForWhichNobodyWaitsAreMuted(t *testing.T) {
	t.Parallel()
	in := &instrumented{probes: []probe{{}, {op: trace.OpLock}, {op: trace.OpUnlock}, {op: trace.OpLock}, {op: trace.OpUnlock}, {op: trace.OpCondWait}}}
	const free, contended = 11, 12
	recorded := func(signals bool) *recording {
		r := &recording{threads: map[int64][]hit24{}, order: []int64{1, 2}}
		for _, id := range r.order {
			var now, cpu int64
			pair := func(p uint16, object uint32, wall, used int64) {
				r.threads[id] = append(r.threads[id], hit24{time: now, cpu: cpu, probe: p, object: object})
				now, cpu = now+wall, cpu+used
				r.threads[id] = append(r.threads[id], hit24{time: now, cpu: cpu, probe: p, object: object, end: true})
			}
			for range 10_000 {
				pair(1, free, 100, 100)
				pair(2, free, 100, 100)
				pair(3, contended, 1000, 0)
				pair(4, contended, 100, 100)
				now, cpu = now+700, cpu+700
			}
			if signals {
				pair(5, free, 5000, 0)
			}
		}
		return r
	}
	used := func(cpu time.Duration) outcome { return outcome{Outcome: execution.Outcome{CPU: cpu}} }
	if m := recorded(false).mutable(in, &journal{}, used(20*time.Millisecond)); len(m) != 2 || !m[1] || !m[2] {
		t.Errorf("muted probes %v, want 1 and 2", m)
	}
	if m := recorded(true).mutable(in, &journal{}, used(20*time.Millisecond)); len(m) != 0 {
		t.Errorf("muted probes %v, want none: a thread waits for a signal at the lock", m)
	}
	if r := recorded(false); !r.tooMuch(used(20*time.Millisecond)) || r.tooMuch(used(2*time.Second)) {
		t.Error("160,000 hits are too much for 20 ms of CPU, not for 2 s")
	}
}

// A thread reads from a connection and writes to it, 10,000 times, and never waits. Where
// a selector tells of the requests these are not needed; where none does, what is
// read and written tells where a request begins and ends.
func TestConnectionsThatNobodyWaitsForAreMutedIfASelectorTellsOfRequests(t *testing.T) {
	t.Parallel()
	in := &instrumented{probes: []probe{{}, {op: trace.OpNetRead}, {op: trace.OpNetWrite}, {op: trace.OpAccept, meaning: meaning{kind: "selector"}, kind: "selector"}}}
	for _, selects := range []bool{true, false} {
		r := &recording{threads: map[int64][]hit24{}, order: []int64{1}}
		var now int64
		pair := func(p uint16, object uint32) {
			r.threads[1] = append(r.threads[1], hit24{time: now, cpu: now, probe: p, object: object}, hit24{time: now + 100, cpu: now + 100, probe: p, object: object, end: true})
			now += 200
		}
		for range 10_000 {
			if selects {
				pair(3, 0)
			}
			pair(1, 7)
			pair(2, 7)
		}
		m := r.mutable(in, &journal{}, outcome{Outcome: execution.Outcome{CPU: 4 * time.Millisecond}})
		if got := m[1] && m[2] && len(m) == 2; got != selects {
			t.Errorf("with a selector: %v; muted probes %v", selects, m)
		}
	}
}

// A server writes to connections more often than it enters a lock for which nobody waits. The lock is muted, which is enough: the
// writes tell when answers leave.
func TestWritesToConnectionsAreMutedLast(t *testing.T) {
	t.Parallel()
	in := &instrumented{probes: []probe{{}, {op: trace.OpLock}, {op: trace.OpUnlock}, {op: trace.OpNetWrite}, {op: trace.OpAccept, meaning: meaning{kind: "selector"}, kind: "selector"}}}
	r := &recording{threads: map[int64][]hit24{}, order: []int64{1}}
	for i := range int64(10_000) {
		for k, p := range []uint16{4, 3, 1, 2} {
			object := []uint32{0, 9, 7, 7}[k]
			if at := 1000*i + int64(200*k); k < 2 || i < 3000 {
				r.threads[1] = append(r.threads[1], hit24{time: at, cpu: at, probe: p, object: object}, hit24{time: at + 100, cpu: at + 100, probe: p, object: object, end: true})
			}
		}
	}
	if m := r.mutable(in, &journal{}, outcome{Outcome: execution.Outcome{CPU: 450 * time.Millisecond}}); len(m) != 2 || !m[1] || !m[2] {
		t.Errorf("muted probes %v, want those of the lock", m)
	}
}

// A lock is entered every µs, and its probe used up after 0.1 s what a pilot recording
// has for it; requests came for 10 s. So it would have been hit a hundred times as
// often, which is too much, and it is muted; what was recorded alone is not.
func TestProbesThatUsedUpWhatThePilotHasAreCountedForTheWholeTime(t *testing.T) {
	t.Parallel()
	in := &instrumented{probes: []probe{{}, {op: trace.OpLock}, {op: trace.OpUnlock}}}
	r := &recording{threads: map[int64][]hit24{}, order: []int64{1}}
	for now := int64(0); now < 100_000_000; now += 1000 {
		for k, p := range []uint16{1, 1, 2, 2} {
			at := now + 10*int64(k)
			r.threads[1] = append(r.threads[1], hit24{time: at, cpu: at, probe: p, object: 7, end: k%2 == 1})
		}
	}
	second := outcome{Outcome: execution.Outcome{Work: [2]int64{1, 10_000_000_001}, WorkCPU: 15 * time.Second}}
	if n := r.allowed(second, 0); n < 400_000 || n >= 40_000_000 {
		t.Fatalf("%d hits are allowed: the test shows nothing", n)
	}
	r.threads[1] = append(r.threads[1], hit24{time: 10_000_000_000, cpu: 10_000_000_000})
	if m := r.mutable(in, &journal{}, second); len(m) != 2 {
		t.Errorf("muted probes %v, want both of the lock", m)
	}
}

// A server whose requests need 250 µs of CPU is hit 30 times in each. By turns it was
// seen that recording takes 12 % more, which is some 0.9 µs for a hit: of that only 8
// or 9 are 3 %, and 30 too much; at 300 ns they are not much more than that.
func TestWhatHitsCostIsMeasuredWhereItCanBe(t *testing.T) {
	t.Parallel()
	const requests, perRequest = 1000, 30
	o := outcome{Outcome: execution.Outcome{CPU: requests * 250 * time.Microsecond}}
	r := &recording{}
	if n := r.allowed(o, requests*perRequest); n != 25*requests {
		t.Errorf("%d hits are allowed at 300 ns, want 25 of a request", n)
	}
	o.more = 0.12
	if n := float64(r.allowed(o, requests*perRequest)) / requests; math.Abs(n-perRequest*0.03/(0.12/1.12)) > 0.01 {
		t.Errorf("%g hits of a request are allowed, want %g", n, perRequest*0.03/(0.12/1.12))
	}
}

// Every request makes a read-write lock and enters it, for which nobody waits:
// neither the lock nor its constructor is recorded again. If threads also wait for a
// semaphore, its constructor stays.
func TestConstructorsOfLocksThatDoNotMatterAreMuted(t *testing.T) {
	t.Parallel()
	const rw, sem = "java/util/concurrent/locks/ReentrantReadWriteLock.<init>", "java/util/concurrent/Semaphore.<init>"
	in := &instrumented{probes: []probe{{}, {op: trace.OpLock}, {op: trace.OpUnlock}, {op: trace.OpAcquire},
		{kind: kindMade, frame: trace.Frame{Function: rw}}, {kind: kindMade, frame: trace.Frame{Function: sem}}}}
	r, j := &recording{threads: map[int64][]hit24{}, order: []int64{1}}, &journal{}
	for i := range int64(2000) {
		now, lock := i*1000, uint32(10*i+10)
		j.made = append(j.made, made{time: now, identity: lock, part: lock + 1, other: lock + 2, stack: []trace.Frame{{Function: rw}}},
			made{time: now, identity: lock + 3, stack: []trace.Frame{{Function: sem}}})
		for k, p := range []uint16{1, 2, 3} {
			object := []uint32{lock + 1, lock + 1, lock + 3}[k]
			at := now + int64(200*k)
			r.threads[1] = append(r.threads[1], hit24{time: at, cpu: at, probe: p, object: object}, hit24{time: at + 100, cpu: at + 100, probe: p, object: object, end: true})
		}
	}
	m := r.mutable(in, j, outcome{Outcome: execution.Outcome{CPU: 2 * time.Millisecond}})
	if len(m) != 3 || !m[1] || !m[2] || !m[4] {
		t.Errorf("muted probes %v, want 1 and 2 of the locks, and 4, their constructor", m)
	}
}
