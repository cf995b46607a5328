package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// A pool of one lock and two conditions, as one writes it in C: there is work, and all work is done. The second says nothing
// of room: the list is a queue without a limit, from which the worker takes, and main waits after each round of three jobs.
func TestAConditionThatAllIsDoneSaysNothingOfRoom(t *testing.T) {
	t.Parallel()
	const lock, work, idle = 1, 2, 3
	s := newScript()
	s.trace.Objects = []trace.Object{{ID: work, Kind: "cond", Site: -1, Parent: lock}, {ID: idle, Kind: "cond", Site: -1, Parent: lock}}
	main := s.thread("main", nil, 0)
	worker := s.thread("worker", main, 1)
	for range 4 {
		for range 3 {
			main.compute(10_000).does(trace.OpLock, "submit", lock, 0, 10).does(trace.OpSignal, "there is work", work, 0, 10).does(trace.OpUnlock, "submitted", lock, 0, 10)
		}
		worker.now = max(worker.now, main.now-30_000)
		for i := range 3 {
			worker.does(trace.OpLock, "take", lock, 0, 10)
			if i == 0 {
				worker.does(trace.OpCondWait, "no work", work, 0, 5000)
			}
			worker.does(trace.OpUnlock, "taken", lock, 0, 10).compute(50_000).does(trace.OpLock, "count", lock, 0, 10)
			if i == 2 {
				worker.does(trace.OpSignal, "all done", idle, 0, 10)
			}
			worker.does(trace.OpUnlock, "counted", lock, 0, 10)
		}
		main.does(trace.OpLock, "look", lock, 0, 10).does(trace.OpCondWait, "not done", idle, 0, worker.now-main.now-10).does(trace.OpUnlock, "go on", lock, 0, 10)
	}
	worker.ends()
	main.now = worker.now
	main.compute(1000).ends()
	m, _ := s.build(t, trail.Options{})
	if len(m.Queues) != 1 || m.Queues[0].Capacity != core.Unbounded || len(fragments(m, core.InFragment)) != 1 {
		t.Fatalf("queues %v, taken from at %v, want one without limit from which the worker takes", m.Queues, fragments(m, core.InFragment))
	}
	if !slices.ContainsFunc(m.Locks, func(l core.Lock) bool { return l.Kind == core.Latch }) {
		t.Errorf("locks %v, want the count for zero of which main waits", m.Locks)
	}
}
