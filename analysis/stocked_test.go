package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// built is three workers that take what is ready from a list under a lock, of which some was there before they began, and bring what
// becomes ready when they are done: as many things as they signal, under one stay. Who does the last wakes all. finds is what each does.
func built(first int, finds []int) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	busy := []*actor{s.thread("work", main, 10), s.thread("work", main, 20), s.thread("work", main, 30)}
	var idle []*actor
	list, left := first, len(finds)
	take := func(a *actor) { a.does(trace.OpUnlock, "taken", 1, 0, 1) }
	doing := map[*actor]bool{}
	for len(busy) > 0 {
		slices.SortStableFunc(busy, func(a, b *actor) int { return int(a.now - b.now) })
		a := busy[0]
		if doing[a] {
			doing[a] = false
			a.does(trace.OpLock, "done", 1, 0, 5)
			found := finds[len(finds)-left]
			left--
			list += found
			woken := min(found, len(idle))
			for range found {
				a.does(trace.OpSignal, "more", 2, 0, 1)
			}
			if left == 0 {
				a.does(trace.OpBroadcast, "all done", 2, 0, 1)
				woken = len(idle)
			}
			a.does(trace.OpUnlock, "done", 1, 0, 1)
			for _, b := range idle[:woken] {
				b.does(trace.OpCondWait, "wait", 2, 0, a.now-b.now)
				if list > 0 {
					list--
					take(b)
					b.compute(40_000)
					doing[b] = true
					busy = append(busy, b)
				} else {
					b.does(trace.OpUnlock, "taken", 1, 0, 1).ends()
				}
			}
			idle = idle[woken:]
			a.compute(100)
			continue
		}
		a.does(trace.OpLock, "take", 1, 0, 5)
		switch {
		case list > 0:
			list--
			take(a)
			a.compute(40_000 + int64(1_000*list))
			doing[a] = true
		case left == 0:
			take(a)
			a.ends()
			busy = busy[1:]
		default:
			idle, busy = append(idle, a), busy[1:]
		}
	}
	for i := range s.trace.Threads {
		main.now = max(main.now, s.trace.Threads[i].Ended)
	}
	main.ends()
	s.trace.Objects = append(s.trace.Objects, trace.Object{ID: 2, Kind: "cond", Site: -1, Parent: 1})
	return s
}

// A list that is filled before threads take from it, and into which they put several things in one stay under its lock, or none, is a
// queue: main fills it, and as much is taken as was put.
func TestAListThatWasFilledBeforeIsAQueue(t *testing.T) {
	t.Parallel()
	finds := []int{0, 2, 0, 0, 0, 0, 3, 0, 1, 0, 2, 0, 0, 0, 0}
	first := len(finds) - 8
	s := built(first, finds)
	m, r := s.build(t, trail.Options{Threshold: -1})
	if len(m.Queues) != 1 || len(m.Locks) != 0 {
		t.Fatalf("queues %v, locks %v, want the list as a queue; the report says %q", m.Queues, m.Locks, r.Trust.Assumptions)
	}
	w := s.walks(t)
	if got := len(w.sends(0)); got != first {
		t.Errorf("main sends %d tasks, want %d", got, first)
	}
	taken := 0
	for worker := 1; worker <= 3; worker++ {
		taken += len(slices.DeleteFunc(tokens(w.is(worker, core.InFragment)), func(k int64) bool { return k == 0 }))
	}
	if taken != len(finds) {
		t.Errorf("%d tasks are taken, want %d", taken, len(finds))
	}
}

// Where threads wait although something must be there, each signal is not for one thing.
func TestWaitsThatDoNotAgreeTellNoStock(t *testing.T) {
	t.Parallel()
	s := built(2, []int{2, 1, 0, 0, 3, 0, 0, 0})
	if m, _ := s.build(t, trail.Options{Threshold: -1}); len(m.Queues) != 1 {
		t.Fatalf("queues %v, want one", m.Queues)
	}
	more := 0
	for i := range s.trace.Threads {
		rs := s.trace.Threads[i].Records
		for k := range rs {
			if rs[k].Op != trace.OpSignal || rs[k].End {
				continue
			}
			if more++; more == 4 { // one that nobody knows of
				s.trace.Threads[i].Records = slices.Delete(slices.Clone(rs), k, k+2)
				break
			}
		}
	}
	if m, _ := s.build(t, trail.Options{Threshold: -1}); len(m.Queues) != 0 {
		t.Errorf("queues %v, want none", m.Queues)
	}
}
