package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// inRounds is three workers that take six parts of each round from a counter until they find none, and meet at a barrier, so many
// times. The one of them that comes last in a round finds none at once every third time.
func inRounds(rounds int, take func(w *actor, number int64), leave func(w *actor, number int64)) *script {
	s := newScript()
	s.trace.Objects = []trace.Object{{ID: 9, Kind: "barrier", Capacity: 3, Site: -1}}
	main := s.thread("main", nil, 0)
	ws := []*actor{s.thread("worker", main, 0), s.thread("worker", main, 0), s.thread("worker", main, 0)}
	for round := range rounds {
		number, shares := int64(0), [][]int{{2, 2, 2}, {3, 1, 2}, {3, 3, 0}}[round%3]
		for k := range 3 {
			for i, w := range ws {
				if k < shares[i] {
					w.now += int64(i)
					take(w, number)
					number++
				}
			}
		}
		done, met := max(ws[0].now, ws[1].now, ws[2].now), int64(0)
		for _, w := range ws {
			w.now = done
			leave(w, number)
			number++
			met = max(met, w.now)
		}
		for _, w := range ws {
			w.does(trace.OpBarrier, "meet", 9, 0, met-w.now+10)
		}
	}
	for _, w := range ws {
		w.ends()
		main.now = max(main.now, w.now)
	}
	main.ends()
	return s
}

// A counter that is set back at a barrier shares work out in rounds, whether it is an atomic one, or a region that is left at another
// place or at the same one when there is nothing left: the model has a queue, and a loop of as many rounds from which every thread
// comes to the barrier.
func TestACounterThatIsSetBackSharesOutInRounds(t *testing.T) {
	t.Parallel()
	section := func(w *actor, exit string) *actor {
		return w.does(trace.OpLock, "lock", 1, 0, 10).does(trace.OpUnlock, exit, 1, 0, 10)
	}
	for name, s := range map[string]*script{
		"atomic": inRounds(12, func(w *actor, number int64) { w.does(trace.OpCount, "next", 7, number, 10).compute(100_000) },
			func(w *actor, number int64) { w.does(trace.OpCount, "next", 7, number, 10) }),
		"another exit": inRounds(12, func(w *actor, _ int64) { section(w, "got one").compute(100_000) }, func(w *actor, _ int64) { section(w, "none") }),
		"one exit":     inRounds(12, func(w *actor, _ int64) { section(w, "unlock").compute(100_000) }, func(w *actor, _ int64) { section(w, "unlock") }),
	} {
		m, r := s.build(t, trail.Options{Threshold: -1})
		if len(m.Queues) != 1 || !slices.ContainsFunc(m.Locks, func(l core.Lock) bool { return l.Kind == core.Barrier }) {
			t.Errorf("%s: queues %v, locks %v, want a queue and the barrier; the report says %q", name, m.Queues, m.Locks, r.Trust.Assumptions)
			continue
		}
		counts := map[float64]bool{}
		for _, f := range fragments(m, core.LoopFragment) {
			counts[f.Loop.Count.Value] = true
		}
		if !counts[12] {
			t.Errorf("%s: no loop of twelve rounds in %v", name, counts)
		}
		w := s.walks(t)
		taken := 0
		for worker := 1; worker <= 3; worker++ {
			vain := 0
			for _, x := range w.is(worker, core.InFragment) {
				if x.Token == 0 {
					vain++
				} else {
					taken++
				}
			}
			if vain != 12 {
				t.Errorf("%s: worker %d finds nothing %d times, want 12", name, worker, vain)
			}
		}
		if taken != 72 {
			t.Errorf("%s: %d parts are taken, want 72", name, taken)
		}
	}
}

// Threads that collect results under a lock after each part, and meet after as many as each has, take nothing there.
func TestResultsThatAreCollectedInRoundsAreNoQueue(t *testing.T) {
	t.Parallel()
	collect := func(w *actor, _ int64) {
		w.compute(100_000).does(trace.OpLock, "lock", 1, 0, 10).does(trace.OpUnlock, "unlock", 1, 0, 10)
	}
	m, _ := inRounds(4, collect, collect).build(t, trail.Options{Threshold: -1})
	if len(m.Queues) != 0 {
		t.Errorf("queues %v, want none", m.Queues)
	}
}

// Each of two counters that share work out in the same rounds is a queue, and all else stays what the threads did.
func TestTwoCountersOfTheSameThreadsAreTwoQueues(t *testing.T) {
	t.Parallel()
	const parts, threads, rounds = 6, 3, 6
	s := inRounds(rounds, func(w *actor, number int64) { w.does(trace.OpCount, "next", 7, number, 10).compute(100_000) },
		func(w *actor, number int64) {
			w.does(trace.OpCount, "next", 7, number, 10).compute(1000)
			w.does(trace.OpCount, "then", 8, number-parts, 10).compute(50_000).does(trace.OpCount, "then", 8, threads+number-parts, 10)
		})
	m, r := s.build(t, trail.Options{Threshold: -1})
	if len(m.Queues) != 2 {
		t.Errorf("queues %v, want two; the report says %q", m.Queues, r.Trust.Assumptions)
	}
	w := s.walks(t)
	for worker := 1; worker <= threads; worker++ {
		if n := len(w.does(worker, core.Await)); n != rounds {
			t.Errorf("worker %d meets %d times, want %d", worker, n, rounds)
		}
	}
}
