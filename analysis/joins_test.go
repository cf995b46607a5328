package analysis

import (
	"testing"

	"tierscope/core"
)

// oneTaskEach is a pool of two threads, of which each does one task and says so. Main
// closes the queue before it waits for the tasks, or after.
func oneTaskEach(closesFirst bool) *script {
	const queue, tasks = 1, 2
	s := newScript()
	s.channel(queue, 2)
	s.trace.Objects = append(s.trace.Objects, Object{ID: tasks, Kind: "waitgroup", Site: -1})
	main := s.thread("main", nil, 0)
	ws := []*actor{s.thread("worker", main, 10), s.thread("worker", main, 20)}
	for range ws {
		main.does(OpSend, "send", queue, 1, 10)
	}
	closes := func() { main.does(OpClose, "close", queue, 0, 10) }
	if closesFirst {
		closes()
	}
	for _, w := range ws {
		w.does(OpReceive, "receive", queue, 1, 100).compute(1_000_000).does(OpDone, "done", tasks, 0, 10)
	}
	main.does(OpWaitGroup, "wait", tasks, 0, ws[1].now-main.now+50_000)
	wait := int64(10)
	if !closesFirst {
		closes()
		wait = 100_000
	}
	for _, w := range ws {
		w.does(OpReceive, "receive", queue, 2, wait).ends()
	}
	main.ends()
	return s
}

// The end of a task is that of its thread only if the thread ends then. One that waits for the next
// task until the queue is closed cannot be waited for before.
func TestWhoWaitsForTasksDoesNotWaitForThreadsThatWaitForMore(t *testing.T) {
	t.Parallel()
	for _, closesFirst := range []bool{true, false} {
		m, _ := oneTaskEach(closesFirst).build(t, Options{})
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
