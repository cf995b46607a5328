package analysis

import (
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// crawler starts a thread for one link, and then more for each answer: so many.
func crawler(t *testing.T, more ...int) *core.Model {
	t.Helper()
	s := newScript()
	s.channel(1, 100)
	main := s.thread("main", nil, 0)
	var busy []*actor
	start := func(n int) {
		for range n {
			a := s.thread("crawl", main.compute(1_000), main.now)
			busy = append(busy, a)
		}
	}
	start(1)
	for _, n := range more {
		a := busy[0]
		busy = busy[1:]
		a.compute(1_000_000).does(trace.OpSend, "send", 1, 1, 0).ends()
		main.does(trace.OpReceive, "receive", 1, 1, max(0, a.now-main.now))
		start(n)
	}
	main.compute(1_000).ends()
	m, _ := s.build(t, trail.Options{})
	return m
}

// The first answer leads to 3 more threads, one of these to 2, the others to none: main starts 5
// before it waits for an answer.
func TestWhoStartsThreadsForWhatOthersFoundStartsAllAtOnce(t *testing.T) {
	t.Parallel()
	m := crawler(t, 3, 0, 2, 0, 0, 0)
	most := 0.0
	for _, f := range fragments(m, core.SpawnFragment) {
		most = max(most, f.Spawn.Count.Quantile(1))
	}
	if most != 5 {
		t.Errorf("main starts %g threads at a time, want the 5 for what was found", most)
	}
}

// Who starts one thread for each that is done never has more than one at a time.
func TestWhoStartsOneForOneKeepsTheirNumber(t *testing.T) {
	t.Parallel()
	m := crawler(t, 1, 1, 1, 1, 0)
	for _, f := range fragments(m, core.SpawnFragment) {
		if n := f.Spawn.Count.Quantile(1); n > 1 {
			t.Errorf("main starts %g threads at a time, want 1", n)
		}
	}
}

// A tree of threads each of which starts two more and then sends what it has found: taking their starts out
// leaves the operations on the channel elsewhere in their sequences.
func TestThreadsOfATreeThatSendAreFoundWhereTheyAre(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(1, 100)
	main := s.thread("main", nil, 0)
	found := 0
	var walk func(parent *actor, depth int)
	walk = func(parent *actor, depth int) {
		a := s.thread("walk", parent.compute(1_000), parent.now)
		if parent != main {
			s.trace.Threads[a.id].Creator = s.trace.Threads[1].Creator
		}
		for range 2 {
			if depth < 3 {
				walk(a, depth+1)
			}
		}
		a.compute(500_000).does(trace.OpSend, "send", 1, 1, 0).ends()
		main.now = max(main.now, a.now)
		found++
	}
	walk(main, 1)
	for range found {
		main.does(trace.OpReceive, "receive", 1, 1, 10)
	}
	main.compute(1_000).ends()
	m, _ := s.build(t, trail.Options{})
	if n := len(fragments(m, core.SpawnFragment)); n != 1 {
		t.Errorf("%d spawns, want one of the whole tree", n)
	}
}
