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
// logs: in that stay it also sends what it did to a thread that logs, and closes that channel at last.
func built(first int, finds []int, logs bool) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	var logger *actor
	if logs {
		s.channel(3, 100)
		logger = s.thread("logger", main, 5)
	}
	busy := []*actor{s.thread("work", main, 10), s.thread("work", main, 20), s.thread("work", main, 30)}
	var idle []*actor
	list, left := first, len(finds)
	var logged []int64
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
			if logs {
				a.does(trace.OpSend, "log", 3, 1, 1)
				logged = append(logged, a.now)
			}
			if left == 0 && logs {
				a.does(trace.OpClose, "no more", 3, 0, 1)
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
	if logs {
		for _, at := range logged {
			logger.does(trace.OpReceive, "logged", 3, 1, max(at-logger.now, 0)+1)
			logger.compute(100)
		}
		logger.does(trace.OpReceive, "logged", 3, 0, 1)
		logger.ends()
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
	s := built(first, finds, false)
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
	s := built(2, []int{2, 1, 0, 0, 3, 0, 0, 0}, false)
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

// What a thread sends, or closes, under the lock of such a list stays: who receives it gets as much as was sent, and an end.
func TestWhatIsSentUnderTheLockOfAListStays(t *testing.T) {
	t.Parallel()
	finds := []int{0, 2, 0, 0, 0, 0, 3, 0, 1, 0, 2, 0, 0, 0, 0}
	s := built(len(finds)-8, finds, true)
	m, r := s.build(t, trail.Options{Threshold: -1})
	if len(m.Queues) != 2 {
		t.Fatalf("queues %v, want the list and the channel; the report says %q", m.Queues, r.Trust.Assumptions)
	}
	w := s.walks(t)
	sent := 0
	for worker := 2; worker <= 4; worker++ {
		sent += len(w.sends(worker))
	}
	if want := len(finds) + 8; sent != want {
		t.Errorf("the workers send %d messages, want %d: 8 to the list, %d to who logs", sent, want, len(finds))
	}
	closes := 0
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Sync != nil && f.Sync.Op == core.Close {
				closes++
			}
		}
	}
	if closes != 2 {
		t.Errorf("%d places close a queue, want that of the list and that of the channel", closes)
	}
}
