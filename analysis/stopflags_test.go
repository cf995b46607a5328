package analysis

import (
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// background is a program whose main thread computes for some time, and then waits
// for a thread that has gone round in steps of 1 ms: until it was told to, 0 for a
// main thread that waits from the start and a number of rounds that is the thread's.
func background(work int64, rounds int) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	th := s.thread("background", main, 10)
	for range rounds {
		th.does(trace.OpSleep, "sleep", 0, 0, 900_000).compute(100_000)
	}
	th.does(trace.OpDone, "done", 7, 0, 0).ends()
	main.compute(work)
	main.does(trace.OpWaitGroup, "wait", 7, 0, max(0, th.now-main.now))
	main.ends()
	return s
}

// A loop that asks a variable is ended by whoever waits for its thread afterwards, if
// that began to wait in its last round; by the clock if the wait began with the loop.
// Without the scan's knowledge, or in other cases, it has its number of rounds.
func TestALoopThatAsksIsEndedByWhoeverWaits(t *testing.T) {
	t.Parallel()
	flag := []trace.Stop{{Frame: trace.Frame{Function: "main.background", File: "main.go", Line: 2}}}
	clock := []trace.Stop{{Frame: flag[0].Frame, Clock: true}}
	for name, c := range map[string]struct {
		work   int64
		stops  []trace.Stop
		told   bool
		sleeps float64 // of main, s
	}{
		"told in the last round":                 {19_500_000, flag, true, 0},
		"told long before, so it is not that":    {9_500_000, flag, false, 0},
		"the clock, and the wait from the start": {100_000, clock, true, 19.9e-3},
		"the clock, but nobody waited for it":    {9_500_000, clock, false, 0},
		"nothing known of the loop":              {19_500_000, nil, false, 0},
	} {
		m, report, err := Build(trail.Input{Trace: background(c.work, 20).trace, Facts: &trace.Facts{Stops: c.stops}}, trail.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := m.Validate(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if told := len(loopsOf(m, "background")) == 0; told != c.told {
			t.Errorf("%s: the loop is ended by somebody: %v; the trust report says %q", name, told, report.Trust.Assumptions)
		}
		slept := 0.0
		closes := 0
		for _, g := range m.Graphs {
			for _, f := range g.Fragments {
				if g.ID == "main" && f.Class == core.DelayFragment {
					slept += f.Delay.Expectation()
				}
				if g.ID == "main" && f.Sync != nil && f.Sync.Op == core.Close {
					closes++
				}
			}
		}
		if (closes == 1) != c.told {
			t.Errorf("%s: main closes %d channels", name, closes)
		}
		if d := slept - c.sleeps; d > 0.3e-3 || d < -0.3e-3 {
			t.Errorf("%s: main sleeps for %g s, want %g", name, slept, c.sleeps)
		}
	}
}

// Threads that look round after round whether a channel is closed work for a time if a clock closes it: then runs on other cores did not do
// the same work. One that is closed when the work is done, or at which nobody looked before, is none.
func TestAChannelThatAClockClosesIsTheEndOfATime(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		slept  int64 // of 20 ms, by who closes it
		rounds int
		timed  bool
	}{
		"a clock closes it":         {19_000_000, 18, true},
		"somebody who has worked":   {1_000_000, 18, false},
		"nobody has looked, before": {19_000_000, 0, false},
	} {
		s := newScript()
		main := s.thread("main", nil, 0)
		th := s.thread("worker", main, 10)
		for range c.rounds {
			th.compute(1_000_000)
			th.does(trace.OpTryReceive, "look", 3, 0, 10)
		}
		main.does(trace.OpSleep, "sleep", 0, 0, c.slept)
		main.compute(19_200_000 - main.now)
		main.does(trace.OpClose, "close", 3, 0, 10)
		th.compute(19_500_000 - th.now)
		th.does(trace.OpTryReceive, "look", 3, 0, 10).does(trace.OpDone, "done", 7, 0, 0).ends()
		main.does(trace.OpWaitGroup, "wait", 7, 0, max(0, th.now-main.now)).ends()
		s.trace.Plain, s.trace.PlainAlone, s.trace.Recorded = []float64{0.038, 0.038, 0.038}, []float64{0.019, 0.019, 0.019}, 0.038
		_, report, err := Build(trail.Input{Trace: s.trace}, trail.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		timed := slices.ContainsFunc(report.Trust.Assumptions, func(a string) bool { return strings.Contains(a, "the program works until it is told to stop") })
		if timed != c.timed {
			t.Errorf("%s: the program works for a time: %v; the trust report says %q", name, timed, report.Trust.Assumptions)
		}
	}
}

// A thread that is told to stop has no amount of work that more threads would share.
func TestThreadsThatAreToldToStopShareNoWork(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	var ths []*actor
	for range 3 {
		ths = append(ths, s.thread("background", main, main.now))
	}
	for _, th := range ths {
		for range 20 {
			th.does(trace.OpLock, "lock", 5, 0, 0).compute(100_000).does(trace.OpUnlock, "unlock", 5, 0, 0)
			th.now += 900_000
		}
		th.does(trace.OpDone, "done", 7, 0, 0).ends()
	}
	main.compute(19_500_000)
	main.does(trace.OpWaitGroup, "wait", 7, 0, ths[2].now-main.now)
	main.ends()
	stops := []trace.Stop{{Frame: trace.Frame{Function: "main.background", File: "main.go", Line: 2}}}
	m, report, err := Build(trail.Input{Trace: s.trace, Facts: &trace.Facts{Stops: stops}}, trail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(m.Parameters, func(p core.Parameter) bool { return p.Default == 3 })
	if i < 0 {
		t.Fatalf("no parameter for the three threads: %+v", m.Parameters)
	}
	if n := len(m.Parameters[i].Targets); n != 1 {
		t.Errorf("the number of threads turns %v, want only the pool's size; %q", m.Parameters[i].Targets, report.Trust.Assumptions)
	}
}

// Where no scan knows the loop, the run shows it: each round sleeps, no message may end it, and somebody begins to join the thread in
// the last of at least twenty rounds. Of what is joined before the thread ends, or from its start, nothing is seen.
func TestALoopThatSleepsIsSeenToEndWithAJoin(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rounds   int
		work     int64 // of main, ns, before it joins
		op       trace.Op
		told     bool
		followed bool // the thread does something after its loop
	}{
		"joined in the last of 30 rounds":       {30, 29_500_000, trace.OpLock, true, false},
		"and it does something afterwards":      {30, 29_500_000, trace.OpLock, true, true},
		"joined in the tenth round":             {30, 9_500_000, trace.OpLock, false, false},
		"joined in the last of ten":             {10, 9_500_000, trace.OpLock, false, false},
		"told by a message, as far as is known": {30, 29_500_000, trace.OpCondWait, false, false},
	} {
		s := newScript()
		main := s.thread("main", nil, 0)
		th := s.thread("background", main, 10)
		for range c.rounds {
			th.does(trace.OpSleep, "sleep", 0, 0, 900_000).does(c.op, "lock", 5, 0, 0).compute(100_000)
			if c.op == trace.OpLock {
				th.does(trace.OpUnlock, "unlock", 5, 0, 0)
			}
		}
		if c.followed {
			th.does(trace.OpSleep, "last", 0, 0, 5_000_000)
		}
		th.ends()
		main.compute(c.work)
		main.hit(trace.OpJoin, "join", false, 0, 0, uint64(s.trace.Threads[1].ID))
		main.now = th.now + 1000
		main.hit(trace.OpJoin, "join", true, 0, 0, uint64(s.trace.Threads[1].ID))
		main.ends()
		m, report := s.build(t, trail.Options{})
		if err := m.Validate(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if told := len(loopsOf(m, "background")) == 0; told != c.told {
			t.Errorf("%s: the loop is ended by somebody: %v, want %v; the trust report says %q", name, told, c.told, report.Trust.Assumptions)
		}
	}
}
