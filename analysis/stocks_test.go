package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// users are four threads that take one of some connections six times each and bring it back, after 100 µs. Who finds none waits on a
// condition for one that is brought back, which is signalled when the lock is free again.
func users(connections int) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	var us []*actor
	for range 4 {
		us = append(us, s.thread("user", main, main.now+10))
	}
	s.trace.Objects = append(s.trace.Objects, trace.Object{ID: 1, Kind: "mutex"}, trace.Object{ID: 2, Kind: "condition", Parent: 1})
	free := make([]int64, connections) // when each comes back
	took := make([]int, len(us))
	for range 6 * len(us) {
		a := earliest(us, took)
		c := 0
		for k := range free {
			if free[k] < free[c] {
				c = k
			}
		}
		a.does(trace.OpLock, "take", 1, 0, 5)
		if wait := free[c] - a.now; wait > 0 {
			a.does(trace.OpCondWait, "wait", 2, 0, wait)
		}
		a.does(trace.OpUnlock, "taken", 1, 0, 1)
		a.compute(100_000)
		a.does(trace.OpLock, "bring", 1, 0, 5).does(trace.OpUnlock, "brought", 1, 0, 1)
		free[c] = a.now
		a.hit(trace.OpSignal, "signal", false, 2, 0, 0)
	}
	endAll(main, us)
	return s
}

// earliest is the one of some threads that is to take something next, which none does more than six times.
func earliest(us []*actor, took []int) *actor {
	i := -1
	for k, a := range us {
		if took[k] < 6 && (i < 0 || a.now < us[i].now) {
			i = k
		}
	}
	took[i]++
	return us[i]
}

// endAll ends threads, and then the one that waits for them.
func endAll(main *actor, us []*actor) {
	for _, a := range us {
		a.ends()
		main.now = max(main.now, a.now)
	}
	main.ends()
}

// Connections that are taken and brought back are a semaphore with as many permits.
func TestAStockIsASemaphore(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 3} {
		m, _ := users(n).build(t, trail.Options{})
		i := slices.IndexFunc(m.Locks, func(l core.Lock) bool { return l.Kind == core.Semaphore })
		if i < 0 || m.Locks[i].Permits != n || len(m.Locks) != 1 {
			t.Errorf("locks %+v, want a semaphore with %d permits", m.Locks, n)
		}
	}
}

// Of a lock of the same kind, a thread waits at the same place and, until all is brought back, at another one: it is no stock, and so is none of them.
func TestWhatIsWaitedForInTwoWaysIsNoStock(t *testing.T) {
	t.Parallel()
	for _, empties := range []bool{false, true} {
		s := users(3)
		s.trace.Objects = append(s.trace.Objects, trace.Object{ID: 3, Kind: "mutex"}, trace.Object{ID: 4, Kind: "condition", Parent: 3})
		main := &actor{s: s, now: s.trace.Threads[0].Ended - 1}
		a := s.thread("user", main, main.now)
		a.does(trace.OpLock, "take", 3, 0, 5).does(trace.OpCondWait, "wait", 4, 0, 50_000).does(trace.OpUnlock, "taken", 3, 0, 1).compute(100_000)
		if empties {
			a.does(trace.OpLock, "empty", 3, 0, 5).does(trace.OpCondWait, "wait until it is", 4, 0, 50_000).does(trace.OpUnlock, "is empty", 3, 0, 1)
		}
		a.ends()
		main.now = a.now
		main.ends()
		tr := &trail.Trail{Trace: s.trace}
		normalise.Monitors(tr)
		stock := slices.ContainsFunc(tr.Trace.Objects, func(o trace.Object) bool { return o.Kind == "semaphore" })
		if stock == empties {
			t.Errorf("a lock of its kind is waited for in another way: %v; it is a stock: %v", empties, stock)
		}
	}
}
