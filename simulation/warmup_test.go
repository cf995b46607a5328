package simulation

import (
	"math"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// cold is a program of n threads that compute for 1 s each on c cores, when all is
// compiled, and a compiler.
func cold(n, c int, stages ...core.Stage) core.Model {
	m := threads(n, c, cpu("w", 1))
	m.Background = []core.Background{{ID: "jit", Trigger: core.WarmingUp, Stages: stages}}
	return m
}

// fluid is when such a program ends if the cores are shared evenly: with the
// compiler at work, n+1 threads have c cores.
func fluid(n, c int, stages []core.Stage) (end float64) {
	all, done := float64(n), 0.0
	run := func(cores float64, slow core.Stage, most float64) bool { // for most s, or to the end
		speed := cores / (1 + slow.Slowdown + slow.Company*max(0, cores-1))
		d := min(most, (all-done)/speed)
		end += d
		done += d * speed
		return d < most
	}
	for _, s := range stages {
		all := float64(min(n, c))
		if waits := (s.After - done) * (1 + s.Slowdown + s.Company*(all-1)) / all; waits > 0 && run(all, s, waits) {
			return end
		}
		share := min(1, float64(c)/float64(n+1))
		if run(float64(min(n+1, c))-share, s, s.Demand/share) {
			return end
		}
	}
	run(float64(min(n, c)), core.Stage{}, math.Inf(1))
	return end
}

// The more threads compute, the less a compiler beside them gets of the cores, and
// the longer the program is slow. Beside 1, 4 and 16 threads that need 16 s on
// two cores, the compiler needs 1, 2.5 and 8.5 s for 1 s of work.
func TestThreadsKeepTheirCompilerFromTheCores(t *testing.T) {
	t.Parallel()
	for name, stages := range map[string][]core.Stage{
		"all at once":                        {{Demand: .4, Slowdown: 2}},
		"part after part":                    {{Demand: .1, Slowdown: 3}, {Demand: .2, Slowdown: 1}, {Demand: .1}},
		"what is found by work":              {{After: .05, Demand: .02, Slowdown: 4}, {After: .4, Demand: .05, Slowdown: 4}, {After: .6, Demand: .01}},
		"not compiled when the program ends": {{Demand: 100, Slowdown: 1}},
		"slower together":                    {{Demand: .1, Slowdown: 2, Company: 3}, {After: .2, Demand: .2, Slowdown: 1, Company: .5}},
	} {
		for _, policy := range []core.CPUPolicy{core.ProcessorSharing, core.RoundRobin, core.EEVDF} {
			for _, size := range [][2]int{{1, 1}, {1, 2}, {4, 1}, {16, 1}, {2, 2}, {4, 2}, {16, 2}} {
				n, c := size[0], size[1]
				if policy != core.ProcessorSharing && c > 1 && n > 1 {
					continue // these threads do not divide evenly among cores
				}
				m := cold(n, c, stages...)
				m.CPU.Policy = policy
				r := mustCompile(t, m).replica(1, 0, 0, nil)
				r.advance(t.Context(), 1000*des.Second)
				want, tolerance := fluid(n, c, stages), 1e-4
				if policy != core.ProcessorSharing { // slices of some ms
					tolerance = .01
				}
				if got := r.Now().Seconds(); !r.finished || math.Abs(got/want-1) > tolerance {
					t.Errorf("%s, %s, %d threads on %d cores: the program takes %.4f s, want %.4f s", name, policy, n, c, got, want)
				}
			}
		}
	}
}

// Compilers take what is executed most first: a thread on one core computes 1 s, and while much that is hardly worth it is
// compiled the time of code comes that makes it three times as fast. What was begun is left for that, and goes on after it.
func TestCompilersTakeFirstWhatIsWorthMost(t *testing.T) {
	t.Parallel()
	for _, compilers := range []int{1, 2} {
		m := cold(1, 1, core.Stage{Demand: 1, Slowdown: 2.5}, core.Stage{After: .1, Demand: .05, Slowdown: 2}, core.Stage{After: .1, Demand: 100})
		m.CPU.Policy = core.ProcessorSharing
		m.Background[0].Threads = compilers
		r := mustCompile(t, m).replica(1, 0, 0, nil)
		r.advance(t.Context(), 1000*des.Second)
		// Beside k compilers the thread has 1/(k+1) of the core. It needs 0.35 s of it for 0.1 s of work, then the two
		// share what is worth most, 0.05 s in all; the rest is half as slow until the first stage is done or the program is.
		share := 1 / float64(compilers+1)
		first := .1 * 3.5 / share
		compiled := first * (1 - share)
		second := .05 / (1 - share)
		done := .1 + second*share/3.5
		rest := min((1-compiled)/(1-share), (1-done)*1.5/share)
		done += rest * share / 1.5
		want := first + second + rest + (1-done)/share
		if got := r.Now().Seconds(); !r.finished || math.Abs(got/want-1) > .01 {
			t.Errorf("%d compilers: the program takes %.4f s, want %.4f s", compilers, got, want)
		}
	}
}

// What is not compiled counts its calls in memory that threads share. Two that
// compute for 1 s each on two cores, 4 times as slowly as alone, until they have done
// 0.5 s of it, need 2 s for that and 0.75 s for the rest; on one core 1 and 1.5 s.
func TestThreadsThatAreNotCompiledSlowEachOtherDown(t *testing.T) {
	t.Parallel()
	for _, policy := range []core.CPUPolicy{core.ProcessorSharing, core.RoundRobin, core.EEVDF} {
		for cores, want := range map[int]float64{1: 2.5, 2: 2.75} {
			m := cold(2, cores, core.Stage{After: .5, Demand: 1e-9, Slowdown: 1, Company: 6})
			m.CPU.Policy = policy
			r := mustCompile(t, m).replica(1, 0, 0, nil)
			r.advance(t.Context(), 1000*des.Second)
			if got := r.Now().Seconds(); math.Abs(got/want-1) > .002 { // slices of 4 ms
				t.Errorf("%s: %d cores: %.4f s, want %.4f s", policy, cores, got, want)
			}
		}
	}
}

// A collection is due after so much work of the program, however slow that is: 2 s
// of work with one after every 10 ms are 200 collections, of 1 ms each.
func TestASlowProgramDoesNotAllocateMore(t *testing.T) {
	t.Parallel()
	m := cold(2, 1, core.Stage{Demand: .5, Slowdown: 3})
	m.Background = append(m.Background, core.Background{ID: "gc", Trigger: core.EveryCPU, Interval: constant(.010), Demand: constant(.001)})
	r := mustCompile(t, m).replica(1, 0, 0, nil)
	r.advance(t.Context(), 1000*des.Second)
	own := 0.0
	for i := range r.burdens {
		if r.program.background[i].ID == "gc" {
			own = r.burdens[i].own * 1e-9
		}
	}
	if !r.finished || math.Abs(own-.2) > .003 {
		t.Errorf("the collector has used %.4f s, want 0.2 s", own)
	}
}

// Without compile work the program is as quick as one without a compiler.
func TestAProgramThatIsCompiledAheadStartsWarm(t *testing.T) {
	t.Parallel()
	m, err := cold(4, 2, core.Stage{Demand: .4, Slowdown: 2}, core.Stage{Demand: .1, Slowdown: 1}).With(map[string]float64{"background/jit/scale": 1e-12})
	if err != nil {
		t.Fatal(err)
	}
	m.CPU.Policy = core.ProcessorSharing
	r := mustCompile(t, m).replica(1, 0, 0, nil)
	r.advance(t.Context(), 1000*des.Second)
	if got := r.Now().Seconds(); math.Abs(got-2) > 1e-4 {
		t.Errorf("4 threads of 1 s take %.5f s on 2 cores, want 2 s", got)
	}
}

// The start of a run-time system is compiled ahead: of 1 s the first 0.3 s are none of the
// program's, which is half as fast from then until 0.5 s are done.
func TestTheStartOfARunTimeSystemIsNotSlow(t *testing.T) {
	t.Parallel()
	m := cold(1, 1, core.Stage{After: .5, Demand: 1e-9, Slowdown: 1})
	m.Background[0].Start = .3
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	r := mustCompile(t, m).replica(1, 0, 0, nil)
	r.advance(t.Context(), 1000*des.Second)
	if got := r.Now().Seconds(); math.Abs(got-1.2) > 2e-3 { // the compiler takes chunks of 1 ms
		t.Errorf("the program takes %.4f s, want 1.2 s", got)
	}
}

// A result says how many cores background work kept busy: two threads and a compiler need
// 2.4 s on one core, the compiler 0.4 s of it.
func TestBackgroundWorkIsAccountedFor(t *testing.T) {
	t.Parallel()
	r, err := Run(t.Context(), cold(2, 1, core.Stage{Demand: .4}), nil, Options{Replications: 5})
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := r.Find("N background/jit mean"); !ok || math.Abs(n.Estimate.Mean-.4/2.4) > 1e-3 {
		t.Errorf("the compiler keeps %.4f cores busy (%v), want %.4f", n.Estimate.Mean, ok, .4/2.4)
	}
}
