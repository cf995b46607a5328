package analysis

import (
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// rotation is three threads that hold one of four locks nearly all of the time. If
// they take the one that has been free for longest nobody waits; otherwise all take
// the same ones in turn, and two wait while one computes.
func rotation(free bool) *script {
	s := newScript()
	for id := range uint64(4) {
		s.trace.Objects = append(s.trace.Objects, trace.Object{ID: id + 1, Kind: "mutex", Site: s.site("main.main", "make")})
	}
	main := s.thread("main", nil, 0)
	var ws []*actor
	for range 3 {
		ws = append(ws, s.thread("worker", main, 10))
	}
	now := int64(1000)
	for round := range 40 {
		for i, w := range ws {
			w.compute(100)
			w.now = now + int64(i)*33_000
			lock, waits := uint64((3*round+i)%4+1), int64(10)
			if !free {
				lock, waits = uint64(round%4+1), 10+int64(i)*60_000
			}
			w.does(trace.OpLock, "lock", lock, 0, waits).compute(89_000).does(trace.OpUnlock, "unlock", lock, 0, 10)
		}
		now += 100_000
		if !free {
			now += 200_000
		}
	}
	for _, w := range ws {
		w.ends()
		main.now = max(main.now, w.now)
	}
	main.does(trace.OpJoin, "join", 0, 0, 10).ends()
	return s
}

// Locks that are held all the time and for which nobody ever waits are those of objects
// that threads have for themselves.
func TestLocksOfObjectsThatAreFreeWhenTheyAreTakenAreNone(t *testing.T) {
	t.Parallel()
	for _, free := range []bool{true, false} {
		m, _ := rotation(free).build(t, trail.Options{})
		if none := len(m.Locks) == 0; none != free {
			t.Errorf("threads take free locks: %v; the model has %d locks", free, len(m.Locks))
		}
	}
}

// A function that takes a lock of its own is called with another one held and without
// it. What follows a call is what followed in the run: who did not hold the other
// lock never releases it.
func TestWhatIsDoneUnderALockIsToldApartFromTheSameWithoutIt(t *testing.T) {
	t.Parallel()
	s := newScript()
	for id := range uint64(2) {
		s.trace.Objects = append(s.trace.Objects, trace.Object{ID: id + 1, Kind: "mutex", Site: -1})
	}
	w := s.thread("main", nil, 0)
	call := func() {
		w.compute(1000).does(trace.OpLock, "inner lock", 2, 0, 10).compute(1000).does(trace.OpUnlock, "inner unlock", 2, 0, 10)
	}
	for range 3 {
		call()
		w.compute(1000).does(trace.OpLock, "outer lock", 1, 0, 10)
		call()
		w.compute(1000).does(trace.OpUnlock, "outer unlock", 1, 0, 10)
	}
	w.ends()
	m, _ := s.build(t, trail.Options{Threshold: -1})
	lock, unlock := int(s.site("main.main", "outer lock"))+1, int(s.site("main.main", "outer unlock"))+1
	outer := map[string]bool{} // fragments after which the outer lock is held
	var walk func(g *core.Graph, id string, holds bool)
	walk = func(g *core.Graph, id string, holds bool) {
		f := g.Fragment(id)
		if f.Sync != nil && (f.Origin.Line == lock || f.Origin.Line == unlock) {
			if (f.Origin.Line == unlock) != holds {
				t.Fatalf("%s is reached with the lock held: %v", id, holds)
			}
			holds = !holds
		}
		if before, seen := outer[id]; seen {
			if before != holds {
				t.Fatalf("%s is left with the lock held and without it", id)
			}
			return
		}
		outer[id] = holds
		for _, e := range g.Successors(f) {
			walk(g, e.To, holds)
		}
	}
	walk(&m.Graphs[0], m.Graphs[0].Entry, false)
}
