package analysis

import (
	"testing"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Ticks of one ticker come every 2 ms, whoever gets them. Where two threads take
// turns, the model has a source of ticks with that period and room for one tick,
// which a thread that finds none waits for. A thread with a ticker of its own
// just waits.
func TestTicksThatThreadsShareComeFromOneSource(t *testing.T) {
	t.Parallel()
	const period = 2_000_000
	for _, tickers := range []uint64{1, 2} {
		s := newScript()
		main := s.thread("main", nil, 0)
		for id := range tickers {
			s.trace.Objects = append(s.trace.Objects, trace.Object{ID: 1 + id, Kind: "chan", Elem: 24, Site: s.site("main.main", "ticker")})
		}
		var ws []*actor
		for range 2 {
			ws = append(ws, s.thread("worker", main, 0))
		}
		for n := range 40 {
			i := n % 2
			w, come := ws[i], int64(n+1)*period
			w.does(trace.OpReceive, "tick", 1+uint64(i)%tickers, 1, come-w.now).compute(500_000)
		}
		for _, w := range ws {
			w.ends()
			main.now = max(main.now, w.now)
		}
		main.ends()
		m, _ := s.build(t, trail.Options{})
		var sources []core.Fragment
		for _, g := range m.Graphs {
			for _, f := range g.Fragments {
				if g.ID == "ticker" && f.Class == core.DelayFragment {
					sources = append(sources, f)
				}
			}
		}
		if tickers == 2 {
			if len(sources) > 0 {
				t.Errorf("threads with tickers of their own got a source of ticks")
			}
			continue
		}
		if len(sources) != 1 {
			t.Fatalf("%d sources of ticks, want one", len(sources))
		}
		if got := sources[0].Delay.Expectation(); got < 0.99*period*1e-9 || got > 1.01*period*1e-9 {
			t.Errorf("ticks come every %.4g s, want 0.002", got)
		}
		if len(m.Locks) != 1 || m.Locks[0].Kind != core.Channel || m.Locks[0].Capacity != 1 {
			t.Errorf("ticks go through %+v, want a channel with one place", m.Locks)
		}
	}
}

// A thread computes for 1 ms at each tick of a ticker of 3 ms, until main stops it. Where the channel is known to be that of a
// ticker, the model has a clock; else the thread waits for 2 ms each time.
func TestATickerThatIsACaseOfASelectKeepsItsPace(t *testing.T) {
	t.Parallel()
	const period, tick, stop = 3_000_000, 1, 2
	for known, want := range map[bool]int{true: 1, false: 0} {
		s := newScript()
		main := s.thread("main", nil, 0)
		s.channel(tick, 1)
		s.channel(stop, 0)
		s.trace.Objects[0].Site, s.trace.Objects[0].Ticks = s.site("main.main", "ticker"), known
		s.trace.Offers = []trace.Offer{{Cases: []trace.Case{{Object: tick}, {Object: stop}}}}
		w := s.thread("refresher", main, 0)
		for n := range int64(20) {
			w.does(trace.OpSelect, "select", tick, 0, (n+1)*period-w.now).compute(1_000_000)
		}
		main.compute(61_000_000).does(trace.OpClose, "close", stop, 0, 10)
		w.does(trace.OpSelect, "select", stop, 1, main.now-w.now).ends()
		main.does(trace.OpJoin, "join", 0, 0, 1000)
		main.ends()
		m, _ := s.build(t, trail.Options{})
		clocks := 0
		for _, p := range m.Pools {
			if p.ID == trace.TickerStart {
				clocks++
			}
		}
		if clocks != want {
			t.Errorf("known to be a ticker: %v; %d clocks, want %d", known, clocks, want)
		}
	}
}

// A ticker that is late once does not change the period; receipts that did not
// have to wait tell nothing about it.
func TestThePeriodOfATickerIsThatOfReceiptsThatWaited(t *testing.T) {
	t.Parallel()
	var rs []normalise.Tick
	for n := range int64(20) {
		late := int64(0)
		if n == 7 {
			late = 900
		}
		rs = append(rs, normalise.Tick{At: n*1000 + late, Waited: true})
	}
	if got := normalise.PeriodOf(rs); got != 1000 {
		t.Errorf("period %d, want 1000", got)
	}
	for i := range rs {
		rs[i].Waited = i%2 == 0
	}
	if got := normalise.PeriodOf(rs); got != 0 {
		t.Errorf("period %d of receipts that tell nothing, want 0", got)
	}
}

// Three threads that sleep until a clock under a lock says so, one of them every 2 ms, wait for one
// limiter: with six threads each would sleep twice as long. Threads that each sleep
// for as long as they like, or always for the same time, wait for nobody.
func TestSleepsUntilOneClockAreWaitsForALimiter(t *testing.T) {
	t.Parallel()
	const period, threads, calls, work = 2_000_000, 3, 20, 300_000
	for name, c := range map[string]struct {
		until func(n, now int64) int64 // of call n
		want  bool
	}{
		"the next place of one clock": {func(n, _ int64) int64 { return n * period }, true},
		"one length":                  {func(_, now int64) int64 { return now + 3*period }, false},
		"any length":                  {func(n, now int64) int64 { return now + 1 + (n*n*7919)%(5*period) }, false},
	} {
		s := newScript()
		main := s.thread("main", nil, 0)
		var ws []*actor
		for range threads {
			ws = append(ws, s.thread("worker", main, 0))
		}
		for n := range int64(threads * calls) {
			w := ws[n%threads]
			w.does(trace.OpLock, "lock", 7, 0, 10).compute(20).does(trace.OpUnlock, "unlock", 7, 0, 10)
			if ask := c.until(n, w.now) - w.now; ask > 0 {
				w.hit(trace.OpSleep, "sleep", false, 0, ask, 0)
				w.now += ask
				w.hit(trace.OpSleep, "sleep", true, 0, 0, 0)
			}
			w.compute(work + 1000*n) // so that no two ask for the same time
		}
		for _, w := range ws {
			w.ends()
			main.now = max(main.now, w.now)
		}
		main.ends()
		m, _ := s.build(t, trail.Options{})
		var rates []float64
		for _, p := range m.Parameters {
			if p.Unit == "1/s" {
				rates = append(rates, p.Default)
			}
		}
		if got := len(rates) == 1; got != c.want {
			t.Errorf("%s: limits %v, want one: %v", name, rates, c.want)
		} else if got && (rates[0] < 499 || rates[0] > 501) {
			t.Errorf("%s: %g calls a second may pass, want 500", name, rates[0])
		}
	}
}
