package simulation

import (
	"math"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// A timer is its P's: who sleeps beside threads that always compute is awake when the slice of one of them has ended, after half a slice in
// the mean, and goes before the others; it does not wait for the slices of all.
func TestWhoSleepsInGoWaitsForOneSlice(t *testing.T) {
	t.Parallel()
	for cores := 1; cores <= 2; cores++ {
		m := core.Model{Name: "sleeper", CPU: core.CPU{Cores: cores, Policy: core.GoScheduler},
			Graphs: []core.Graph{
				{ID: "sleeper", Entry: "sleep", Fragments: []core.Fragment{
					{ID: "sleep", Class: core.DelayFragment, Delay: exponential(.1), Timer: true, Next: to("burst")},
					{ID: "burst", Class: core.CPUFragment, Demand: constant(.001), Next: to("sleep")},
				}},
				{ID: "hog", Entry: "loop", Fragments: []core.Fragment{{ID: "loop", Class: core.CPUFragment, Demand: constant(1), Next: to("loop")}}},
			},
			Pools: []core.Pool{{ID: "sleepers", Graph: "sleeper", Size: 1}, {ID: "hogs", Graph: "hog", Size: 4 * cores}}}
		p := mustCompile(t, m)
		r := p.replica(1, 0, 0, nil)
		r.advance(t.Context(), 10*des.Second)
		r.restart()
		r.advance(t.Context(), 1000*des.Second)
		const half, burst = .010, .001
		if got := ratioOf(t, p, r.observe(), "E fragment/sleeper/burst mean"); math.Abs(got-half-burst) > .0015 {
			t.Errorf("%d cores: a burst of 1 ms ends %.1f ms after it woke up, want half a slice of 20 ms later than alone: 11 ms", cores, 1e3*got)
		}
	}
}

// Where a P has nothing to do, Go waits for timers in whole milliseconds, and comes back too late each time. (Measured with Go 1.26 alone on one
// P of two machines: 1.07, 2.15, 3.14 ms; 1.10, 2.20, 3.21, 5.20 for 5, 10.25 for 10 ms.)
func TestGoSleepsWholeMillisecondsWhereThereIsNothingToDo(t *testing.T) {
	t.Parallel()
	for asked, want := range map[float64]float64{.0003: .00107, .0015: .00214, .002: .00214, .0025: .00314, .00205: .00212, .005: .00514} {
		m := core.Model{Name: "alone", CPU: core.CPU{Cores: 1, Policy: core.GoScheduler, WakeIdleCore: constant(70e-6)},
			Graphs: []core.Graph{{ID: "g", Entry: "sleep", Fragments: []core.Fragment{
				{ID: "sleep", Class: core.DelayFragment, Delay: constant(asked), Timer: true, Next: to("burst")},
				{ID: "burst", Class: core.CPUFragment, Demand: constant(1e-6), Next: to("sleep")},
			}}}, Pools: []core.Pool{{ID: "p", Graph: "g", Size: 1}}}
		p := mustCompile(t, m)
		r := p.replica(1, 0, 0, nil)
		r.advance(t.Context(), des.Second)
		r.restart()
		r.advance(t.Context(), 10*des.Second)
		if got := ratioOf(t, p, r.observe(), "E fragment/g/sleep mean") + ratioOf(t, p, r.observe(), "E fragment/g/burst mean") - 1e-6; math.Abs(got-want) > 1e-6 {
			t.Errorf("a sleep of %.2f ms takes %.3f ms, want %.2f", 1e3*asked, 1e3*got, 1e3*want)
		}
	}
}

// Who comes back for one timer finds those that expire on its way as well. (Measured with Go 1.26, 12 goroutines that sleep for 2.005 ms, with one of some
// permits, and compute for 30 µs: 2.20, 2.24, 2.27, 2.33, 2.32 ms for 2 to 6 permits.)
func TestGoFindsTimersThatExpireOnItsWayBack(t *testing.T) {
	t.Parallel()
	latency := core.Distribution{Kind: core.Uniform, Min: 70e-6, Max: 120e-6}
	for i, measured := range []float64{.00220, .00224, .00227, .00233, .00232} {
		m := threads(12, 2, loop("rounds", 200, "enter"), syncOp("enter", "L", core.Enter, "nap"), sleep("nap", .002005, "exit"),
			syncOp("exit", "L", core.Exit, "burst"), cpu("burst", 30e-6, "rounds"))
		m.Graphs[0].Fragments[2].Timer = true
		m.CPU.Policy, m.CPU.WakeIdleCore, m.CPU.WakeQueued = core.GoScheduler, latency, constant(30e-6)
		permits := 2 + i
		m.Locks = []core.Lock{{ID: "L", Kind: core.Semaphore, Permits: permits}}
		got := find(t, run(t, m, nil, Options{}), "T program mean").Mean * float64(permits) / 12 / 200
		if math.Abs(got/measured-1) > .06 {
			t.Errorf("%d permits: a round takes %.2f ms, measured %.2f", permits, 1e3*got, 1e3*measured)
		}
	}
}

// CPU time is the integral of the busy cores, however often its account is closed: a burst that is under way then is on both
// sides of it, in parts.
func TestRestartsNeitherLoseWorkNorCountItTwice(t *testing.T) {
	t.Parallel()
	for _, policy := range []core.CPUPolicy{core.EEVDF, core.RoundRobin, core.GoScheduler, core.ProcessorSharing, core.PreemptivePriority} {
		m := station(1.5, 3, core.Unbounded, exponential(1))
		m.CPU.Cores, m.CPU.Policy = 2, policy
		p := mustCompile(t, m)
		whole, parts := p.replica(3, 0, 0, nil), p.replica(3, 0, 0, nil)
		busy := 0.0
		for s := des.Time(1); s <= 100; s++ {
			whole.advance(t.Context(), s*7*des.Second/3)
			parts.advance(t.Context(), s*7*des.Second/3)
			for _, b := range parts.processor.Usage().Busy {
				busy += b
			}
			parts.restart()
		}
		want, _ := whole.processor.Work()
		if got := parts.workBefore; math.Abs(got-want) > 1e3 || math.Abs(got-busy) > 1e3 {
			t.Errorf("%s: %.9g s of CPU time with restarts, %.9g s without; the cores were busy for %.9g s", policy, got*1e-9, want*1e-9, busy*1e-9)
		}
	}
}
