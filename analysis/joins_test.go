package analysis

import (
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// oneTaskEach is a pool of two threads, of which each does one task and says so. Main
// closes the queue before it waits for the tasks, or after.
func oneTaskEach(closesFirst bool) *script {
	const queue, tasks = 1, 2
	s := newScript()
	s.channel(queue, 2)
	s.trace.Objects = append(s.trace.Objects, trace.Object{ID: tasks, Kind: "waitgroup", Site: -1})
	main := s.thread("main", nil, 0)
	ws := []*actor{s.thread("worker", main, 10), s.thread("worker", main, 20)}
	for range ws {
		main.does(trace.OpSend, "send", queue, 1, 10)
	}
	closes := func() { main.does(trace.OpClose, "close", queue, 0, 10) }
	if closesFirst {
		closes()
	}
	for _, w := range ws {
		w.does(trace.OpReceive, "receive", queue, 1, 100).compute(1_000_000).does(trace.OpDone, "done", tasks, 0, 10)
	}
	main.does(trace.OpWaitGroup, "wait", tasks, 0, ws[1].now-main.now+50_000)
	wait := int64(10)
	if !closesFirst {
		closes()
		wait = 100_000
	}
	for _, w := range ws {
		w.does(trace.OpReceive, "receive", queue, 2, wait).ends()
	}
	main.ends()
	return s
}

// The end of a task is that of its thread only if the thread ends then. One that waits for the next
// task until the queue is closed cannot be waited for before.
func TestWhoWaitsForTasksDoesNotWaitForThreadsThatWaitForMore(t *testing.T) {
	t.Parallel()
	for _, closesFirst := range []bool{true, false} {
		m, _ := oneTaskEach(closesFirst).build(t, trail.Options{})
		joins := false
		for _, g := range m.Graphs {
			for _, f := range g.Fragments {
				joins = joins || f.Class == core.JoinFragment
			}
		}
		if joins != closesFirst {
			t.Errorf("the queue is closed first: %v; main joins the threads: %v", closesFirst, joins)
		}
	}
}

// main asks of each of three threads whether it is alive before it joins it; the second has
// ended when the first has. That is a wait for all three all the same.
func TestAThreadThatHasEndedNeedsNoJoin(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	var ws []*actor
	for i := range int64(3) {
		w := s.thread("worker", main, 10*i)
		w.compute(1_000_000*[]int64{2, 1, 3}[i]).does(trace.OpLock, "lock", 1, 0, 0).does(trace.OpUnlock, "unlock", 1, 0, 0).ends()
		ws = append(ws, w)
	}
	for _, i := range []int{0, 2} {
		main.hit(trace.OpJoin, "join", false, 0, 0, uint64(ws[i].id+1))
		main.now = max(main.now, ws[i].now+2)
		main.hit(trace.OpJoin, "join", true, 0, 0, uint64(ws[i].id+1))
	}
	main.compute(1_000_000).ends()
	m, _ := s.build(t, trail.Options{Threshold: -1})
	if joins := fragments(m, core.JoinFragment); len(joins) != 1 {
		t.Errorf("%d joins, want 1", len(joins))
	}
}

// Main waits 2 ms for the first of two threads and no time for the second: for both 2 ms, and
// it does not compute meanwhile.
func TestWaitingForThreadsOneByOneIsWaitingForAll(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	ws := []*actor{s.thread("worker", main, 10), s.thread("worker", main, 20)}
	for _, w := range ws {
		w.compute(1_000_000).does(trace.OpFileRead, "read", 0, 1, 0).compute(1_000_000).ends()
	}
	for i, w := range ws {
		id := uint64(s.trace.Threads[w.id].ID)
		main.hit(trace.OpJoin, "join", false, 0, 0, id)
		main.now += int64(2_000_000 * (1 - i))
		main.hit(trace.OpJoin, "join", true, 0, 0, id)
	}
	main.ends()
	m, _ := s.build(t, trail.Options{Threshold: -1})
	joins := 0
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			wall := f.Observed.MeanWall
			if f.Class != core.JoinFragment {
				if g.ID == "main" && wall > 1e-3 {
					t.Errorf("%s takes %.4f s", f.ID, wall)
				}
				continue
			}
			if joins++; wall < 1.9e-3 || wall > 2.1e-3 {
				t.Errorf("the join takes %.4f s, want 0.002 s", wall)
			}
		}
	}
	if joins != 1 {
		t.Errorf("%d joins, want 1", joins)
	}
}

// for _, w := range workers { close(w.mailbox); w.done.Wait() }: each worker has a mailbox and a wait group of its own. A
// join waits for both, so the first wait is none: the second worker has not been told to end.
func TestThreadsThatAreEndedOneByOneAreJoinedWhenAllAreTold(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(1, 4)
	s.channel(2, 4)
	main := s.thread("main", nil, 0)
	var ws []*actor
	for w := range uint64(2) {
		main.compute(1_000).does(trace.OpAdd, "add", 11+w, 1, 0)
		ws = append(ws, s.thread("worker", main, main.now))
	}
	for w := range uint64(2) {
		for range 3 {
			main.compute(10_000).does(trace.OpSend, "send", 1+w, 1, 0)
			ws[w].now = max(ws[w].now, main.now)
			ws[w].does(trace.OpReceive, "receive", 1+w, 1, 0).compute(1_000_000)
		}
	}
	for w := range uint64(2) {
		main.compute(1_000).does(trace.OpClose, "close", 1+w, 0, 0)
		ws[w].now = max(ws[w].now, main.now)
		ws[w].does(trace.OpReceive, "receive", 1+w, 0, 0).does(trace.OpDone, "done", 11+w, 0, 0)
		ws[w].ends()
		main.does(trace.OpWaitGroup, "wait", 11+w, 0, max(0, ws[w].now-main.now)+10)
	}
	main.ends()
	m, _ := s.build(t, trail.Options{Threshold: -1})
	if joins := fragments(m, core.JoinFragment); len(joins) != 1 {
		t.Errorf("%d joins, want 1", len(joins))
	}
}

// func sort(depth) { done := make(chan struct{}); go func() { sort(depth-1); close(done) }(); sort(depth-1); <-done }:
// each thread closes a channel of its own when it is done, and who started it waits for that. Those are joins,
// of which main has one for the tree that it has started; no channel is left to be closed twice.
func TestAChannelThatAThreadClosesAtItsEndIsAJoin(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	at := s.site("main.sort", "go half")
	var sort func(a *actor, depth int)
	sort = func(a *actor, depth int) {
		if depth == 0 {
			a.compute(300_000)
			return
		}
		id := uint64(len(s.trace.Objects) + 1)
		s.trace.Objects = append(s.trace.Objects, trace.Object{ID: id, Kind: "chan", Site: s.site("main.sort", "make")})
		a.does(trace.OpMake, "make", id, 0, 10)
		half := s.thread("half", a, a.now)
		s.trace.Threads[half.id].Creator = at
		sort(half, depth-1)
		half.does(trace.OpClose, "close", id, 0, 10).ends()
		sort(a, depth-1)
		a.does(trace.OpReceive, "receive", id, 0, max(half.now-a.now, 10))
	}
	sort(main, 2)
	main.ends()
	m, _ := s.build(t, trail.Options{})
	if joins := fragments(m, core.JoinFragment); len(joins) != 1 || len(m.Locks) != 0 || len(m.Queues) != 0 {
		t.Errorf("joins %v, locks %v, queues %v; want one join and no channel", joins, m.Locks, m.Queues)
	}
}
