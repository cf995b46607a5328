package analysis

import (
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// levels is a main thread that hands four tasks to two helpers through a list under a lock, and waits until all are done, three
// times. Helpers take the first task before their loop. Who says that a task is done, takes the next one under the same lock or,
// apart, under the lock once more. Whoever comes last tells main; early: who comes first does too, once.
func levels(apart, early bool) *script {
	const lock, more, finished = 1, 2, 3
	s := newScript()
	s.trace.Objects = []trace.Object{{ID: lock, Kind: "mutex", Site: -1}, {ID: more, Kind: "cond", Site: -1, Parent: lock}, {ID: finished, Kind: "cond", Site: -1, Parent: lock}}
	main := s.thread("main", nil, 0)
	helpers := []*actor{s.thread("helper", main, 1), s.thread("helper", main, 2)}
	enter := func(a *actor, place string) { a.does(trace.OpLock, place, lock, 0, 10) }
	leave := func(a *actor, place string) { a.does(trace.OpUnlock, place+" leaves", lock, 0, 10) }
	take := func(a *actor, place string, from int64) {
		if a.now < from { // there is nothing yet
			a.does(trace.OpCondWait, place+" waits", more, 0, from-a.now)
		}
		leave(a, "take")
	}
	var last int64 // that something was done
	for level := range int64(3) {
		base := 100_000 * (level + 1)
		main.now = base
		for range 4 {
			enter(main, "put")
			main.hit(trace.OpSignal, "put signals", false, more, 0, 0)
			leave(main, "put")
		}
		for task := range int64(2) {
			for k, h := range helpers {
				from := base + 1000 + int64(k)*200
				switch {
				case level == 0 && task == 0:
					h.now = from
					enter(h, "first")
					take(h, "first", 0)
				default: // of the task before it was said that it is done
					take(h, "next", from)
				}
				h.compute(20_000)
				enter(h, "done")
				if k == 1 && task == 1 || early && level == 1 && task == 0 && k == 0 {
					h.hit(trace.OpBroadcast, "done signals", false, finished, 0, 0)
				}
				last = h.now
				if apart {
					leave(h, "done")
					enter(h, "next")
				}
			}
		}
		enter(main, "await")
		main.does(trace.OpCondWait, "await waits", finished, 0, last+10-main.now)
		leave(main, "await")
	}
	main.now = 500_000
	enter(main, "close")
	main.hit(trace.OpBroadcast, "closed", false, more, 0, 0)
	leave(main, "close")
	for k, h := range helpers {
		h.does(trace.OpCondWait, "next waits", more, 0, 500_100+int64(k)*200-h.now)
		leave(h, "none")
		h.ends()
	}
	main.does(trace.OpJoin, "join", 0, 0, 4000)
	main.ends()
	return s
}

// What is not done yet is counted: who brings adds, who says that something is done counts down, and main awaits zero, whichever
// thread comes last. The list stays a queue, from which helpers take in the first round too.
func TestACountOfWhatIsNotDoneIsALatch(t *testing.T) {
	t.Parallel()
	for name, apart := range map[string]bool{"done and next under one lock": false, "each for itself": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, _ := levels(apart, false).build(t, trail.Options{})
			kinds := map[string]core.LockKind{}
			for _, l := range m.Locks {
				kinds[l.ID] = l.Kind
			}
			ops := map[core.SyncOp]int{}
			for _, f := range fragments(m, core.SyncFragment) {
				if kinds[f.Sync.Lock] == core.Latch {
					ops[f.Sync.Op]++
				}
			}
			if ops[core.Add] == 0 || ops[core.CountDown] == 0 || ops[core.Await] == 0 {
				t.Errorf("the operations of a latch are %v, want all of its kinds; locks %v", ops, m.Locks)
			}
			for _, l := range m.Locks {
				if l.Kind == core.Condition {
					t.Errorf("%s is a condition still", l.ID)
				}
			}
			if len(m.Queues) != 1 || len(fragments(m, core.NoFetchFragment)) == 0 {
				t.Errorf("queues %v, want one that is found closed", m.Queues)
			}
		})
	}
}

// A condition that is signalled while something is not done says something else.
func TestASignalThatNoCountExplainsIsNoLatch(t *testing.T) {
	t.Parallel()
	m, _ := levels(true, true).build(t, trail.Options{})
	for _, l := range m.Locks {
		if l.Kind == core.Latch {
			t.Errorf("%s is a latch", l.ID)
		}
	}
}
