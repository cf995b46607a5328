package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// meets lets three workers compute so many times and wait until all have come: who waits gives up its core twice, and sleeps then if
// it waits for long; who comes last wakes those that sleep, or does nothing that is seen. In each round another one is last.
func meets(rounds int, wait func(w *actor, until int64)) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	ws := []*actor{s.thread("worker", main, 0), s.thread("worker", main, 0), s.thread("worker", main, 0)}
	for round := range rounds {
		late := []int64{0, 0, 0}
		late[round%3], late[(round+1)%3] = 300_000, 90_000*int64(round%2)
		over := int64(0)
		for i, w := range ws {
			w.compute(500_000 + late[i])
			over = max(over, w.now)
		}
		for i, w := range ws {
			if i != round%3 {
				wait(w, over+int64(1000*i))
				continue
			}
			w.does(trace.OpUnpark, "wake", 7, math.MaxInt32, 0)
		}
	}
	for _, w := range ws {
		w.ends()
		main.now = max(main.now, w.now)
	}
	main.ends()
	return s
}

// spins gives up the core twice, and then sleeps if there is long to wait.
func spins(w *actor, until int64) {
	for range 2 {
		w.compute(1000).does(trace.OpYield, "yield", 0, 0, 1000)
	}
	if until-w.now > 250_000 {
		w.compute(30_000) // the first call of a function is slow
		w.does(trace.OpPark, "sleep", 7, 0, until-w.now)
	} else {
		w.hit(trace.OpYield, "yield", false, 0, 0, 0)
		w.now = until
		w.hit(trace.OpYield, "yield", true, 0, 0, 0)
	}
}

// Threads that look again and again whether all have come, and sleep at last, meet at a barrier as often as they do; also if
// nobody is seen to wake them, or only sleeps and who ends them are seen.
func TestThreadsThatWaitForTheLastMeetAtABarrier(t *testing.T) {
	t.Parallel()
	for _, unseen := range []trace.Op{0, trace.OpUnpark, trace.OpYield} {
		s := meets(30, spins)
		for i := range s.trace.Threads {
			th := &s.trace.Threads[i]
			th.Records = slices.DeleteFunc(th.Records, func(r trace.Record) bool { return r.Op == unseen })
		}
		m, r := s.build(t, trail.Options{})
		if i := slices.IndexFunc(m.Locks, func(l core.Lock) bool { return l.Kind == core.Barrier }); len(m.Locks) != 1 || i < 0 || m.Locks[i].Parties != 3 {
			t.Errorf("unseen %v: locks %v, want a barrier of three; %q", unseen, m.Locks, r.Trust.Assumptions)
		}
		loops := fragments(m, core.LoopFragment)
		if len(loops) != 1 || loops[0].Loop.Count.Value != 30 {
			t.Errorf("unseen %v: loops %+v, want one of 30 rounds", unseen, loops)
		}
		if p, ok := m.Parameter("worker-threads"); !ok || !slices.ContainsFunc(p.Targets, func(target core.Target) bool { return target.Path == "locks/"+m.Locks[0].ID+"/parties" }) {
			t.Errorf("unseen %v: the number of threads is not that of the parties: %+v", unseen, p)
		} else if slices.ContainsFunc(p.Targets, func(target core.Target) bool { return strings.HasSuffix(target.Path, "/iterations") }) {
			t.Errorf("unseen %v: rounds that all go through together are divided: %+v", unseen, p)
		}
	}
}

// Threads that wait for each other in turn, one at a time, do not all meet.
func TestThreadsThatWaitAloneDoNotMeet(t *testing.T) {
	t.Parallel()
	s := meets(30, func(w *actor, until int64) {
		if w.id == 1 {
			spins(w, until)
		} else {
			w.now = until
		}
	})
	m, _ := s.build(t, trail.Options{})
	if slices.ContainsFunc(m.Locks, func(l core.Lock) bool { return l.Kind == core.Barrier }) {
		t.Errorf("locks %v, want no barrier", m.Locks)
	}
}

// Five threads share fewer permits, on two cores: each waits now and then, and is woken by one that gives a permit back. Where they
// met, four would wait for the last, or all but those that compute beside it.
func TestThreadsThatWaitForPermitsDoNotMeet(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	var ws []*actor
	for range 5 {
		ws = append(ws, s.thread("worker", main, 0))
	}
	at := int64(1_000_000)
	for round := range 100 {
		waits, gives := ws[round%5], ws[(round+1)%5]
		waits.now, gives.now = at, at
		waits.does(trace.OpPark, "sleep", 7, 0, 100_000)
		gives.compute(100_000)
		gives.does(trace.OpUnpark, "wake", 7, math.MaxInt32, 0)
		at += 200_000
	}
	for _, w := range ws {
		w.ends()
		main.now = max(main.now, w.now)
	}
	main.ends()
	m, _ := s.build(t, trail.Options{})
	if slices.ContainsFunc(m.Locks, func(l core.Lock) bool { return l.Kind == core.Barrier }) {
		t.Errorf("locks %v, want no barrier", m.Locks)
	}
}

// Five threads begin at a gate that main opens; two are so early that they sleep there, and the third wakes them. That is no barrier of
// three: the others do not meet them.
func TestAFewOfManyThatWaitOnceDoNotMeet(t *testing.T) {
	t.Parallel()
	for _, many := range []bool{true, false} {
		s := newScript()
		main := s.thread("main", nil, 0)
		ws := []*actor{s.thread("worker", main, 0), s.thread("worker", main, 0), s.thread("worker", main, 0)}
		for _, w := range ws[:2] {
			w.compute(10_000).does(trace.OpPark, "sleep", 7, 0, 190_000)
		}
		ws[2].compute(200_000)
		ws[2].does(trace.OpUnpark, "wake", 7, math.MaxInt32, 0)
		if many {
			ws = append(ws, s.thread("worker", main, 0), s.thread("worker", main, 0))
		}
		for _, w := range ws {
			w.compute(1_000_000).ends()
			main.now = max(main.now, w.now)
		}
		main.ends()
		m, _ := s.build(t, trail.Options{})
		if slices.ContainsFunc(m.Locks, func(l core.Lock) bool { return l.Kind == core.Barrier }) == many {
			t.Errorf("others beside them: %v; locks %v", many, m.Locks)
		}
	}
}

// Who gives values that another thread waits for, and wakes whoever does, does not wait for it.
func TestWhoOnlyWakesOthersDoesNotMeetThem(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	w := s.thread("worker", main, 0)
	for range 30 {
		w.compute(300_000)
		main.compute(1000)
		main.does(trace.OpPark, "sleep", 7, 0, w.now-main.now)
		w.does(trace.OpUnpark, "wake", 7, math.MaxInt32, 0)
		main.compute(100_000)
	}
	w.ends()
	main.now = max(main.now, w.now)
	main.ends()
	m, _ := s.build(t, trail.Options{})
	if slices.ContainsFunc(m.Locks, func(l core.Lock) bool { return l.Kind == core.Barrier }) {
		t.Errorf("locks %v, want no barrier", m.Locks)
	}
}
