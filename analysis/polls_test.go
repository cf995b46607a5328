package analysis

import (
	"testing"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// main starts two threads, which take what a queue has been filled with, 46 ms
// of work in all, and looks every 4 ms whether they have ended: 6 times, the last
// time 1 ms after the second has. That is a join, and not 24 ms of sleep.
func TestSleepingUntilThreadsHaveEndedIsAJoin(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(1, 10)
	main := s.thread("main", nil, 0)
	for i := range uint64(10) {
		main.hit(trace.OpSend, "send", false, 1, 0, i+1)
		main.hit(trace.OpSend, "send", true, 1, 1, i+1)
	}
	main.does(trace.OpClose, "close", 1, 0, 0)
	for k := range 2 {
		w := s.thread("worker", main, main.now)
		w.now += int64(k)
		for i := range 5 {
			v := uint64(2*i + k + 1)
			w.hit(trace.OpReceive, "receive", false, 1, 0, 0)
			w.hit(trace.OpReceive, "receive", true, 1, 1, v)
			w.compute(4_600_000)
		}
		w.does(trace.OpReceive, "receive", 1, 0, 0)
		w.ends()
	}
	const every = 4_000_000
	for range 6 {
		main.hit(trace.OpSleep, "sleep", false, 0, every, 0)
		main.now += every
		main.hit(trace.OpSleep, "sleep", true, 0, 0, 0)
	}
	main.compute(1_000_000).ends()
	m, r := s.build(t, trail.Options{Threshold: -1})
	if joins := fragments(m, core.JoinFragment); len(joins) != 1 {
		t.Errorf("%d joins, want one", len(joins))
	}
	for _, d := range fragments(m, core.DelayFragment) {
		if ms := 1e3 * d.Delay.Expectation(); !d.Polled || ms != 4 {
			t.Errorf("a sleep of %.3g ms is left, of a poll: %v; want the rest of 4 ms", ms, d.Polled)
		}
	}
	if len(r.Trust.Assumptions) == 0 {
		t.Error("the trust report says nothing of it")
	}
}

// Somebody who reports progress sleeps on after the threads have ended, and one
// who looks only three times may have met their end by chance.
func TestOtherSleepsStayWhatTheyAre(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		polls int
		works int64 // ns
	}{{"goes on", 6, 17_000_000}, {"three times", 3, 9_000_000}} {
		s := newScript()
		main := s.thread("main", nil, 0)
		s.thread("worker", main, 1).compute(c.works).does(trace.OpLock, "lock", 1, 0, 0).does(trace.OpUnlock, "unlock", 1, 0, 0).ends()
		for range c.polls {
			main.hit(trace.OpSleep, "sleep", false, 0, 4_000_000, 0)
			main.now += 4_000_000
			main.hit(trace.OpSleep, "sleep", true, 0, 0, 0)
		}
		main.compute(1_000_000).ends()
		if polled, told := normalise.PolledJoins(s.trace); len(told) > 0 || len(polled.Threads[0].Records) != len(s.trace.Threads[0].Records) {
			t.Errorf("%s: %q", c.name, told)
		}
	}
}
