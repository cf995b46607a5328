package analysis

import (
	"testing"

	"tierscope/core"
)

// poisoned is a program without a close: main sends twelve tasks to three
// workers, and then three messages upon which they end, after ns of work.
func poisoned(ns int64) *script {
	s := newScript()
	s.channel(1, 16)
	main := s.thread("main", nil, 0)
	workers := []*actor{s.thread("worker", main, 0), s.thread("worker", main, 0), s.thread("worker", main, 0)}
	for range 12 {
		main.compute(1000).does(OpSend, "send", 1, 1, 10)
	}
	for range workers {
		main.does(OpSend, "send end", 1, 1, 10)
	}
	for i, w := range workers {
		for range 3 + i { // 3 + 4 + 5 tasks
			w.does(OpReceive, "receive", 1, 1, 10).compute(1_000_000)
		}
		w.does(OpReceive, "receive", 1, 1, 10).compute(ns)
		w.ends()
	}
	main.does(OpJoin, "join", 0, 0, 6_000_000)
	main.ends()
	return s
}

// A queue whose last messages tell the threads to end is closed in the model:
// a worker ends when there is nothing left, however many there are.
func TestMessagesThatEndThreadsAreAClose(t *testing.T) {
	t.Parallel()
	m, _ := poisoned(0).build(t, Options{Threshold: -1})
	closes, nofetch := 0, 0
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Sync != nil && f.Sync.Op == core.Close {
				closes++
			}
			if f.Class == core.NoFetchFragment {
				nofetch++
			}
		}
	}
	if closes != 1 || nofetch != 1 {
		t.Errorf("%d closes and %d fragments for an empty queue, want 1 and 1", closes, nofetch)
	}
}

// A thread that works on the last message as on the others ends by itself.
func TestALastTaskIsNoEnd(t *testing.T) {
	t.Parallel()
	if in := poisoned(1_000_000).trace; closePoisoned(in) != in {
		t.Error("tasks were taken for messages that end threads")
	}
}
