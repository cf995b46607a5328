package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/ownership"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// A writer closes a channel for each piece of work, and main, which made them all, waits
// for the last. No two of them are in use at a time, but all are there from the start: they
// are many, and the end of one is not that of the others.
func TestAnObjectLivesSinceItWasMade(t *testing.T) {
	t.Parallel()
	const pieces = 5
	s := newScript()
	main := s.thread("main", nil, 0)
	writer := s.thread("writer", main, 0)
	main.compute(1_000)
	for id := range uint64(pieces) {
		main.makes("make", id+1, 0)
	}
	for id := range uint64(pieces) {
		writer.compute(1_000_000).does(trace.OpClose, "close", id+1, 0, 10)
	}
	writer.ends()
	main.compute(4_499_000).does(trace.OpReceive, "receive", pieces, 0, 500_000)
	main.ends()
	qs, _ := sequencesOf(s.trace, nil)
	rs := ownership.FindResources(s.trace, []*trail.Pool{{Name: "all", Sequences: qs}})
	if len(rs) != 1 || rs[0].Together != pieces {
		t.Fatalf("%d resources, of which one lives %d times at once; want 1 and %d", len(rs), rs[0].Together, pieces)
	}
}

// feeds is a program that sends three of four messages to one subscriber and all to another: each has a channel, which one line makes, and
// two threads that take from it, which the same function starts. lossy: what is sent to the other is sent at a place of its own.
func feeds(own, lossy bool) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	channels := []uint64{1, 2}
	for _, id := range channels {
		s.channel(id, 4)
		s.trace.Objects[id-1].Site = s.site("main.subscribe", "make")
	}
	names := []string{"audit", "archive"}
	if !own {
		names[1] = names[0]
	}
	var takers [2][2]*actor
	for i := range channels {
		for k := range takers[i] {
			takers[i][k] = s.thread(names[i], main, int64(1000*(2*i+k+1)))
		}
	}
	const messages = 40
	got := [2]int{}
	for m := range messages {
		for i, id := range channels {
			if i == 0 && m%4 == 3 {
				continue
			}
			op, place := trace.OpSend, "send"
			if i == 1 && lossy {
				op, place = trace.OpTrySend, "send if there is room"
			}
			main.compute(20_000).does(op, place, id, 1, 10)
			taker := takers[i][got[i]%2]
			got[i]++
			taker.now = max(taker.now, main.now)
			taker.does(trace.OpReceive, names[i]+" receive", id, 1, 10).compute(int64(30_000 * (i + 1)))
		}
	}
	for i, id := range channels {
		main.does(trace.OpClose, "close", id, 0, 10)
		for _, taker := range takers[i] {
			taker.now = max(taker.now, main.now)
			taker.does(trace.OpReceive, names[i]+" receive", id, 0, 10).ends()
		}
	}
	main.now += 1_000_000
	main.ends()
	return s
}

// Who takes from one does not take from the other: they are two queues, and what sends to both is two fragments. Where the threads of one pool take
// from both they are one.
func TestQueuesOfDifferentPoolsAreApart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		own, lossy bool
		want       int
	}{{true, false, 2}, {true, true, 2}, {false, false, 1}} {
		own, want := c.own, c.want
		m, _ := feeds(own, c.lossy).build(t, trail.Options{})
		if len(m.Queues) != want {
			t.Errorf("own pools %v: %d queues, want %d", own, len(m.Queues), want)
		}
		to := map[string]bool{}
		for _, f := range m.Graphs[0].Fragments {
			if f.Out != nil {
				to[f.Out.To] = true
			}
		}
		if len(to) != want {
			t.Errorf("own pools %v: main sends to %d queues, want %d", own, len(to), want)
		}
		for _, p := range m.Pools[1:] {
			var from []string
			i := slices.IndexFunc(m.Graphs, func(g core.Graph) bool { return g.ID == p.Graph })
			for _, f := range m.Graphs[i].Fragments {
				if f.In != nil {
					from = append(from, f.In.Queue)
				}
			}
			if len(from) != 1 {
				t.Errorf("own pools %v: threads of %s take from %q, want one queue", own, p.ID, from)
			}
		}
	}
}

// Three stages with a queue before each, which one line made and main closes at one place: what none but one stage sends to and none but
// the next takes from is a queue of its own. A stage that sends to two of them makes them one.
func TestQueuesBetweenStagesAreApart(t *testing.T) {
	t.Parallel()
	for _, skips := range []bool{false, true} {
		s := newScript()
		main := s.thread("main", nil, 0)
		made := s.site("main.main", "make")
		for id := uint64(1); id <= 3; id++ {
			s.trace.Objects = append(s.trace.Objects, trace.Object{ID: id, Kind: "queue", Capacity: -1, Elem: 8, Site: made})
		}
		feeder := s.thread("feeder", main, 1)
		stages := []*actor{s.thread("cut", main, 2), s.thread("drill", main, 3), s.thread("paint", main, 4)}
		for part := range 8 {
			feeder.compute(10_000).does(trace.OpSend, "feed", 1, 1, 10)
			last := feeder.now
			for i, x := range stages {
				if skips && i == 1 && part%2 == 1 {
					continue
				}
				x.now = max(x.now, last)
				x.does(trace.OpReceive, "take", uint64(i+1), 1, 10).compute(50_000)
				if to := uint64(i + 2); to <= 3 {
					if skips && i == 0 && part%2 == 1 {
						to = 3
					}
					x.does(trace.OpSend, "pass on", to, 1, 10)
				}
				last = x.now
			}
		}
		feeder.ends()
		main.now = stages[2].now
		for i, x := range stages {
			main.does(trace.OpClose, "close", uint64(i+1), 0, 10)
			x.now = max(x.now, main.now)
			x.does(trace.OpReceive, "take", uint64(i+1), 0, 10).ends()
			main.now = max(main.now, x.now)
		}
		main.ends()
		m, _ := s.build(t, trail.Options{})
		if n := len(m.Queues); !skips && n != 3 || skips && n > 1 {
			t.Errorf("a stage skips the next %t: queues %v, want three or one at most", skips, m.Queues)
		}
	}
}

// Connections are made while fewer than two are there, and never given up: the room of a channel into which nothing but the making of one
// goes is a stock of two permits. A channel that is always full, into which threads send without a choice, is none.
func TestRoomThatIsNotGivenBackIsPermits(t *testing.T) {
	t.Parallel()
	for op, want := range map[trace.Op]int{trace.OpTrySend: 1, trace.OpSend: 0} {
		s := newScript()
		s.channel(1, 2)
		main := s.thread("main", nil, 0)
		for k := range int64(3) {
			w := s.thread("worker", main, 10+k)
			for i := range int64(4) {
				w.now = 1000 + 100*i + 10*k
				switch {
				case 3*i+k < 2:
					w.does(op, "make", 1, 1, 5)
				case op == trace.OpTrySend:
					w.does(op, "make", 1, 0, 5)
				}
				w.compute(50_000)
			}
			w.ends()
		}
		main.now = 1_000_000
		main.does(trace.OpJoin, "join", 0, 0, 400)
		main.ends()
		m, _ := s.build(t, trail.Options{})
		if len(m.Locks) != want || want == 1 && m.Locks[0].Capacity != 2 {
			t.Errorf("%v: locks %+v, want %d of two", op, m.Locks, want)
		}
	}
}
