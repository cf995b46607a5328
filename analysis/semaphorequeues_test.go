package analysis

import (
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// semaphores is a program whose main puts six things and one for the end of each of two takers, through two semaphores.
type semaphores struct {
	lock    trace.Op // OpLock, OpAcquire: a third semaphore; OpNone: nothing is held
	io      bool     // takers write in between
	items   int64    // permits of the other one at first
	instead bool     // one take releases the lock's semaphore in its place
}

func (p semaphores) script() *script {
	const room, items, lock, third = 1, 2, 3, 4
	s := newScript()
	s.trace.Objects = []trace.Object{{ID: room, Kind: "semaphore", Capacity: 3, Site: -1}, {ID: items, Kind: "semaphore", Capacity: p.items, Site: -1},
		{ID: lock, Kind: "mutex", Site: -1}, {ID: third, Kind: "semaphore", Capacity: 1, Site: -1}}
	permit := func(a *actor, op trace.Op, place string, object uint64, wall int64) {
		a.hit(op, place, false, object, 1, 0)
		a.now += wall
		a.hit(op, place, true, object, 1, 0)
	}
	through := func(a *actor, place string, from, to uint64, wait int64, io bool) {
		permit(a, trace.OpAcquire, place+" acquires", from, max(1, wait))
		switch p.lock {
		case trace.OpLock:
			a.does(trace.OpLock, place+" locks", lock, 0, 1)
		case trace.OpAcquire:
			permit(a, trace.OpAcquire, place+" locks", third, 1)
		}
		if io {
			a.does(trace.OpFileWrite, place+" writes", 9, 1, 5)
		}
		switch p.lock {
		case trace.OpLock:
			a.does(trace.OpUnlock, place+" unlocks", lock, 0, 1)
		case trace.OpAcquire:
			permit(a, trace.OpRelease, place+" unlocks", third, 1)
		}
		permit(a, trace.OpRelease, place+" releases", to, 1)
	}
	main := s.thread("main", nil, 0)
	takers := []*actor{s.thread("taker", main, 1), s.thread("taker", main, 2)}
	const work = 400_000
	for i := range int64(8) {
		main.compute(100_000)
		if i >= 3 { // until the third last thing is taken
			main.now = max(main.now, 100_000+(i-3)*work/2)
		}
		place := "put"
		if i >= 6 {
			place = "put end"
		}
		through(main, place, room, items, 0, false)
		a := takers[i%2]
		to := uint64(room)
		if p.instead && i == 3 {
			to = third
		}
		through(a, "take", items, to, main.now-a.now, p.io)
		if i < 6 {
			a.compute(work)
		} else {
			a.ends()
		}
	}
	main.does(trace.OpJoin, "join", 0, 0, 2*work)
	main.ends()
	return s
}

// Who acquires one of two semaphores and releases the other puts something into a bounded queue or takes it out. Messages that end
// the takers close it, so that there may be more of them.
func TestTwoSemaphoresThatPassThingsOnAreAQueue(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]semaphores{
		"under a lock":             {lock: trace.OpLock},
		"under a third semaphore":  {lock: trace.OpAcquire},
		"for one thread each":      {},
		"and write under the lock": {lock: trace.OpLock, io: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, _ := p.script().build(t, trail.Options{})
			if len(m.Queues) != 1 || m.Queues[0].Capacity != 3 {
				t.Fatalf("queues %v, want one with room for 3; locks %v", m.Queues, m.Locks)
			}
			for _, l := range m.Locks {
				if l.Kind == core.Semaphore {
					t.Errorf("%s is a semaphore still", l.ID)
				}
			}
			if len(fragments(m, core.NoFetchFragment)) == 0 {
				t.Error("the takers never find the queue closed")
			}
		})
	}
}

// Semaphores with items from the start, or of which another one is released once, pass nothing on.
func TestSemaphoresThatDoNotPassThingsOnStay(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]semaphores{
		"items at first": {lock: trace.OpLock, items: 1},
		"another one":    {lock: trace.OpLock, instead: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, _ := p.script().build(t, trail.Options{})
			n := 0
			for _, l := range m.Locks {
				if l.Kind == core.Semaphore {
					n++
				}
			}
			if n < 2 {
				t.Errorf("locks %v, want both semaphores", m.Locks)
			}
		})
	}
}
