package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// connected is a server (connection 10) and a client (20) in one process: n times the client writes 40 bytes in two
// pieces, which are read as one, and reads the 7 that come back. Another connection (30), of a client in another process,
// carries bytes of the same number, each time a moment before the one inside does.
func connected(n int64) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	client, server, other := s.thread("client", main, 0), s.thread("server", main, 0), s.thread("other", main, 0)
	for _, id := range []uint64{10, 20, 30} {
		s.trace.Objects = append(s.trace.Objects, trace.Object{ID: id, Kind: "conn", Capacity: -1, Site: -1})
	}
	at := func(a *actor, to int64) *actor { a.now = max(a.now, to); return a }
	client.does(trace.OpConnect, "dial", 20, 0, 500)
	for i := range n {
		from := 10_000 * (i + 1)
		at(client, from).does(trace.OpNetWrite, "head", 20, 10, 100).does(trace.OpNetWrite, "body", 20, 30, 100)
		server.does(trace.OpNetRead, "read", 10, 40, from+300-server.now).compute(4000).does(trace.OpNetWrite, "answer", 10, 7, 100)
		other.does(trace.OpNetRead, "other reads", 30, 40, from-500-other.now).compute(1000).does(trace.OpNetWrite, "other answers", 30, 7, 100)
		client.does(trace.OpNetRead, "wait", 20, 7, server.now+50-client.now)
	}
	client.does(trace.OpNetClose, "hang up", 20, 0, 10)
	server.does(trace.OpNetRead, "read", 10, 0, client.now+100-server.now)
	for _, a := range []*actor{client, server, other} {
		a.ends()
	}
	main.does(trace.OpJoin, "join", 0, 0, 10_000*(n+2))
	main.ends()
	return s
}

// What a thread writes to another one of its process is messages, and the end of the stream is that of a queue: nothing is
// read before it was written. What other processes write stays a wait for them.
func TestWhatIsWrittenToAThreadOfTheProcessIsAMessage(t *testing.T) {
	t.Parallel()
	const n = 20
	in := connected(n).trace
	before := in.Threads[1].Records[2]
	out := normalise.StreamMessages(in)
	if in.Threads[1].Records[2] != before {
		t.Error("the trace that was given is another one")
	}
	type use struct {
		op  trace.Op
		arg int64
	}
	count, sent, got := map[use]int{}, []uint64{}, []uint64{}
	for _, th := range out.Threads {
		for _, r := range th.Records {
			if !r.End {
				continue
			}
			count[use{r.Op, r.Arg}]++
			switch {
			case r.Op == trace.OpSend:
				sent = append(sent, r.Value)
			case r.Op == trace.OpReceive && r.Arg == 1:
				got = append(got, r.Value)
			}
		}
	}
	want := map[use]int{
		{trace.OpSend, 1}: 3 * n, {trace.OpReceive, 1}: 3 * n, {trace.OpReceive, 0}: 1, {trace.OpClose, 0}: 1,
		{trace.OpNetRead, 40}: n, {trace.OpNetWrite, 7}: n,
	}
	for u, times := range want {
		if count[u] != times {
			t.Errorf("%v with %d: %d times, want %d", u.op, u.arg, count[u], times)
		}
	}
	slices.Sort(sent)
	slices.Sort(got)
	if !slices.Equal(sent, got) || len(slices.Compact(sent)) != 3*n {
		t.Errorf("%d messages were sent and %d received, want the same %d", len(sent), len(got), 3*n)
	}
	m, _ := connected(n).build(t, trail.Options{Threshold: -1})
	if len(m.Locks)+len(m.Queues) == 0 {
		t.Error("the model has nothing that client and server wait for")
	}
}

// Connections of clients in other processes carry no messages, however well the numbers fit.
func TestConnectionsOfOtherProcessesCarryNoMessages(t *testing.T) {
	t.Parallel()
	in := connected(20).trace
	in.Threads[1].Records = nil // the client
	if normalise.StreamMessages(in) != in {
		t.Error("connections to other processes were taken for the two ends of one")
	}
}

// Where it is not recorded who connects, the two ends of a connection are told by what goes both ways.
func TestTheEndsOfAConnectionAreToldByTheirBytes(t *testing.T) {
	t.Parallel()
	in := connected(20).trace
	rs := in.Threads[1].Records
	for i := range rs {
		if rs[i].Op == trace.OpConnect {
			rs[i].Op = trace.OpYield
		}
	}
	out := normalise.StreamMessages(in)
	if len(out.Objects) != len(in.Objects)+2 {
		t.Errorf("%d streams, want one each way", len(out.Objects)-len(in.Objects))
	}
}

// A thread reads what has been written before it began: of two files nobody knows whether they are one, of two ends of pipes the
// bytes tell it.
func TestWhatIsWrittenToAPipeBeforeItIsReadIsMessages(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]int{trace.Pipe: 3, "file": 0} {
		s := newScript()
		main := s.thread("main", nil, 0)
		reader := s.thread("reader", main, 1000)
		for id := range uint64(2) {
			s.trace.Objects = append(s.trace.Objects, trace.Object{ID: 10 + id, Kind: kind, Site: -1})
		}
		for range 3 {
			main.does(trace.OpFileWrite, "write", 10, 4, 100)
		}
		reader.compute(1_000_000)
		for range 3 {
			reader.does(trace.OpFileRead, "read", 11, 4, 100)
		}
		reader.ends()
		main.ends()
		sent := 0
		for _, th := range normalise.StreamMessages(s.trace).Threads {
			for _, r := range th.Records {
				if r.Op == trace.OpSend && !r.End {
					sent++
				}
			}
		}
		if sent != want {
			t.Errorf("%s: %d messages, want %d", kind, sent, want)
		}
	}
}

// Two clients connect, the first one a moment earlier, but the second one's connection is accepted first, as what the acceptor hands to
// those who serve them shows, or where each is served by a thread started for it. Where it does not, they are accepted as they are connected.
func TestAConnectionIsAcceptedForWhoeverIsServed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		told, started bool
		first         int // client whose connection is the first to be accepted
	}{
		"by what is handed over":       {true, false, 1},
		"by who is started":            {false, true, 1},
		"by nothing but when they are": {false, false, 0},
		"the first one begins earlier": {false, false, 1},
	} {
		s := newScript()
		main := s.thread("main", nil, 0)
		acceptor := s.thread("acceptor", main, 0)
		for _, id := range []uint64{11, 12, 21, 22} {
			s.trace.Objects = append(s.trace.Objects, trace.Object{ID: id, Kind: "conn", Capacity: -1, Site: -1})
		}
		var clients, handlers []*actor
		for i := range 2 {
			client := s.thread("client", main, 0)
			client.now = 1000 + 100*int64(i)
			if i == 0 && name == "the first one begins earlier" {
				client.does(trace.OpConnect, "dial", 21, 0, 2500)
			} else {
				client.does(trace.OpConnect, "dial", uint64(21+i), 0, 2000)
			}
			clients = append(clients, client)
		}
		for i := range 2 {
			acceptor.does(trace.OpAccept, "accept", 9, 1, 2000)
			by := main
			if c.started {
				by = acceptor
			}
			handler := s.thread("handler", by, acceptor.now+10)
			if c.told {
				acceptor.hit(trace.OpSend, "hand", false, 50, 0, 0)
				acceptor.hit(trace.OpSend, "hand", true, 50, 1, uint64(501+i))
				handler.hit(trace.OpReceive, "take", false, 50, 0, 0)
				handler.hit(trace.OpReceive, "take", true, 50, 1, uint64(501+i))
			}
			handlers = append(handlers, handler)
		}
		for i, client := range clients {
			own, server := int64(i), handlers[1-i]
			client.now = max(client.now, 10_000)
			client.does(trace.OpNetWrite, "ask", uint64(21+i), 40+own, 100)
			server.does(trace.OpNetRead, "read", uint64(11+i), 40+own, client.now+50-server.now).compute(1000).does(trace.OpNetWrite, "answer", uint64(11+i), 7+own, 100)
			client.does(trace.OpNetRead, "wait", uint64(21+i), 7+own, server.now+50-client.now)
		}
		out := normalise.StreamMessages(s.trace)
		ended := func(a *actor, op trace.Op) trace.Record {
			rs := out.Threads[a.id].Records
			return rs[slices.IndexFunc(rs, func(r trace.Record) bool { return r.End && r.Op == op })]
		}
		got := ended(acceptor, trace.OpReceive)
		for i, client := range clients {
			if sent := ended(client, trace.OpSend); sent.Object != got.Object || (sent.Value == got.Value) != (c.first == i) {
				t.Errorf("%s: client %d asks by %x at %x, and the first to be accepted is %x at %x", name, i, sent.Value, sent.Object, got.Value, got.Object)
			}
		}
	}
}
