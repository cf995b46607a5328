package analysis

import (
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// countdown is a program whose workers take rounds from a counter under a lock:
// who finds none left leaves the section at another place, and ends. With late a
// worker finds work after another one found none.
func countdown(late bool) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	main.compute(1000)
	works := []*actor{s.thread("worker", main, 1000), s.thread("worker", main, 1000), s.thread("worker", main, 1000)}
	take := func(w *actor) {
		w.does(trace.OpLock, "lock", 1, 0, 10).compute(100).does(trace.OpUnlock, "unlock after taking", 1, 0, 10).compute(1_000_000)
	}
	leave := func(w *actor) {
		w.does(trace.OpLock, "lock", 1, 0, 10).compute(100).does(trace.OpUnlock, "unlock when none is left", 1, 0, 10)
		w.ends()
	}
	for round := range 4 {
		for i, w := range works {
			if i > 0 || round < 3 { // the first is slower and takes one less
				take(w)
			}
		}
	}
	if late {
		leave(works[2])
		works[0].compute(5_000_000)
		take(works[0])
		works = works[:2]
	}
	for _, w := range works {
		w.compute(2_000_000)
		leave(w)
	}
	main.does(trace.OpJoin, "join", 0, 0, 20_000_000)
	main.ends()
	return s
}

// Three threads take 3 + 4 + 4 rounds from a counter. The model has a queue
// with 11 tasks, whatever the number of threads: main sends them, a worker that
// gets none ends.
func TestACounterThatSharesOutWorkIsAQueue(t *testing.T) {
	t.Parallel()
	m, _ := countdown(false).build(t, trail.Options{Threshold: -1})
	if len(m.Queues) != 1 {
		t.Fatalf("%d queues, want 1: the counter", len(m.Queues))
	}
	sends, ends := 0.0, false
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Class == core.LoopFragment && f.Loop != nil {
				sends += f.Loop.Count.Value
			}
			ends = ends || f.Class == core.NoFetchFragment
		}
	}
	if sends != 11 || !ends {
		t.Errorf("main sends %g tasks and a worker may find none: %v; want 11, true", sends, ends)
	}
}

// Where a thread finds work after another one found none, the lock guards
// something else.
func TestALockThatGivesWorkAfterItGaveNoneIsNoQueue(t *testing.T) {
	t.Parallel()
	m, _ := countdown(true).build(t, trail.Options{Threshold: -1})
	if len(m.Queues) != 0 {
		t.Errorf("%d queues, want none", len(m.Queues))
	}
}

// Threads that ask a counter for the first part before their loop, and for the next one at its end, in a function that has one
// exit, take from a queue all the same.
func TestACounterIsAskedInTwoCallsOfOneStatement(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	ws := []*actor{s.thread("worker", main, 0), s.thread("worker", main, 0)}
	for i, w := range ws {
		ask := func(from string) {
			w.does(trace.OpLock, from+" lock", 1, 0, 10).does(trace.OpUnlock, from+" unlock", 1, 0, 10)
		}
		ask("first")
		for k := range 10 + 2*i {
			if w.compute(100_000); k == 9+2*i { // the last one
				w.now = 2_000_000
			}
			ask("next")
		}
	}
	for key, i := range s.sites {
		for line, call := range []string{"first", "next"} {
			if name, is := strings.CutPrefix(key, "main.worker "+call+" "); is {
				s.trace.Sites[i].Frames = []trace.Frame{{Function: "main.take", File: "main.go", Line: map[string]int{"lock": 3, "unlock": 5}[name]}, {Function: "main.worker", File: "main.go", Line: 10 + line}}
			}
		}
	}
	for _, w := range ws {
		w.ends()
		main.now = max(main.now, w.now)
	}
	main.ends()
	m, r := s.build(t, trail.Options{})
	if len(m.Queues) != 1 {
		t.Errorf("queues %v, want the counter; %q", m.Queues, r.Trust.Assumptions)
	}
}
