package analysis

import (
	"testing"

	"tierscope/analysis/assemble"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// sendsOrStops is select { case q <- x: case <-stop: }, which sends three times and then stops.
func sendsOrStops() *script {
	s := newScript()
	s.trace.Objects = []trace.Object{{ID: 1, Kind: "chan", Site: -1}, {ID: 2, Kind: "chan", Site: -1}}
	s.trace.Offers = []trace.Offer{{Cases: []trace.Case{{Object: 1, Send: true}, {Object: 2}}}}
	main := s.thread("main", nil, 0)
	other := s.thread("other", main, 1)
	for range 3 {
		main.compute(1000).does(trace.OpSelect, "select", 1, 0, 0)
		other.now = max(other.now, main.now)
		other.does(trace.OpReceive, "receive", 1, 1, 0)
	}
	other.compute(1000).does(trace.OpSend, "stop", 2, 1, 0)
	main.now = max(main.now, other.now)
	main.compute(1000).does(trace.OpSelect, "select", 2, 1, 0)
	main.ends()
	other.ends()
	return s
}

// The simulated select must know which case sends.
func TestTheCasesOfASelectKeepTheirDirection(t *testing.T) {
	t.Parallel()
	m, _ := sendsOrStops().build(t, trail.Options{})
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Sync == nil || f.Sync.Op != core.Select {
				continue
			}
			got := map[core.SyncOp]int{}
			for _, c := range f.Sync.Cases {
				got[c.Op]++
			}
			if got[core.Send] != 1 || got[core.Receive] != 1 {
				t.Errorf("cases of the select: %v, want one that sends and one that receives", f.Sync.Cases)
			}
			return
		}
	}
	t.Error("the model has no select")
}

// selected is a select that takes the n-th value of a channel, and with n = 0 one
// that finds the channel closed.
func (a *actor) selected(kase int64, channel, n uint64) *actor {
	a.hit(trace.OpSelect, "select", false, 0, 0, 0)
	value := uint64(0)
	if n > 0 {
		value = channel<<40 | n
	}
	a.hit(trace.OpSelect, "select", true, channel, kase, value)
	return a
}

// A batcher takes items until their channel is closed, and is woken now and then to
// write what it has:
//
//	select { case item, ok := <-items: if !ok { return }; …; case <-flush: … }
//
// How often it goes round is not known beforehand: it ends when the channel does.
func TestASelectEndsTheLoopWhenItsChannelIsClosed(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(1, 4)
	s.channel(2, 1)
	s.trace.Offers = []trace.Offer{{Cases: []trace.Case{{Object: 1}, {Object: 2}}}}
	main := s.thread("main", nil, 0)
	batcher := s.thread("batcher", main, 1)
	alarm := s.thread("alarm", main, 2)
	for i := range uint64(12) {
		main.compute(50_000).does(trace.OpSend, "send", 1, 1, 0)
		batcher.now = max(batcher.now, main.now)
		batcher.selected(0, 1, i+1).compute(10_000)
		if i%4 == 3 {
			alarm.now = max(alarm.now, batcher.now)
			alarm.compute(100).does(trace.OpSend, "flush", 2, 1, 0)
			batcher.now = alarm.now
			batcher.selected(1, 2, i/4+1).compute(40_000)
		}
	}
	main.does(trace.OpClose, "close", 1, 0, 0)
	batcher.now = max(batcher.now, main.now)
	batcher.selected(0, 1, 0).compute(1000).ends()
	alarm.ends()
	main.now = batcher.now + 10
	main.ends()
	m, _ := s.build(t, trail.Options{})
	if loops := loopsOf(m, "batcher"); len(loops) != 0 {
		t.Errorf("exact loops of the batcher: %v", loops)
	}
	closed := 0
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Sync == nil {
				continue
			}
			for _, c := range f.Sync.Cases {
				if c.Closed != "" && c.Closed != c.To {
					closed++
				}
			}
		}
	}
	if closed != 1 {
		t.Errorf("%d cases with another successor when the channel is closed, want that of the items", closed)
	}
}

// A worker that has a second way out of its select, which is never taken, fetches
// from the one queue as if there were no select, and ends when that is closed.
func TestASelectThatOnlyEverTakesOneCaseIsAFetch(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(1, 4)
	s.trace.Offers = []trace.Offer{{Cases: []trace.Case{{Object: 2}, {Object: 1}}}}
	main := s.thread("main", nil, 0)
	worker := s.thread("worker", main, 1)
	for i := range uint64(12) {
		main.compute(50_000).does(trace.OpSend, "send", 1, 1, 0)
		worker.now = max(worker.now, main.now)
		worker.selected(1, 1, i+1).compute(10_000)
	}
	main.does(trace.OpClose, "close", 1, 0, 0)
	worker.now = max(worker.now, main.now)
	worker.selected(1, 1, 0).ends()
	main.now = worker.now + 10
	main.ends()
	m, _ := s.build(t, trail.Options{})
	if loops := loopsOf(m, "worker"); len(loops) != 0 {
		t.Errorf("exact loops of the worker: %v", loops)
	}
	classes := map[core.FragmentClass]int{}
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if g.ID == "worker" {
				classes[f.Class]++
			}
		}
	}
	if classes[core.InFragment] != 1 || classes[core.FetchFragment] != 1 || classes[core.NoFetchFragment] != 1 {
		t.Errorf("fragments of the worker: %v, want one fetch with its two outcomes", classes)
	}
}

// The worker of a pipeline sends on what it fetched: the task stays the same.
// One that sends two things for every task makes new ones, and its task ends.
func TestATaskIsSentOnIfEveryFetchIsFollowedByOneSend(t *testing.T) {
	t.Parallel()
	for sends, isNew := range map[int]bool{1: false, 2: true} {
		s := newScript()
		s.channel(1, 4)
		s.channel(2, 4)
		main := s.thread("main", nil, 0)
		middle := s.thread("middle", main, 1)
		last := s.thread("last", main, 2)
		for range 5 {
			main.compute(1000).does(trace.OpSend, "send", 1, 1, 0)
			middle.now = max(middle.now, main.now)
			middle.does(trace.OpReceive, "receive", 1, 1, 0)
			for i := range sends {
				middle.compute(1000).does(trace.OpSend, []string{"first", "second"}[i], 2, 1, 0)
				last.now = max(last.now, middle.now)
				last.does(trace.OpReceive, "receive", 2, 1, 0).compute(1000)
			}
		}
		main.does(trace.OpClose, "close", 1, 0, 0)
		middle.does(trace.OpReceive, "receive", 1, 0, 0).does(trace.OpClose, "close", 2, 0, 0)
		last.now = max(last.now, middle.now)
		last.does(trace.OpReceive, "receive", 2, 0, 0)
		main.ends()
		middle.ends()
		last.ends()
		m, _ := s.build(t, trail.Options{})
		for _, g := range m.Graphs {
			done := false
			for _, f := range g.Fragments {
				if g.ID != "middle" || f.Out == nil {
					continue
				}
				done = done || f.Out.To == assemble.SinkDone
				if f.Out.To != assemble.SinkDone && f.Out.New != isNew {
					t.Errorf("%d sends for every task: fragment %q makes new tasks: %v, want %v", sends, f.ID, f.Out.New, isNew)
				}
			}
			if g.ID == "middle" && done != isNew {
				t.Errorf("%d sends for every task: the task ends in the middle: %v, want %v", sends, done, isNew)
			}
		}
	}
}

// "A timestamp marking the beginning of the work phase is recorded before
// issuing the first request … The model doesn't simulate program's
// performance during the startup and shutdown phases" (§4.3.1): what a server
// computes before and after has no part in its model.
func TestOnlyTheWorkPhaseOfAServerIsModelled(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(1, 4)
	s.trace.WorkStart, s.trace.WorkEnd = 1_000_000, 2_000_000
	main := s.thread("main", nil, 0)
	worker := s.thread("worker", main, 1)
	main.compute(900_000) // startup
	for main.now < 2_500_000 {
		main.does(trace.OpAccept, "accept", 7, 0, 50_000).compute(10_000)
		main.does(trace.OpSend, "send", 1, 1, 0)
		worker.now = max(worker.now, main.now)
		worker.does(trace.OpReceive, "receive", 1, 1, 0).compute(20_000)
	}
	main.compute(3_000_000).ends() // shutdown
	worker.ends()
	m, r := s.build(t, trail.Options{})
	perTask := 0.0
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Class == core.CPUFragment {
				perTask = max(perTask, f.Demand.Expectation())
			}
		}
	}
	if perTask > 20.1e-6 {
		t.Errorf("a computation of %.3g s is in the model; a request takes 20 µs, startup 900 µs, shutdown 3 ms", perTask)
	}
	if len(m.Sources) != 1 {
		t.Fatalf("%d sources, want one: connections come from outside", len(m.Sources))
	}
	// One request in 60 µs.
	if rate := m.Sources[0].Rate; rate < 15_000 || rate > 18_000 {
		t.Errorf("requests arrive at %.0f/s, in the run at 16667/s", rate)
	}
	if r.Trust.Explained < 0.95 {
		t.Errorf("the model explains %.0f %% of the CPU time of the work phase", 100*r.Trust.Explained)
	}
}

// A barrier made of a mutex, a condition variable and a counter: "in the PCG
// this behavior will be reflected as a fork with the probability of lifting
// the barrier equal to 1/(barrier capacity)" (§4.2). It must come out as a
// barrier of three.
func TestAHomeMadeBarrierIsABarrier(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	var ws []*actor
	for range 3 {
		ws = append(ws, s.thread("worker", main, 1))
	}
	for round := range int64(4) {
		at := (round + 1) * 1_000_000
		for i, w := range ws {
			w.compute(1000).now = at + int64(i)*1000
			w.does(trace.OpLock, "lock", 1, 0, 0)
			if i < 2 {
				w.does(trace.OpCondWait, "wait", 2, 0, 100_000)
			} else {
				w.does(trace.OpBroadcast, "broadcast", 2, 0, 0)
			}
			w.does(trace.OpUnlock, "unlock", 1, 0, 0)
		}
	}
	for _, w := range ws {
		w.compute(1000).ends()
	}
	main.now = 6_000_000
	main.ends()
	m, _ := s.build(t, trail.Options{})
	if len(m.Locks) != 1 || m.Locks[0].Kind != core.Barrier || m.Locks[0].Parties != 3 {
		t.Errorf("locks of the model: %+v, want one barrier of 3", m.Locks)
	}
}
