package java

import (
	"testing"
	"time"

	"tierscope/analysis"
	"tierscope/analysis/execution"
)

// Two threads enter two locks 10,000 times each. For the first nobody waits; at
// the second they wait for 1 µs of every 2 µs. Only the first is muted, with both
// of its places; and not if somebody waits for a signal there.
func TestOnlyLocksForWhichNobodyWaitsAreMuted(t *testing.T) {
	t.Parallel()
	in := &instrumented{probes: []probe{{}, {op: analysis.OpLock}, {op: analysis.OpUnlock}, {op: analysis.OpLock}, {op: analysis.OpUnlock}, {op: analysis.OpCondWait}}}
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
	if m := recorded(false).mutable(in, used(20*time.Millisecond)); len(m) != 2 || !m[1] || !m[2] {
		t.Errorf("muted probes %v, want 1 and 2", m)
	}
	if m := recorded(true).mutable(in, used(20*time.Millisecond)); len(m) != 0 {
		t.Errorf("muted probes %v, want none: a thread waits for a signal at the lock", m)
	}
	if r := recorded(false); !r.tooMuch(used(20*time.Millisecond)) || r.tooMuch(used(2*time.Second)) {
		t.Error("160,000 hits are too much for 20 ms of CPU, not for 2 s")
	}
}
