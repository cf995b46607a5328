package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tierscope/analysis/demand"
	"tierscope/analysis/pools"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// requests adds requests that come after exponential pauses to a script: each
// computes 1 ms, and a core that was idle for τ needs 1+slow times as long for the first
// 0.4·(1 − exp(−τ/1 ms)) ms of it, plus what was left cold.
func (s *script) requests(n int, pause, slow float64) {
	random := rand.New(rand.NewPCG(1, 2))
	s.served(n, func() float64 { return random.ExpFloat64() * pause }, func() float64 { return 1e6 * (0.9 + 0.2*random.Float64()) },
		core.Cold{Slowdown: slow, Work: 0.4e-3, After: 1e-3})
}

// served adds requests that come after such pauses and compute so long on a warm core, in ns.
func (s *script) served(n int, pause, computes func() float64, c core.Cold) {
	th := s.thread("serve", nil, 0)
	cold, arrival := 1e9*c.Work, 0.0
	for range n {
		arrival += pause()
		if idle := arrival - float64(th.now); idle > 0 {
			th.does(trace.OpNetRead, "wait", 1, 1, int64(idle))
			cold = 1e9*c.Work - (1e9*c.Work-cold)*math.Exp(-idle/(1e9*c.After))
		} else {
			th.does(trace.OpNetRead, "wait", 1, 1, 0)
		}
		d := computes()
		paid := min(cold, d)
		cold -= paid
		th.compute(int64(d+c.Slowdown*paid)).does(trace.OpNetWrite, "answer", 1, 1, 0)
	}
	s.trace.Cores = 1
	s.trace.WorkEnd = th.now
	th.ends()
}

// demands returns the state of Build after coldness was removed, with the mean
// CPU time of a request.
func (s *script) demands() (tr *trail.Trail, mean float64) {
	tr = &trail.Trail{Trace: s.trace, Server: true}
	pools.Threads(tr)
	pools.Fragments(tr)
	demand.Coldness(tr)
	n := 0
	for _, q := range tr.AllSequences() {
		for i := range q.Steps {
			if q.Steps[i].Node.Op == trace.OpNetWrite {
				mean += float64(q.Steps[i].Gap)
				n++
			}
		}
	}
	return tr, mean / float64(n)
}

// "Near saturation a server's CPU time per request is that of warm caches": from
// one run at a quarter of the load, the demand of 1 ms, the slowdown of 1 and the
// cold work of 0.4 ms come back.
func TestPausesInOneRunShowWhatARequestCostsWithoutThem(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.requests(2000, 4e6, 1)
	tr, mean := s.demands()
	if tr.Cold == nil {
		t.Fatal("the model has no cold cores")
	}
	if math.Abs(mean/1e6-1) > 0.02 {
		t.Errorf("a request costs %.3f ms on a warm core, want 1 ms", 1e-6*mean)
	}
	if extra := tr.Cold.Slowdown * tr.Cold.Work; math.Abs(extra/0.4e-3-1) > 0.1 {
		t.Errorf("the first request after a long pause costs %.3f ms more, want 0.4 ms", 1e3*extra)
	}
}

// The costs of two loads decide, and better those of three: also where requests differ as much as they do in
// programs, and the recording has few of them, the demand comes back, the rest is
// coldness, and their sum is what requests cost.
func TestTwoLoadsOrThreeShowWhatARequestCostsOnAWarmCore(t *testing.T) {
	t.Parallel()
	cost := (*script).used
	for name, c := range map[string]struct {
		slow, within float64
		saturated    bool
	}{
		"cold cores": {1, 0.05, false}, "cold cores that matter little": {0.2, 0.03, false}, "none": {0, 0.03, false},
		"cold cores, and a load without pauses": {1, 0.03, true}, "no cold cores and such a load": {0, 0.03, true},
	} {
		s, busy := newScript(), newScript()
		s.requests(300, 5e6, c.slow)
		busy.requests(300, 1.5e6, c.slow)
		s.trace.Busier = &trace.Busier{Factor: 5 / 1.5, Cost: cost(busy) / cost(s)}
		if saturated := newScript(); c.saturated {
			saturated.requests(300, 0.5e6, c.slow)
			s.trace.Busier.Saturated = cost(saturated) / cost(s)
		}
		tr, mean := s.demands()
		if math.Abs(mean/1e6-1) > c.within {
			t.Errorf("%s: a request costs %.3f ms on a warm core, want 1 ms", name, 1e-6*mean)
		}
		sum := 300 * mean
		if tr.Cold != nil {
			periods := demand.BusyPeriods(tr)
			sum += tr.Cold.Slowdown * demand.ColdSum(periods, 1, 1e9*tr.Cold.Work, 1e9*tr.Cold.After)
		}
		if math.Abs(sum/cost(s)-1) > 0.05 {
			t.Errorf("%s: the model has %.0f ms in all, the run took %.0f", name, 1e-6*sum, 1e-6*cost(s))
		}
	}
}

// used is the CPU time of the thread of a script, ns.
func (s *script) used() float64 {
	th := s.trace.Threads[0]
	return float64(th.Records[len(th.Records)-1].CPU)
}

// "The CPU time per request falls as the load grows": what costs a third leaves longer pauses under a higher load than
// what costs as much as in the recording, and these pauses say how cold the cores are there.
func TestRequestsThatGetCheaperLeaveLongerPauses(t *testing.T) {
	t.Parallel()
	const n = 2000
	s, busy := newScript(), newScript()
	s.requests(n, 12e6, 5)
	busy.requests(n, 3e6, 5)
	s.trace.Busier = &trace.Busier{Factor: 4, Cost: busy.used() / s.used()}
	if _, mean := s.demands(); math.Abs(mean/1e6-1) > 0.1 {
		t.Errorf("a request costs %.3f ms on a warm core, want 1 ms", 1e-6*mean)
	}
}

// Pauses that are all as long do not tell after what pauses a core is cold, and neither does a second load: a
// third one does, so that a request gets as much cheaper under a load that nobody measured as it does.
func TestALoadBetweenShowsAfterWhatPausesACoreIsCold(t *testing.T) {
	t.Parallel()
	const n, pause, factor, other = 300, 30e6, 8.0, 1.5
	for _, after := range []float64{1e-3, 10e-3, 30e-3} {
		run := func(times, mean float64, c core.Cold) *script {
			s, random := newScript(), rand.New(rand.NewPCG(1, 2))
			s.served(n, func() float64 { return pause / times }, func() float64 { return mean * (0.1 + 1.8*random.Float64()) }, c)
			return s
		}
		cost := func(times, mean float64, c core.Cold) float64 { // of the requests of a run, to that of the recorded one
			return run(times, mean, c).used() / run(1, mean, c).used()
		}
		truth := core.Cold{Slowdown: 4, Work: 0.4e-3, After: after}
		s := run(1, 1e6, truth)
		s.trace.Busier = &trace.Busier{Factor: factor, Cost: cost(factor, 1e6, truth), Between: cost(math.Sqrt(factor), 1e6, truth)}
		tr, mean := s.demands()
		if tr.Cold == nil {
			tr.Cold = &core.Cold{After: 1}
		}
		if got, want := cost(other, mean, *tr.Cold), cost(other, 1e6, truth); math.Abs(got-want) > 0.02 {
			t.Errorf("under %g times the load a request costs %.3f times as much, want %.3f; a core is cold after %g s, want %g", other, got, want, tr.Cold.After, after)
		}
	}
}

// Where requests cost the same after every pause, nothing is changed: of many
// (W, θ) tried, none is significant by chance.
func TestRequestsThatCostTheSameAfterEveryPauseAreLeftAlone(t *testing.T) {
	t.Parallel()
	for seed := range int64(5) {
		s := newScript()
		s.requests(1000+int(seed)*10, 4e6, 0)
		if tr, mean := s.demands(); tr.Cold != nil || math.Abs(mean/1e6-1) > 0.01 {
			t.Errorf("with %d requests: a request costs %.3f ms, want 1 ms, and the model has cold cores: %v", 1000+seed*10, 1e-6*mean, tr.Cold)
		}
	}
}

// What the process used and no thread did was searched after busy periods, so that the
// sum is that of the process and no request takes longer: 2000 requests of 1 ms and
// 400 ms of the scheduler, with and without a second load that costs as much less as its
// searches are cut short.
func TestTheSchedulersTimeIsOnNoRequestsWay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		busier *trace.Busier
		want   float64 // ns searched
	}{
		{nil, 400e6},
		{&trace.Busier{Factor: 1, Cost: 1, Saturated: 2.0 / 2.4}, 400e6},
		{&trace.Busier{Factor: 1, Cost: 1, Saturated: 2.1 / 2.4}, 300e6},
	} {
		s := newScript()
		s.requests(2000, 4e6, 0)
		s.trace.WorkCPU = 2_400_000_000
		s.trace.Busier = c.busier
		tr, mean := s.demands()
		if tr.Cold == nil {
			t.Fatal("no core searches")
		}
		if sum := demand.SearchedIn(demand.BusyPeriods(tr), 1e9*tr.Cold.Search); math.Abs(sum/c.want-1) > 0.02 {
			t.Errorf("cores search for %.0f ms in all, want %.0f ms", 1e-6*sum, 1e-6*c.want)
		}
		if want := 1e6 + (400e6-c.want)/2000; math.Abs(mean/want-1) > 0.01 {
			t.Errorf("a request costs %.3f ms, want %.3f", 1e-6*mean, 1e-6*want)
		}
		if tr.Cold.Slowdown > 0.01 {
			t.Errorf("cold cores are slower by %.0f %%, want 0", 100*tr.Cold.Slowdown)
		}
	}
}

// A batch program computes sixty times 1 ms, and waits 2 ms for a file each time. Its process used
// another 59 · 100 µs, which are no thread's: after each computation but the last its core looked for work
// for 100 µs. What is less than a hundredth of the process's time is noise, and more
// than half of it no search.
func TestWhatNoThreadOfABatchProgramUsedIsSearched(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		nobodys int64   // ns
		want    float64 // s
	}{{59 * 100_000, 100e-6}, {0, 0}, {500_000, 0}, {61_000_000, 0}} {
		s := newScript()
		main := s.thread("main", nil, 0)
		for range 60 {
			main.compute(1_000_000).does(trace.OpFileRead, "file", 0, 1, 2_000_000)
		}
		main.ends()
		s.trace.ProcessCPU = main.cpu + c.nobodys
		m, _ := s.build(t, trail.Options{Threshold: -1})
		got := 0.0
		if m.CPU.Cold != nil {
			got = m.CPU.Cold.Search
		}
		if math.Abs(got-c.want) > 0.01*c.want {
			t.Errorf("of %d ns that are no thread's a core searches for %g s each time, want %g", c.nobodys, got, c.want)
		}
	}
}

// Searches that are cut short by the next request are shorter: of idle times of 1, 2
// and 9 ns, 8 ns are searched where each search takes up to 5.
func TestASearchEndsWhenWorkComes(t *testing.T) {
	t.Parallel()
	periods := []demand.BusyPeriod{{Idle: 9, Counts: true}, {Idle: 1, Counts: true}, {Idle: 2, Counts: true}, {Idle: 100}}
	for _, c := range []struct{ total, want float64 }{{0, 0}, {3, 1}, {5, 2}, {8, 5}, {12, 9}, {20, 9}} {
		if got := demand.SearchFor(periods, c.total); got != c.want {
			t.Errorf("%v ns in all: %v each, want %v", c.total, got, c.want)
		}
	}
	if got := demand.SearchedIn(periods, 5); got != 8 {
		t.Errorf("%v ns are searched, want 8", got)
	}
}

// Twice as many requests come twice as fast, but what one of them waits for on its way
// takes as long as before: of busy periods of 1 ns at 0, 3 | 10, 13 | 20, 23 the first of each
// request finds the core idle for 1 ns instead of 6, and the second for 2 ns.
func TestRequestsThatComeFasterWaitAsLongOnTheirWay(t *testing.T) {
	t.Parallel()
	var periods []demand.BusyPeriod
	for _, at := range []int64{0, 10, 20} {
		periods = append(periods, demand.BusyPeriod{From: at, Length: 1, Expected: 1, Arrival: true}, demand.BusyPeriod{From: at + 3, Length: 1, Expected: 1})
	}
	var idles []int64
	for _, p := range demand.Replayed(periods, 1, 2) {
		idles = append(idles, p.Idle)
	}
	if want := []int64{0, 2, 1, 2, 1, 2}; !slices.Equal(idles, want) {
		t.Errorf("the core was idle for %v before, want %v", idles, want)
	}
}
