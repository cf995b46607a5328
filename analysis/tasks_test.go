package analysis

import (
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// A thread takes from two queues in turn, each filled by a thread of its own.
// The task of the first ends before the thread turns to the second: not between
// the operation that fetches and what it fetched, which would be no valid graph.
func TestATaskEndsBeforeTheThreadTurnsToAnotherQueue(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(1, 4)
	s.channel(2, 4)
	main := s.thread("main", nil, 0)
	left, right := s.thread("left", main, 0), s.thread("right", main, 0)
	both := s.thread("both", main, 0)
	for range 20 {
		left.compute(500_000).does(trace.OpSend, "send", 1, 1, 10)
		right.compute(400_000).does(trace.OpSend, "send", 2, 1, 10)
		both.does(trace.OpReceive, "receive left", 1, 1, 400_000).compute(100_000).does(trace.OpReceive, "receive right", 2, 1, 10).compute(50_000)
	}
	left.ends()
	right.ends()
	both.ends()
	main.does(trace.OpJoin, "join", 0, 0, 12_000_000)
	main.ends()
	if m, _ := s.build(t, trail.Options{Threshold: -1}); len(m.Queues) != 2 {
		t.Errorf("%d queues, want 2", len(m.Queues))
	}
}

// A client makes a channel for the answer to each of its questions, and as it asks one at a time
// no two of them live together. Each carries one value: an answer, no task of its own.
func TestAnAnswerIsNoTaskHoweverFewAskAtATime(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(1, 4)
	main := s.thread("main", nil, 0)
	client, server := s.thread("client", main, 0), s.thread("server", main, 0)
	for id := uint64(2); id < 22; id++ {
		client.compute(20_000).makes("make", id, 1).compute(50_000).does(trace.OpSend, "ask", 1, 1, 10)
		server.now = max(server.now, client.now)
		server.does(trace.OpReceive, "take", 1, 1, 10).compute(900_000).does(trace.OpSend, "answer", id, 1, 10)
		client.does(trace.OpReceive, "wait", id, 1, server.now-client.now)
	}
	client.ends()
	server.ends()
	main.does(trace.OpJoin, "join", 0, 0, 30_000_000)
	main.ends()
	m, _ := s.build(t, trail.Options{Threshold: -1})
	if len(m.Queues) != 1 || len(m.Locks) != 1 {
		t.Errorf("%d queues and %d locks; want the questions as a queue of tasks, and the answers as what a client waits for", len(m.Queues), len(m.Locks))
	}
}
