package analysis

import (
	"strings"
	"testing"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// poisoned is a program without a close: main sends twelve tasks to three
// workers, and then, somewhere, three messages upon which they end, after ns of work.
func poisoned(where string, ns int64) *script {
	s := newScript()
	s.channel(1, 16)
	main := s.thread("main", nil, 0)
	workers := []*actor{s.thread("worker", main, 0), s.thread("worker", main, 0), s.thread("worker", main, 0)}
	for range 12 {
		main.compute(1000).does(trace.OpSend, "send", 1, 1, 10)
	}
	for range workers {
		main.does(trace.OpSend, where, 1, 1, 10)
	}
	for i, w := range workers {
		for range 3 + i { // 3 + 4 + 5 tasks
			w.does(trace.OpReceive, "receive", 1, 1, 10).compute(1_000_000)
		}
		w.does(trace.OpReceive, "receive", 1, 1, 10).compute(ns)
		w.ends()
	}
	main.does(trace.OpJoin, "join", 0, 0, 6_000_000)
	main.ends()
	return s
}

// A queue whose last messages tell the threads to end is closed in the model:
// a worker ends when there is nothing left, however many there are, and may do what
// it wants before if the messages come from a place of their own.
func TestMessagesThatEndThreadsAreAClose(t *testing.T) {
	t.Parallel()
	for _, s := range []*script{poisoned("send", 0), poisoned("send end", 0), poisoned("send end", 1_000_000)} {
		m, _ := s.build(t, trail.Options{Threshold: -1})
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
}

// A thread that works on the last message as on the others, and gets it from the
// same place, ends by itself.
func TestALastTaskIsNoEnd(t *testing.T) {
	t.Parallel()
	if in := poisoned("send", 1_000_000).trace; normalise.CloseSentinels(in) != in {
		t.Error("tasks were taken for messages that end threads")
	}
}

// Three senders each tell the one receiver of a queue that they end; it ends
// when all have. Who waits for the senders closes the queue, and nobody sends or
// receives anything else but tasks.
func TestMessagesOfAllSendersAreACloseByWhoWaitsForThem(t *testing.T) {
	t.Parallel()
	const end = 77
	s := newScript()
	s.channel(1, 16)
	main := s.thread("main", nil, 0)
	sender := []*actor{s.thread("sender", main, 0), s.thread("sender", main, 0), s.thread("sender", main, 0)}
	receiver := s.thread("receiver", main, 0)
	send := func(a *actor, value uint64) {
		a.hit(trace.OpSend, "send", false, 1, 0, 0)
		a.hit(trace.OpSend, "send", true, 1, 1, value)
	}
	receive := func(value uint64) {
		receiver.hit(trace.OpReceive, "receive", false, 1, 0, 0)
		receiver.hit(trace.OpReceive, "receive", true, 1, 1, value)
	}
	for i, a := range sender {
		for k := range 4 {
			send(a.compute(1_000_000), uint64(100*i+k+1000))
			receive(uint64(100*i + k + 1000))
			receiver.compute(300_000)
		}
		send(a.compute(int64(i)), end)
		a.ends()
		receive(end)
	}
	receiver.ends()
	for _, a := range sender {
		main.hit(trace.OpJoin, "join", false, 0, 0, uint64(a.id+1))
		main.now = max(main.now, a.now)
		main.hit(trace.OpJoin, "join", true, 0, 0, uint64(a.id+1))
	}
	main.ends()
	out := normalise.CloseSentinels(s.trace)
	ops := map[trace.Op]int{}
	for i, th := range out.Threads {
		for _, r := range th.Records {
			if r.Op == trace.OpClose && i != main.id {
				t.Errorf("%s closes the queue, want main", th.Start)
			}
			if r.End {
				ops[r.Op]++
			}
		}
	}
	if ops[trace.OpSend] != 12 || ops[trace.OpReceive] != 13 || ops[trace.OpClose] != 1 {
		t.Errorf("%d sends, %d receives, %d closes; want 12 tasks, one more receive that finds the queue closed, 1", ops[trace.OpSend], ops[trace.OpReceive], ops[trace.OpClose])
	}
}

// Three senders tell main that they end, which counts them and goes on: each closes the queue. What they say is no end if one of
// them goes on, or sends it from where it sends tasks. Each may have a message of its own, if that makes no work.
func TestMessagesThatAreCountedAreAClose(t *testing.T) {
	t.Parallel()
	const end = 77
	for where, closes := range map[string]int{"end": 3, "send": 0, "goes on": 0, "own": 3, "own work": 0} {
		s := newScript()
		s.channel(1, 16)
		main := s.thread("main", nil, 0)
		pass := func(a *actor, at string, value uint64) {
			a.compute(1_000_000).hit(trace.OpSend, at, false, 1, 0, 0)
			a.hit(trace.OpSend, at, true, 1, 1, value)
			main.now = max(main.now, a.now)
			main.hit(trace.OpReceive, "receive", false, 1, 0, 0)
			main.hit(trace.OpReceive, "receive", true, 1, 1, value)
			if value >= end && value < end+3 && where != "own work" {
				main.compute(1_000)
				return
			}
			main.compute(100_000)
		}
		for i := range 3 {
			a := s.thread("sender", main, 0)
			for k := range 4 {
				pass(a, "send", uint64(100*i+k+1000))
			}
			last := uint64(end)
			if strings.HasPrefix(where, "own") {
				last += uint64(i)
			}
			pass(a, map[bool]string{true: "send", false: "end"}[where == "send"], last)
			if where == "goes on" && i == 0 {
				pass(a, "send", 5)
			}
			a.ends()
		}
		main.compute(3_000_000).ends()
		ops := map[trace.Op]int{}
		for _, th := range normalise.CloseSentinels(s.trace).Threads {
			for _, r := range th.Records {
				if r.End {
					ops[r.Op]++
				}
			}
		}
		if ops[trace.OpClose] != closes || closes == 3 && (ops[trace.OpSend] != 12 || ops[trace.OpReceive] != 13) {
			t.Errorf("%s: %d closes, want %d; %d sends and %d receives, want 12 and one more", where, ops[trace.OpClose], closes, ops[trace.OpSend], ops[trace.OpReceive])
		}
	}
}

// One message that every worker puts back before it ends is a close as well; if one
// keeps it, it is none.
func TestAMessageThatIsPutBackForTheNextThreadIsAClose(t *testing.T) {
	t.Parallel()
	for _, kept := range []bool{false, true} {
		s := newScript()
		s.channel(1, 16)
		main := s.thread("main", nil, 0)
		workers := []*actor{s.thread("worker", main, 0), s.thread("worker", main, 0), s.thread("worker", main, 0)}
		for range 13 { // 12 tasks and the end
			main.compute(1000).does(trace.OpSend, "send", 1, 1, 10)
		}
		for i, w := range workers {
			for range 3 + i {
				w.does(trace.OpReceive, "receive", 1, 1, 10).compute(1_000_000)
			}
		}
		for i, w := range workers {
			w.now = max(w.now, 7_000_000+int64(i)*1000)
			w.does(trace.OpReceive, "receive", 1, 1, 10)
			if !kept || i < 2 {
				w.does(trace.OpSend, "put back", 1, 1, 10)
			}
			w.ends()
		}
		main.does(trace.OpJoin, "join", 0, 0, 8_000_000)
		main.ends()
		if changed := normalise.CloseSentinels(s.trace) != s.trace; changed == kept {
			t.Errorf("a thread keeps the message: %v; it is a close: %v", kept, changed)
		}
		if kept {
			continue
		}
		m, _ := s.build(t, trail.Options{Threshold: -1})
		if closes := closesIn(m); closes != 1 {
			t.Errorf("%d closes, want 1", closes)
		}
	}
}

// Buffers go round between a reader and workers. The reader ends with an empty one and those
// that come back, each worker takes one under a lock and puts a new one in its place, and
// main takes out what is left: all of that is one close, after the last full buffer.
func TestMessagesLeftOverWhenThreadsHaveEndedAreAClose(t *testing.T) {
	t.Parallel()
	const full, empty, lock = 1, 2, 3
	s := newScript()
	s.channel(full, 4)
	s.channel(empty, 4)
	next := uint64(100)
	main := s.thread("main", nil, 0)
	pass := func(a *actor, op trace.Op, site string, object uint64, value uint64) {
		a.hit(op, site, false, object, 0, 0)
		a.compute(100).hit(op, site, true, object, 1, value)
	}
	for i := range uint64(2) {
		pass(main, trace.OpSend, "fill", empty, i+1)
	}
	reader := s.thread("reader", main, main.now)
	workers := []*actor{s.thread("worker", main, main.now), s.thread("worker", main, main.now)}
	take := func(w *actor, value uint64) {
		w.does(trace.OpLock, "lock", lock, 0, 10)
		pass(w, trace.OpReceive, "take", full, value)
		w.does(trace.OpUnlock, "lock", lock, 0, 10)
	}
	for i := range 12 {
		buffer := uint64(i%2 + 1)
		pass(reader, trace.OpReceive, "take empty", empty, buffer)
		pass(reader, trace.OpSend, "give full", full, buffer)
		w := workers[i%2]
		w.now = max(w.now, reader.now)
		take(w, buffer)
		pass(w.compute(1_000_000), trace.OpSend, "give back", empty, buffer)
		reader.now = max(reader.now, w.now)
	}
	pass(reader, trace.OpSend, "give last", full, 77)
	for i := range uint64(2) {
		pass(reader, trace.OpReceive, "take back", empty, i+1)
		pass(reader, trace.OpSend, "give rest", full, i+1)
	}
	left := []uint64{1, 2}
	for i, w := range workers {
		w.now = max(w.now, reader.now+1000*int64(i))
		take(w, []uint64{77, 1}[i])
		next++
		left = append(left, next)
		pass(w, trace.OpSend, "give last", full, next)
		w.ends()
		main.now = max(main.now, w.now)
	}
	reader.ends()
	for _, value := range left[1:] {
		pass(main, trace.OpReceive, "clear", full, value)
		pass(main, trace.OpSend, "clear", empty, value)
	}
	main.ends()
	out := normalise.CloseSentinels(s.trace)
	ops := map[trace.Op]int{}
	for _, th := range out.Threads {
		for _, r := range th.Records {
			if r.End && r.Object == full {
				ops[r.Op]++
			}
		}
	}
	if ops[trace.OpSend] != 12 || ops[trace.OpReceive] != 14 || ops[trace.OpClose] != 1 {
		t.Errorf("%d sends, %d receives, %d closes; want 12 buffers, two more receives that find the queue closed, 1", ops[trace.OpSend], ops[trace.OpReceive], ops[trace.OpClose])
	}
}

// A client sends a request and waits for the reply, three times, and ends. The last reply tells nobody to end: before each of them it has
// sent something, as before the others. The same messages without requests, and nothing left to do after the last one, do.
func TestTheLastReplyIsNoSentinel(t *testing.T) {
	t.Parallel()
	for _, asks := range []bool{true, false} {
		s := newScript()
		s.channel(1, 1)
		s.channel(2, 1)
		server := s.thread("main", nil, 0)
		client := s.thread("client", server, 0)
		for range 3 {
			if asks {
				client.does(trace.OpSend, "ask", 2, 1, 10)
				server.does(trace.OpReceive, "asked", 2, 1, 10)
			}
			server.compute(1_000_000).does(trace.OpSend, "reply", 1, 1, 10)
			client.does(trace.OpReceive, "get", 1, 1, 10).compute(1_000_000)
		}
		server.does(trace.OpSend, "reply", 1, 1, 10)
		if asks {
			client.does(trace.OpSend, "ask", 2, 1, 10)
		}
		client.does(trace.OpReceive, "get", 1, 1, 10)
		client.ends()
		server.does(trace.OpJoin, "join", 0, 0, 6_000_000)
		server.ends()
		closes := false
		for _, r := range normalise.CloseSentinels(s.trace).Threads[0].Records {
			closes = closes || r.Op == trace.OpClose && r.Object == 1
		}
		if closes == asks {
			t.Errorf("asks %v: closes %v", asks, closes)
		}
	}
}
