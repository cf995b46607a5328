package analysis

import (
	"math"
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// takers are three threads that take ten tokens each from a bucket with room for four, into which one comes every millisecond. A
// thread that finds none sleeps for as long as wait says of what is missing, ns, and looks again.
func takers(wait func(missing float64) int64) *script {
	s := newScript()
	const threads, each, room, period = 3, 10, 4.0, 1e6
	main := s.thread("main", nil, 0)
	var ts []*actor
	for range threads {
		ts = append(ts, s.thread("taker", main, main.now+10))
	}
	tokens, last, took := room, ts[0].now, make([]int, threads)
	for {
		i := -1 // who is next: one after the other looks into the bucket
		for k, a := range ts {
			if took[k] < each && (i < 0 || a.now < ts[i].now) {
				i = k
			}
		}
		if i < 0 {
			break
		}
		a := ts[i]
		a.does(trace.OpLock, "lock", 1, 0, 1)
		tokens = min(room, tokens+float64(a.now-last)/period)
		last = a.now
		a.does(trace.OpUnlock, "unlock", 1, 0, 1)
		if tokens >= 1-1e-6 {
			tokens--
			took[i]++
			a.compute(100_000)
			continue
		}
		d := wait((1 - tokens) * period)
		a.hit(trace.OpSleep, "sleep", false, 0, d, 0)
		a.now += d
		a.hit(trace.OpSleep, "sleep", true, 0, 0, 0)
	}
	for _, a := range ts {
		a.ends()
		main.now = max(main.now, a.now)
	}
	main.ends()
	return s
}

// Who sleeps until there is a token waits for a limiter: a thread that sends one every millisecond to a channel with four places.
// Who looks again every 300 µs does not know when that is, and sleeps.
func TestABucketOfTokensIsALimiter(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		wait    func(float64) int64
		limiter bool
	}{
		"until there is one": {func(missing float64) int64 { return int64(math.Ceil(missing)) }, true},
		"every 300 µs":       {func(float64) int64 { return 300_000 }, false},
	} {
		m, _ := takers(c.wait).build(t, trail.Options{})
		i := slices.IndexFunc(m.Locks, func(l core.Lock) bool { return l.Kind == core.Channel && l.Capacity == 4 })
		if (i >= 0) != c.limiter {
			t.Errorf("%s: locks %+v: a channel with four places is %t, want %t", name, m.Locks, i >= 0, c.limiter)
		}
		period := 0.0
		for _, g := range m.Graphs {
			for _, f := range g.Fragments {
				if f.Periodic {
					period = f.Delay.Expectation()
				}
			}
		}
		if c.limiter && math.Abs(period-1e-3) > 1e-6 {
			t.Errorf("%s: a token comes every %v s, want 1 ms", name, period)
		}
	}
}
