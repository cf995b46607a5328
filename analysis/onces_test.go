package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// word is what a record of a rewritten trace is about.
type word struct {
	op     trace.Op
	end    bool
	object uint64
}

// words lists the records of a thread on Onces and locks.
func words(th trace.Thread) (ws []word) {
	for _, r := range th.Records {
		switch r.Op {
		case trace.OpOnce, trace.OpLock, trace.OpUnlock:
			ws = append(ws, word{r.Op, r.End, r.Object})
		}
	}
	return ws
}

// asks calls the Once of a key as Go's does: a wait for its lock, the function
// if it is the first, the release.
func (a *actor) asks(once uint64, wait int64, runs bool) *actor {
	ran := int64(0)
	if runs {
		ran = 1
	}
	a.does(trace.OpOnce, "once", once, ran, wait)
	if runs {
		a.compute(1000)
	}
	return a.does(trace.OpUnlock, "once", once, 0, 0)
}

// The first call of a Once runs the function, the others wait for it: Go's lock
// inside is how they wait, not something of the program's.
func TestASingleOnceIsRunByTheFirst(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	a, b := s.thread("worker", main, 0), s.thread("worker", main, 0)
	a.does(trace.OpReceive, "get", 1, 1, 10).asks(7, 0, true)
	b.does(trace.OpReceive, "get", 1, 1, 20).asks(7, 990, false)
	out := normalise.OnceCalls(s.trace)
	if got, want := words(out.Threads[a.id]), []word{{trace.OpOnce, false, 7}, {trace.OpOnce, true, 7}}; !slices.Equal(got, want) {
		t.Errorf("who runs the function: %v, want its start and end, %v", got, want)
	}
	if end := out.Threads[a.id].Records[3]; end.Time != 1010 || end.Arg != 1 {
		t.Errorf("the function ends with %+v, want an end at 1010 ns that says it ran", end)
	}
	if got, want := words(out.Threads[b.id]), []word{{trace.OpOnce, false, 7}, {trace.OpOnce, true, 7}}; !slices.Equal(got, want) {
		t.Errorf("who waits: %v, want a wait, %v", got, want)
	}
}

// Entries of a cache have a Once each. Of three calls by b during loads by a, two
// wait (for the same entry) and one passes (another entry): so of six calls while
// nothing is loaded, two thirds would have waited had they come then.
func TestOncesOfACacheAreRegionsAsOftenAsCallersWait(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	a, b := s.thread("worker", main, 0), s.thread("worker", main, 0)
	call := func(who *actor, at int64, once func()) {
		who.now = at
		who.does(trace.OpReceive, "get", 1, 1, 0)
		once()
		who.does(trace.OpNetWrite, "answer", 2, 0, 0)
	}
	found := func() {} // leaves no record
	for i, key := range []uint64{7, 8} {
		at := int64(10_000 * (i + 1))
		call(a, at, func() { a.asks(key, 0, true) })
		call(b, at+100, func() { b.asks(key, 900, false) })
	}
	call(b, 25_000, found)
	call(a, 30_000, func() { a.asks(9, 0, true) })
	call(b, 30_500, found) // while a loads
	for i := range int64(5) {
		call(b, 40_000+i, found)
	}
	out := normalise.OnceCalls(s.trace)
	locks := 0
	for _, w := range words(out.Threads[b.id]) {
		if w.op == trace.OpOnce {
			t.Errorf("a Once is left: %v", w)
		}
		if w.op == trace.OpLock && !w.end {
			locks++
		}
	}
	if want := 2 + 4; locks != want {
		t.Errorf("b is in %d regions, want %d: two that it waited for, and two thirds of six", locks, want)
	}
	if got := len(words(out.Threads[a.id])); got != 3*4 {
		t.Errorf("a has %d records on locks, want 12: three loads", got)
	}
}

// A Once that nobody waits for, such as those inside the standard library, is no
// part of the model: what it runs is on the way of whoever ran it.
func TestAOnceThatNobodyWaitsForIsNotModelled(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	workers := []*actor{s.thread("worker", main, 0), s.thread("worker", main, 0)}
	for i, w := range workers {
		for j := range 4 {
			w.compute(1_000_000).does(trace.OpSleep, "pause", 0, 0, 500_000)
			if i+j == 0 {
				w.asks(7, 0, true)
			}
		}
		w.ends()
	}
	main.does(trace.OpJoin, "join", 0, 0, 20_000_000)
	main.ends()
	m, _ := s.build(t, trail.Options{Threshold: -1})
	if len(m.Locks) != 0 {
		t.Errorf("the model has locks %+v, want none", m.Locks)
	}
}
