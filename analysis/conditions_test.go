package analysis

import (
	"testing"

	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// oneCondition is a queue of two places whose producers and consumers wait for
// the same condition, and say every change to all.
func oneCondition(closes bool) *script {
	const lock, changed = 1, 2
	s := newScript()
	s.trace.Objects = []trace.Object{{ID: changed, Kind: "cond", Site: -1, Parent: lock}}
	main := s.thread("main", nil, 0)
	producer := s.thread("producer", main, 1)
	consumer := s.thread("consumer", main, 2)
	stay := func(a *actor, waits bool) {
		a.does(trace.OpLock, "lock", lock, 0, 10)
		if waits {
			a.does(trace.OpCondWait, "wait", changed, 0, 50_000)
		}
		a.does(trace.OpBroadcast, "changed", changed, 0, 10).does(trace.OpUnlock, "unlock", lock, 0, 10)
	}
	stay(producer.compute(10_000), false)
	consumer.now = producer.now + 1000
	stay(consumer, true)
	for range 5 {
		producer.now = max(producer.now, consumer.now)
		stay(producer.compute(10_000), false)
		stay(producer.compute(10_000), true)
		consumer.now = producer.now + 1000
		stay(consumer, false)
		stay(consumer.compute(10_000), false)
	}
	producer.ends()
	main.now = consumer.now
	if closes {
		main.does(trace.OpLock, "close", lock, 0, 10).does(trace.OpBroadcast, "closed", changed, 0, 10).does(trace.OpUnlock, "unlock", lock, 0, 10)
		consumer.now = main.now
		consumer.does(trace.OpLock, "lock", lock, 0, 10).does(trace.OpUnlock, "empty", lock, 0, 10)
		main.now = consumer.now
	}
	consumer.ends()
	main.compute(1000).ends()
	return s
}

// Who brings and who takes is told by the number of items, which is never
// negative; the section in which the end is announced brings nothing.
func TestOneConditionForBothSidesIsABoundedQueue(t *testing.T) {
	t.Parallel()
	m, _ := oneCondition(true).build(t, trail.Options{})
	if len(m.Queues) != 1 || m.Queues[0].Capacity != 2 || len(m.Locks) != 0 {
		t.Fatalf("queues %v, locks %v, want one queue of two places", m.Queues, m.Locks)
	}
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Class == core.InFragment && g.ID != "consumer" {
				t.Errorf("%s takes tasks, want the consumer alone", g.ID)
			}
		}
	}
}

// A stay in the section of a condition may wait there: what such a section
// hands out, if anything, is no index.
func TestASectionThatWaitsForAConditionIsNoCounter(t *testing.T) {
	t.Parallel()
	m, r := oneCondition(false).build(t, trail.Options{})
	for _, q := range m.Queues {
		if q.ID == "work of consumer" {
			t.Errorf("the consumer takes indices, want items; the report says %q", r.Trust.Assumptions)
		}
	}
}

// ticker waits for the next tick or the word to stop, and works after a tick.
func TestASelectOfATimerAndAStopIsDecidedInTheSimulation(t *testing.T) {
	t.Parallel()
	const tick, stop = 1, 2
	s := newScript()
	s.channel(tick, 1)
	s.channel(stop, 0)
	s.trace.Offers = []trace.Offer{{Cases: []trace.Case{{Object: tick}, {Object: stop}}}}
	main := s.thread("main", nil, 0)
	ticker := s.thread("ticker", main, 1)
	for range 20 {
		ticker.does(trace.OpSelect, "select", tick, 0, 4_000_000).compute(1_000_000)
	}
	main.compute(90_000_000)
	main.now = ticker.now
	main.does(trace.OpClose, "stop", stop, 0, 10)
	ticker.does(trace.OpSelect, "select", stop, 1, 1000).ends()
	main.now = ticker.now
	main.compute(1000).ends()
	m, _ := s.build(t, trail.Options{})
	var selects []core.Fragment
	for _, f := range fragments(m, core.SyncFragment) {
		if f.Sync.Op == core.Select {
			selects = append(selects, f)
		}
	}
	if len(selects) != 1 || len(selects[0].Sync.Cases) != 1 || selects[0].Sync.OnTimeout == "" {
		t.Fatalf("selects %v, want one of a case and a time", selects)
	}
	if got := selects[0].Sync.Timeout.Expectation(); got < 3.9e-3 || got > 4.1e-3 {
		t.Errorf("it waits %g s for a tick, want 4 ms", got)
	}
	if loops := fragments(m, core.LoopFragment); len(loops) != 0 {
		t.Errorf("loops %v, want none: how often it ticks depends on how long the program runs", loops)
	}
}

// A context ends by itself: a thread that a timer starts closes its channel,
// which is waited for where others are waited for too.
func TestWaitingForAContextWhoseTimeIsUpIsADelay(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.trace.Runtime = runtimes.Go()
	timed := int32(len(s.trace.Sites))
	s.trace.Sites = append(s.trace.Sites, trace.Site{Frames: []trace.Frame{{Function: "time.goFunc", Std: true}}})
	main := s.thread("main", nil, 0)
	for i := range uint64(10) {
		up := 10 + i
		s.channel(up, 0)
		main.compute(1_000_000).does(trace.OpReceive, "done", up, 0, 8_000_000)
		s.trace.Threads = append(s.trace.Threads, trace.Thread{ID: int64(len(s.trace.Threads) + 1), Start: "context.cancel", Creator: timed, Born: main.now - 2000})
		a := &actor{s: s, id: len(s.trace.Threads) - 1, now: main.now - 2000}
		a.does(trace.OpClose, "close", up, 0, 10).ends()
	}
	main.ends()
	m, _ := s.build(t, trail.Options{})
	if delays := fragments(m, core.DelayFragment); len(delays) != 1 || len(m.Locks) != 0 {
		t.Errorf("delays %v, locks %v, want one delay", delays, m.Locks)
	}
}

// fortyMilliseconds is a program that computes ten times for 4 ms.
func fortyMilliseconds() *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	for range 10 {
		main.compute(4_000_000).does(trace.OpLock, "lock", 1, 0, 10).does(trace.OpUnlock, "unlock", 1, 0, 10)
	}
	main.ends()
	return s
}

// computed is the CPU time of a run by the demands of the model, in s.
func computed(m *core.Model) (sum float64) {
	for _, f := range fragments(m, core.CPUFragment) {
		sum += f.Demand.Expectation() * float64(f.Demand.Samples)
	}
	return sum
}

// The recorded run took 40 ms of CPU, runs without probes 30, 32 and 31 ms: the
// median over the recorded one is 0.775, by which all demands are multiplied.
func TestDemandsAddUpToTheMedianOfThePlainRuns(t *testing.T) {
	t.Parallel()
	s := fortyMilliseconds()
	s.trace.Recorded, s.trace.Plain = 0.040, []float64{0.030, 0.032, 0.031}
	m, _ := s.build(t, trail.Options{})
	if sum := computed(m); sum < 0.0309 || sum > 0.0311 {
		t.Errorf("the demands add up to %g s, want 0.031", sum)
	}
}

// The recorded run took 50 ms, 10 of them in the compilers' threads, and runs
// without probes 34, 36 and 35 ms, of them 4, 5 and 6: what is compiled because of
// probes is taken off the compilers, 5/10, and the threads' 40 ms become the
// median of 30, 31 and 29.
func TestWhatIsCompiledForProbesIsNotTakenOffTheProgramsThreads(t *testing.T) {
	t.Parallel()
	s := fortyMilliseconds()
	s.trace.Runtime, s.trace.GC = runtimes.Java(), []trace.Collection{{Start: 1_000_000, End: 20_000_000, CPU: 10_000_000}}
	s.trace.Recorded, s.trace.Plain = 0.050, []float64{0.034, 0.036, 0.035}
	s.trace.RecordedSystem, s.trace.PlainSystem = 0.010, []float64{0.004, 0.005, 0.006}
	m, _ := s.build(t, trail.Options{})
	if sum := computed(m); sum < 0.0299 || sum > 0.0301 {
		t.Errorf("the demands add up to %g s, want 0.030", sum)
	}
	if d := m.Background[0].Demand.Expectation(); d < 0.00499 || d > 0.00501 {
		t.Errorf("the compilers work for %g s, want 0.005", d)
	}
}

// A thread that waits for signals until the program is over, and a select that
// always takes its default, leave nothing to simulate.
func TestASelectThatNeverTakesACaseIsLeftOut(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(1, 0)
	s.trace.Offers = []trace.Offer{{Cases: []trace.Case{{Object: 1}}}, {Cases: []trace.Case{{Object: 1}}, Default: true}}
	main := s.thread("main", nil, 0)
	waiter := s.thread("waiter", main, 1)
	waiter.compute(1_000_000)
	waiter.hit(trace.OpSelect, "for ever", false, 0, 0, 0)
	for range 3 {
		main.compute(1_000_000)
		main.hit(trace.OpSelect, "default", false, 0, 1, 0)
		main.hit(trace.OpSelect, "default", true, 0, -1, 0)
	}
	main.compute(1_000_000).ends()
	m, _ := s.build(t, trail.Options{})
	if syncs := fragments(m, core.SyncFragment); len(syncs) != 0 {
		t.Errorf("fragments %v, want no select", syncs)
	}
}
