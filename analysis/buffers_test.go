package analysis

import (
	"fmt"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// ring is a home-made queue whose producer puts six things and whose two consumers take three each and find it closed
// then. The conditions are signalled under the lock, or directly after.
type ring struct {
	room          bool // takers say that there is room
	full, empty   bool // the producer waits for room; the first consumer waits for the first thing
	after, before bool // signals come after the lock was given back; consumers take before anything is put
	peeled        bool // the first of a consumer's rounds is another place
	stops         bool // a consumer says that there is no more, and the producer says so again when all have ended
}

func (r ring) script() *script {
	const lock, notEmpty, notFull = 1, 2, 3
	s := newScript()
	s.trace.Objects = []trace.Object{{ID: notEmpty, Kind: "cond", Site: -1, Parent: lock}, {ID: notFull, Kind: "cond", Site: -1, Parent: lock}}
	main := s.thread("main", nil, 0)
	workers := []*actor{s.thread("worker", main, 1), s.thread("worker", main, 2)}
	stay := func(a *actor, place string, waitsFor, signals uint64) {
		a.does(trace.OpLock, place, lock, 0, 10)
		if waitsFor != 0 {
			a.does(trace.OpCondWait, place+" waits", waitsFor, 0, 400)
		}
		if !r.after {
			a.does(trace.OpSignal, place+" signals", signals, 0, 10)
		}
		a.does(trace.OpUnlock, place+" leaves", lock, 0, 10)
		if r.after {
			a.does(trace.OpSignal, place+" signals", signals, 0, 10)
		}
	}
	says := uint64(0)
	if r.room {
		says = notFull
	}
	main.now = 2000
	for i := range int64(6) {
		wait := uint64(0)
		if r.full && i == 4 {
			wait = notFull
		}
		stay(main, "put", wait, notEmpty)
		main.now = 3000 + i*1000
	}
	for i := range int64(3) {
		for k, w := range workers {
			w.now = max(w.now, 4500+int64(k)*200+i*2000)
			if r.before {
				w.now = 100 + int64(k)*200 + i*500
			}
			wait := uint64(0)
			if r.empty && i+int64(k) == 0 {
				wait = notEmpty
			}
			if says == 0 {
				w.does(trace.OpLock, "take", lock, 0, 10)
				if wait != 0 {
					w.does(trace.OpCondWait, "take waits", wait, 0, 10)
				}
				w.does(trace.OpUnlock, "take leaves", lock, 0, 10)
			} else if r.peeled && i == 0 {
				stay(w, fmt.Sprintf("first take %d", k), wait, says)
			} else {
				stay(w, "take", wait, says)
			}
			w.compute(50_000)
		}
	}
	ends := func(a *actor) {
		a.does(trace.OpLock, "close", lock, 0, 10).does(trace.OpBroadcast, "closed", notEmpty, 0, 10).does(trace.OpUnlock, "close leaves", lock, 0, 10)
	}
	main.now = 300_000
	if r.stops {
		workers[0].now = 300_500
		ends(workers[0])
	} else {
		ends(main)
	}
	for k, w := range workers {
		w.now = 301_000 + int64(k)*200
		w.does(trace.OpLock, "take", lock, 0, 10).does(trace.OpUnlock, "take leaves", lock, 0, 10).ends()
	}
	main.does(trace.OpJoin, "join", 0, 0, 4000)
	if r.stops {
		ends(main)
	}
	main.ends()
	return s
}

// A list under a lock is a queue whoever of both sides had to wait in the run, none of them as well: who brings and who
// takes shows in what they signal, and in the number of items, which is never negative.
func TestAQueueThatHardlyAnybodyWaitsForIsAQueue(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]ring{
		"both wait":                             {room: true, full: true, empty: true},
		"takers never wait":                     {room: true, full: true},
		"takers never wait, signals after":      {room: true, full: true, after: true},
		"who brings never waits":                {room: true, empty: true},
		"nobody waits":                          {room: true},
		"a round before the loop":               {room: true, full: true, empty: true, peeled: true},
		"nobody waits, signals after":           {room: true, after: true},
		"without a bound":                       {empty: true},
		"without a bound, takers never wait":    {},
		"without a bound, never, signals after": {after: true},
		"without a bound, waits, signals after": {empty: true, after: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, _ := r.script().build(t, trail.Options{})
			if len(m.Queues) != 1 || len(m.Locks) != 0 {
				t.Fatalf("queues %v, locks %v, want one queue", m.Queues, m.Locks)
			}
			capacity := core.Unbounded
			if r.full {
				capacity = 4 // main waits when it has put four, as the script has it
			}
			if m.Queues[0].Capacity != capacity {
				t.Errorf("capacity %d, want %d", m.Queues[0].Capacity, capacity)
			}
			if ins := fragments(m, core.InFragment); len(ins) != 1 && !r.peeled {
				t.Errorf("c_in fragments %v, want one", ins)
			}
			for _, g := range m.Graphs {
				for _, f := range g.Fragments {
					if f.Class == core.InFragment && g.ID != "worker" {
						t.Errorf("%s takes, want the workers alone", g.ID)
					}
				}
			}
		})
	}
}

// A queue is closed by who first says that there is no more, whoever says so again, as who tidies up.
func TestWhoSaysFirstThatThereIsNoMoreClosesTheQueue(t *testing.T) {
	t.Parallel()
	m, _ := (ring{empty: true, stops: true}).script().build(t, trail.Options{})
	if len(m.Queues) != 1 {
		t.Fatalf("queues %v, locks %v, want one queue", m.Queues, m.Locks)
	}
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Sync != nil && f.Sync.Op == core.Close && g.ID != "worker" {
				t.Errorf("%s closes the queue, want a worker", g.ID)
			}
		}
	}
	if closes := fragments(m, core.SyncFragment); len(closes) != 1 {
		t.Errorf("%d fragments close the queue, want one", len(closes))
	}
}

// What is taken before it was put is no item.
func TestWhereNobodyWaitsAndTakesComeFirstIsNoQueue(t *testing.T) {
	t.Parallel()
	if m, _ := (ring{room: true, before: true}).script().build(t, trail.Options{}); len(m.Queues) != 0 {
		t.Errorf("queues %v, want none", m.Queues)
	}
}

// Three who bring wait for room in a queue of two, and each says when it has brought all: the last of them wakes who takes, who never
// had to wait. Read the other way round, it brings room for them to take; but then more room is taken at first than was brought.
func TestTheLastOfThoseWhoBringClosesTheQueue(t *testing.T) {
	t.Parallel()
	const lock, notFull, notEmpty = 1, 2, 3
	s := newScript()
	s.trace.Objects = []trace.Object{{ID: notFull, Kind: "cond", Site: -1, Parent: lock}, {ID: notEmpty, Kind: "cond", Site: -1, Parent: lock}}
	main := s.thread("main", nil, 0)
	taker := s.thread("taker", main, 1)
	var bring []*actor
	for k := range int64(3) {
		bring = append(bring, s.thread("bringer", main, 2+k))
	}
	for i := range int64(9) {
		a := bring[i%3]
		a.now = 2000 + 200*i
		if i >= 2 {
			a.now = 2400 + (i-2)*1000
		}
		a.does(trace.OpLock, "put", lock, 0, 10)
		if i >= 2 {
			a.does(trace.OpCondWait, "put waits", notFull, 0, 400)
		}
		a.does(trace.OpSignal, "put signals", notEmpty, 0, 10).does(trace.OpUnlock, "put leaves", lock, 0, 10)
		taker.now = 2600 + i*1000
		taker.does(trace.OpLock, "take", lock, 0, 10).does(trace.OpSignal, "take signals", notFull, 0, 10).does(trace.OpUnlock, "take leaves", lock, 0, 10)
		taker.compute(500)
	}
	for k, a := range bring {
		a.now = 20_000 + int64(k)*200
		a.does(trace.OpLock, "done", lock, 0, 10)
		if k == 2 {
			a.does(trace.OpBroadcast, "done wakes", notEmpty, 0, 10)
		}
		a.does(trace.OpUnlock, "done leaves", lock, 0, 10).ends()
	}
	taker.now = 21_000
	taker.does(trace.OpLock, "take", lock, 0, 10).does(trace.OpUnlock, "take leaves", lock, 0, 10).ends()
	main.now = 22_000
	main.does(trace.OpJoin, "join", 0, 0, 400)
	main.ends()
	m, _ := s.build(t, trail.Options{})
	if len(m.Queues) != 1 || m.Queues[0].Capacity != 2 {
		t.Fatalf("queues %v, locks %v, want one queue of two", m.Queues, m.Locks)
	}
	if closes := fragments(m, core.SyncFragment); len(closes) != 1 || closes[0].Sync.Op != core.Close || closes[0].Observed.Count != 3 {
		t.Errorf("sync fragments %v, want one: that each of the three closes the queue, which the last of them does", closes)
	}
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if takes := f.Class == core.InFragment; takes && g.ID != "taker" {
				t.Errorf("%s takes, want the taker alone", g.ID)
			}
		}
	}
}
