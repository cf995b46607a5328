package analysis

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// relaxation is a master that sends each of three workers its part of every step
// through a channel of its own, and then receives a result from each:
//
//	for step := range 5 {
//		for w := range work { work[w] <- part(step, w) }
//		for range work { <-results }
//	}
//	for w := range work { close(work[w]) }
func relaxation() *script {
	s := newScript()
	const workers, steps, results = 3, 5, 9
	made := s.site("main.main", "make")
	for w := range workers {
		s.trace.Objects = append(s.trace.Objects, trace.Object{ID: uint64(w + 1), Kind: "chan", Capacity: 2, Elem: 8, Site: made})
	}
	s.channel(results, 0)
	main := s.thread("main", nil, 0)
	var ws []*actor
	for range workers {
		ws = append(ws, s.thread("worker", main, main.now+10))
	}
	for range steps {
		for w, a := range ws {
			main.compute(1000).does(trace.OpSend, "send", uint64(w+1), 1, 10)
			a.does(trace.OpReceive, "receive", uint64(w+1), 1, max(main.now-a.now, 10)).compute(100_000)
		}
		for _, a := range ws {
			main.does(trace.OpReceive, "gather", results, 1, max(a.now-main.now, 10)).compute(1000)
			a.does(trace.OpSend, "result", results, 1, 10)
		}
	}
	for w, a := range ws {
		main.compute(1000).does(trace.OpClose, "close", uint64(w+1), 0, 10)
		a.does(trace.OpReceive, "receive", uint64(w+1), 0, max(main.now-a.now, 10))
	}
	for _, a := range ws {
		a.ends()
		main.now = max(main.now, a.now)
	}
	main.ends()
	return s
}

// closesIn counts the places of a model at which something is closed.
func closesIn(m *core.Model) int {
	closes := 0
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Sync != nil && f.Sync.Op == core.Close {
				closes++
			}
		}
	}
	return closes
}

// Channels of which each partner has one are a queue from which all of them take,
// until it is closed; who sends to each of them, and then receives from each, goes
// through two loops in every step.
func TestChannelsOfPartnersAreOneQueue(t *testing.T) {
	t.Parallel()
	m, _ := relaxation().build(t, trail.Options{})
	i := slices.IndexFunc(m.Queues, func(q core.Queue) bool { return q.Capacity == 6 })
	if i < 0 || len(m.Locks) != 0 {
		t.Fatalf("queues %+v, locks %+v: want a queue with the 3 × 2 places of all three channels", m.Queues, m.Locks)
	}
	if closes := closesIn(m); closes != 1 {
		t.Errorf("it is closed at %d places, want one, when the last channel is", closes)
	}
	if got := slices.Sorted(maps.Values(loopsOf(m, "main"))); !slices.Equal(got, []float64{3, 3, 5}) {
		t.Errorf("the master goes through loops of %v, want 5 steps with 3 sends and 3 receives in each", got)
	}
}

// fanIn is a merger for each of three sources, which sends to it through a channel of its own and closes that at its end:
//
//	for s := range sources {
//		out := make(chan item)
//		go func() { defer close(out); for range 4 { out <- item } }()
//		go func() { for x := range out { merged <- x } }()
//	}
//
// Where they close at once, all close after everything has been sent; otherwise one of them sends on when another one has closed.
func fanIn(atOnce bool) *script {
	s := newScript()
	const sources, items, merged = 3, 4, 9
	made := s.site("main.main", "make")
	for w := range sources {
		s.trace.Objects = append(s.trace.Objects, trace.Object{ID: uint64(w + 1), Kind: "chan", Elem: 8, Site: made})
	}
	s.channel(merged, sources*items)
	main := s.thread("main", nil, 0)
	for w := range sources {
		from, to := s.thread("source", main, main.now+10), s.thread("merger", main, main.now+20)
		gap := int64(100_000)
		if !atOnce {
			gap *= int64(w + 1)
		}
		for range items {
			from.compute(gap).does(trace.OpSend, "send", uint64(w+1), 1, 10)
			to.does(trace.OpReceive, "receive", uint64(w+1), 1, max(from.now-to.now, 10)).compute(50_000).does(trace.OpSend, "pass", merged, 1, 10)
		}
		from.does(trace.OpClose, "close", uint64(w+1), 0, 10)
		to.does(trace.OpReceive, "receive", uint64(w+1), 0, max(from.now-to.now, 10))
		from.ends()
		to.ends()
	}
	for range sources * items {
		main.compute(1000).does(trace.OpReceive, "gather", merged, 1, 300_000)
	}
	main.ends()
	return s
}

// Channels that join one thread each with another one are a queue too, whether or not all are closed after everything has been
// sent: each thread closes its own, of which the last one ends the queue.
func TestChannelsOfPairsAreOneQueue(t *testing.T) {
	t.Parallel()
	for _, atOnce := range []bool{true, false} {
		m, _ := fanIn(atOnce).build(t, trail.Options{})
		if len(m.Queues) != 2 || len(m.Locks) != 0 {
			t.Errorf("closed at once: %t: queues %+v, locks %+v: want two queues", atOnce, m.Queues, m.Locks)
		}
		if closes := closesIn(m); closes != 1 {
			t.Errorf("closed at once: %t: they are closed at %d places, want one, by each source", atOnce, closes)
		}
		for _, g := range m.Graphs {
			for _, f := range g.Fragments {
				if f.Sync != nil && f.Sync.Op == core.Close && f.Observed.Count != 3 {
					t.Errorf("closed at once: %t: %d sources close, want 3", atOnce, f.Observed.Count)
				}
			}
		}
	}
}

// Main notes each of three workers in a table under a lock, which is free, before it starts it: they are one pool that is started
// at once.
func TestWorkersThatAreNotedBeforeTheyStartAreOnePool(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(9, 0)
	main := s.thread("main", nil, 0)
	var ws []*actor
	for range 3 {
		main.compute(1000).does(trace.OpLock, "lock", 1, 0, 10).does(trace.OpUnlock, "unlock", 1, 0, 10)
		ws = append(ws, s.thread("worker", main, main.now+10))
	}
	for _, w := range ws {
		for range 5 {
			w.compute(1_000_000).does(trace.OpSend, "send", 9, 1, 10)
			main.does(trace.OpReceive, "receive", 9, 1, max(w.now-main.now, 10)).compute(1000)
		}
		w.ends()
	}
	main.ends()
	m, _ := s.build(t, trail.Options{})
	spawns := 0
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Spawn != nil {
				spawns += int(f.Observed.Count)
			}
		}
	}
	if i := slices.IndexFunc(m.Pools, func(p core.Pool) bool { return p.Size == 3 }); i < 0 || spawns != 1 {
		t.Errorf("pools %+v, started %d times: want one of 3 threads, once", m.Pools, spawns)
	}
}

// More workers get as many more messages, each with less to do, if the program
// divides something by their number; otherwise who knows.
func TestMessagesToEachPartnerFollowTheirNumber(t *testing.T) {
	t.Parallel()
	for _, divides := range []bool{false, true} {
		s := relaxation()
		at := s.trace.Sites[s.site("main.main", "go worker")].Frames[0]
		uses := []trace.SettingUse{{Kind: trace.UseSpawn, Frame: at}, {Kind: trace.UseLoop, Frame: at}}
		if divides {
			uses = append(uses, trace.SettingUse{Kind: trace.UseDivisor, Frame: at})
		}
		m, _, err := Build(trail.Input{Trace: s.trace, Facts: &trace.Facts{Inputs: []trace.Setting{{Name: "-workers", Uses: uses}}}}, trail.Options{})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(m.Parameters, func(p core.Parameter) bool { return p.Name == "workers" })
		if i < 0 {
			t.Fatalf("parameters %+v: want workers", m.Parameters)
		}
		loops, shares, room := 0, 0, 0
		for _, target := range m.Parameters[i].Targets {
			switch {
			case strings.HasSuffix(target.Path, "/iterations") && target.Apply(6) == 6:
				loops++
			case strings.HasSuffix(target.Path, "/scale") && target.Apply(6) == 0.5:
				shares++
			case strings.HasSuffix(target.Path, "/capacity") && target.Apply(6) == 12:
				room++
			}
		}
		if loops != 2 || room != 1 || (shares > 0) != divides {
			t.Errorf("divides: %v: six workers change %d loops to 6 rounds, %d queues to 12 places and halve %d computations; want 2, 1 and halves: %[1]v", divides, loops, room, shares)
		}
	}
}
