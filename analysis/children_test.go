package analysis

import (
	"testing"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
)

// waitsFor makes a thread wait so long for a process that used so much CPU time, ns.
func (a *actor) waitsFor(cpu, wall int64) *actor {
	return a.does(trace.OpExternal, "wait", 0, cpu, wall)
}

// A child that had a core whenever it wanted computes for its CPU time and is delayed
// for the rest. Two that shared a core had no other delay than each other.
func TestAThreadThatWaitsForAProcessDoesItsWork(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		threads        int
		cpu, wall      int64 // of each child, ns
		compute, delay int64 // of each thread in the model's terms, ns
	}{
		"alone":                       {1, 6_000_000, 10_000_000, 6_000_000, 4_000_000},
		"two on one core":             {2, 5_000_000, 10_000_000, 5_000_000, 0},
		"two, waiting for a disk":     {2, 1_000_000, 10_000_000, 1_000_000, 8_000_000},
		"with two threads of its own": {1, 18_000_000, 10_000_000, 10_000_000, 0},
	} {
		s := newScript()
		s.trace.Cores = 1
		for range c.threads {
			s.thread("worker", nil, 0).compute(1_000_000).waitsFor(c.cpu, c.wall).compute(1_000_000).does(trace.OpSleep, "sleep", 0, 0, 1_000).ends()
		}
		for i, th := range normalise.ChildrenCompute(s.trace).Threads {
			start, end, next := th.Records[0], th.Records[1], th.Records[2]
			if compute, delay := start.CPU-1_000_000, end.Time-start.Time; compute != c.compute || delay != c.delay {
				t.Errorf("%s: thread %d computes for %d ns and is delayed for %d, want %d and %d", name, i, compute, delay, c.compute, c.delay)
			}
			if after := next.CPU - end.CPU; end.CPU != start.CPU || after != 1_000_000 {
				t.Errorf("%s: thread %d then computes for %d ns, want 1000000", name, i, after)
			}
		}
		if first := s.trace.Threads[0].Records[0]; first.CPU != 1_000_000 {
			t.Errorf("%s: the recording itself was changed", name)
		}
	}
}

// A child of 5 ms shares the only core with a thread of the program, which computes 5 ms meanwhile:
// after 10 ms both are done, and nothing has delayed the child. If the thread computes 2 ms, the core
// was idle for 3.
func TestAChildIsNotDelayedWhileTheProgramHasAllCores(t *testing.T) {
	t.Parallel()
	for own, want := range map[int64]int64{5_000_000: 0, 2_000_000: 3_000_000, 0: 5_000_000} {
		s := newScript()
		s.trace.Cores = 1
		s.thread("worker", nil, 0).compute(1_000_000).waitsFor(5_000_000, 10_000_000).ends()
		other := s.thread("other", nil, 0)
		other.hit(trace.OpMake, "make", false, 0, 0, 0)
		other.now = 1_000_000
		other.hit(trace.OpMake, "make", false, 0, 0, 0)
		other.cpu += own
		other.now = 11_000_000
		other.hit(trace.OpMake, "make", false, 0, 0, 0)
		other.ends()
		rs := normalise.ChildrenCompute(s.trace).Threads[0].Records
		if delay := rs[1].Time - rs[0].Time; delay != want {
			t.Errorf("the program computes for %d ns meanwhile, and the child is delayed for %d, want %d", own, delay, want)
		}
	}
}
