package analysis

import (
	"testing"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
)

// served is a server with two event loops and the thread that accepts connections for them: the first one serves connections 10 and 11 by
// turns and asks a database (40) over a connection of its own, the second one serves connection 12 only. Two workers serve connections
// (20 to 23) one after the other, each to its end; another one (30, 31) by turns, as a queue gives them
// to it, into which a thread puts them that waits for them, and at last one that it has from elsewhere (32).
func served(n int64) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	first, second := s.thread("loop", main, 0), s.thread("loop", main, 0)
	workers := []*actor{s.thread("worker", main, 0), s.thread("worker", main, 0)}
	given, dispatcher := s.thread("given", main, 0), s.thread("dispatcher", main, 0)
	for _, id := range []uint64{1, 10, 11, 12, 20, 21, 22, 23, 30, 31, 32, 40} {
		s.trace.Objects = append(s.trace.Objects, trace.Object{ID: id, Kind: "conn", Capacity: -1, Site: -1})
	}
	main.does(trace.OpAccept, "accept", 1, 1, 500)
	first.does(trace.OpConnect, "dial", 40, 0, 100)
	for i := range n {
		for _, c := range []uint64{10, 11} {
			first.does(trace.OpExternal, "poll", 0, 0, 5000).does(trace.OpNetRead, "read", c, 9, 100).compute(3000)
			first.does(trace.OpNetWrite, "ask", 40, 5, 100).does(trace.OpNetRead, "told", 40, 5, 700)
			first.does(trace.OpNetWrite, "answer", c, 7, 100).does(trace.OpNetRead, "read", c, -1, 50)
		}
		second.does(trace.OpExternal, "poll", 0, 0, 9000).does(trace.OpNetRead, "read", 12, 4, 100).does(trace.OpNetRead, "rest", 12, 5, 100).compute(3000).does(trace.OpNetWrite, "answer", 12, 7, 100)
		for k, w := range workers {
			w.does(trace.OpNetRead, "ask", 20+2*uint64(k)+uint64(2*i/n), 9, 3000).compute(500).does(trace.OpNetWrite, "answer", 20+2*uint64(k)+uint64(2*i/n), 7, 100)
		}
		dispatcher.does(trace.OpExternal, "poll", 0, 0, 4000).does(trace.OpAccept, "accept", 1, 1, 50).does(trace.OpExternal, "poll", 0, 0, 4000).does(trace.OpSend, "put", 50, 1, 200)
		given.does(trace.OpReceive, "take", 50, 1, 3000).does(trace.OpNetRead, "ask", 30+uint64(i%2), 9, 100).compute(500).does(trace.OpNetWrite, "answer", 30+uint64(i%2), 7, 100)
	}
	first.does(trace.OpExternal, "poll", 0, 0, 5000).compute(100)
	given.does(trace.OpNetRead, "ask", 32, 9, 100).compute(500).does(trace.OpNetWrite, "answer", 32, 7, 100)
	for _, a := range append(workers, first, second, given, dispatcher, main) {
		a.ends()
	}
	s.trace.WorkStart, s.trace.WorkEnd = 1, main.now+1_000_000
	return s
}

// What a thread reads first of a connection that it serves by turns with others is a request that it accepts, and its wait before that is
// the wait for one. Answers of others, the rest of a request, reads in vain, and threads that serve one connection after the other stay what they are.
func TestEventLoopsAcceptRequests(t *testing.T) {
	t.Parallel()
	const n = 20
	in := served(n).trace
	out, told := normalise.AcceptEvents(in)
	if len(told) != 1 {
		t.Errorf("that connections keep to their threads is said %d times: %q", len(told), told)
	}
	count := func(thread int, op trace.Op) (k int) {
		for _, r := range out.Threads[thread].Records {
			if r.Op == op && !r.End {
				k++
			}
		}
		return k
	}
	for _, c := range []struct {
		what   string
		thread int
		op     trace.Op
		want   int
	}{
		{"requests of the first loop", 1, trace.OpAccept, 2 * n},
		{"its waits for anything else", 1, trace.OpExternal, 0},
		{"its other reads: what it was told, and in vain", 1, trace.OpNetRead, 4 * n},
		{"requests of the second loop", 2, trace.OpAccept, n},
		{"the rests of its requests", 2, trace.OpNetRead, n},
		{"requests of a worker", 3, trace.OpAccept, 0},
		{"its reads", 3, trace.OpNetRead, n},
		{"requests of who is given connections", 5, trace.OpAccept, 0},
		{"requests that are put into its queue", 6, trace.OpAccept, n},
		{"what is put there", 6, trace.OpSend, n},
		{"waits of who puts them there", 6, trace.OpExternal, 0},
		{"connections that it accepts", 6, trace.OpNetRead, n},
		{"connections as requests", 0, trace.OpAccept, 0},
	} {
		if got := count(c.thread, c.op); got != c.want {
			t.Errorf("%s: %d, want %d", c.what, got, c.want)
		}
	}
	for _, th := range out.Threads[1:3] {
		for k, r := range th.Records {
			if r.Op == trace.OpAccept && !r.End && th.Records[k+1].Time-r.Time < 5000 {
				t.Fatal("a request is not waited for where its thread waited")
			}
		}
	}
	for _, th := range out.Threads {
		open := 0
		for _, r := range th.Records {
			switch {
			case r.Op == trace.OpAccept && !r.End:
				open++
			case r.Op == trace.OpAccept:
				open--
			}
		}
		if open != 0 {
			t.Errorf("%s begins %d accepts more than it ends", th.Start, open)
		}
	}
	loops := map[uint64]int{}
	for _, o := range out.Objects {
		if o.Kind == trace.Loop {
			loops[o.ID] = 0
		}
	}
	for thread, th := range out.Threads {
		for _, r := range th.Records {
			if of, known := loops[r.Object]; known && (r.Op != trace.OpAccept || of != 0 && of != thread) {
				t.Fatalf("thread %d does %s with what is of loop %d", thread, r.Op, of)
			} else if known {
				loops[r.Object] = thread
			}
		}
	}
	if len(loops) != 2 {
		t.Errorf("%d loops have requests of their own, want 2", len(loops))
	}
	for i := range in.Threads[2].Records {
		if r := &in.Threads[2].Records[i]; r.Object == 12 {
			r.Object = 10 // a connection of the first loop
		}
	}
	if both, told := normalise.AcceptEvents(in); len(told) > 0 || len(both.Objects) > len(in.Objects) {
		t.Errorf("loops that share a connection are said to have their own: %q", told)
	}
	in.WorkStart, in.WorkEnd = 0, 0
	if again, _ := normalise.AcceptEvents(in); again != in {
		t.Error("a program without a load has requests")
	}
}
