package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// loop is an event loop between a producer and a worker. It keeps what it receives, r, until it sends it, s, and shuts the case that
// sends while there is nothing to send, or the one that receives while it has as many as may be.
func loop(events string, most int) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	producer, l, worker := s.thread("producer", main, 10), s.thread("loop", main, 20), s.thread("worker", main, 30)
	s.trace.Objects = []trace.Object{{ID: 1, Kind: "chan", Capacity: 4}, {ID: 2, Kind: "chan", Capacity: 4}}
	s.trace.Offers = []trace.Offer{
		{Cases: []trace.Case{{Send: true}, {Object: 1}}},
		{Cases: []trace.Case{{Object: 2, Send: true}, {Object: 1}}},
		{Cases: []trace.Case{{Object: 2, Send: true}, {}}},
	}
	kept := 0
	for i, e := range events {
		offer := int64(1)
		switch kept {
		case 0:
			offer = 0
		case most:
			offer = 2
		}
		if e == 'r' {
			producer.now = max(producer.now, l.now)
			producer.compute(10_000).hit(trace.OpSend, "produce", false, 1, 0, uint64(i+1))
			producer.hit(trace.OpSend, "produce", true, 1, 1, uint64(i+1))
		}
		l.compute(2_000).hit(trace.OpSelect, "select", false, 0, offer, 0)
		if e == 'r' {
			l.now = max(l.now, producer.now)
			l.hit(trace.OpSelect, "select", true, 1, 1, uint64(i+1))
			kept++
			continue
		}
		l.hit(trace.OpSelect, "select", true, 2, 0, uint64(i+100))
		kept--
		worker.now = max(worker.now, l.now)
		worker.hit(trace.OpReceive, "work", false, 2, 0, 0)
		worker.hit(trace.OpReceive, "work", true, 2, 1, uint64(i+100))
		worker.compute(20_000)
	}
	for _, a := range []*actor{producer, l, worker} {
		a.ends()
		main.now = max(main.now, a.now)
	}
	main.ends()
	return s
}

// An event loop that holds back what it cannot send yet sends as often as it has received. The select that comes after a permit that
// was refused has no case that sends; with room for two, another permit lets it receive.
func TestACaseThatIsShutNowAndThenAsksForAPermit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		events  string
		most    int
		permits []int
	}{
		{"rsrrsrrrsssrrsrsss", 9, []int{0}},
		{"rsrrsrsrsrssrrsrs", 2, []int{0, 2}},
	} {
		m, _ := loop(c.events, c.most).build(t, trail.Options{Threshold: -1})
		var permits []int
		for _, l := range m.Locks {
			if l.Kind == core.Semaphore {
				permits = append(permits, l.Permits)
			}
		}
		if !slices.Equal(permits, c.permits) {
			t.Fatalf("%s: semaphores of %v permits, want %v: %+v", c.events, permits, c.permits, m.Locks)
		}
		g := m.Graphs[slices.IndexFunc(m.Graphs, func(g core.Graph) bool { return g.ID == "loop" })]
		for i := range g.Fragments {
			f := &g.Fragments[i]
			if f.Sync == nil || f.Sync.Op != core.Enter || f.Sync.Lock != m.Locks[slices.IndexFunc(m.Locks, func(l core.Lock) bool { return l.Permits == 0 && l.Kind == core.Semaphore })].ID {
				continue
			}
			for to := g.Fragment(f.Sync.OnTimeout); to != nil; {
				if to.Sync != nil && (to.Sync.Op == core.Select || to.Sync.Op == core.Receive || to.Sync.Op == core.Send) {
					if sends := to.Sync.Op == core.Send || slices.ContainsFunc(to.Sync.Cases, func(k core.SelectCase) bool { return k.Op == core.Send }); sends {
						t.Errorf("%s: without a permit it sends: %+v", c.events, to.Sync)
					}
					break
				}
				if to.In != nil || len(to.Next) != 1 {
					break
				}
				to = g.Fragment(to.Next[0].To)
			}
		}
	}
}
