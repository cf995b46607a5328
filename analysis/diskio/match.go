package diskio

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"tierscope/core/robust"
)

// MatchOptions say how two recordings are matched. The zero value is right for
// recordings of some minutes.
type MatchOptions struct {
	Bin     time.Duration // 0: 1 ms, or less if requests are shorter and the recordings short enough
	MaxLag  time.Duration // 0: any that lets the recordings overlap
	Least   float64       // confidence below which the match is refused; 0: 1.5
	MaxBins int           // of a recording; a longer one gets wider bins; 0: 400 000
}

// Pair is a thread of the program and its name in the kernel's log.
type Pair struct {
	User, Kernel int64
	Peak         float64 // normalised correlation at the common lag, −1 … 1
	Confidence   float64 // Peak / the best peak of either thread with anybody else
}

// Match is how the clock and the threads of a log of requests relate to those
// of a program's trace.
type Match struct {
	Pairs      []Pair  // by user thread
	Confidence float64 // peak of the lag / the best peak of any other lag
	Contained  float64 // share of the paired threads' requests that lie inside an operation
	lag        float64 // ns to add to the kernel's time zero
	zero       int64   // of the kernel's clock, for the drift
	drift      float64 // ns to add per ns
	Warnings   []string
}

// Lag returns what to add to a time of the kernel's log to get that of the
// program's clock, ns.
func (m *Match) Lag(kernel int64) float64 { return m.lag + m.drift*float64(kernel-m.zero) }

// Drift is how much faster the program's clock runs, 10⁻⁶ (ppm).
func (m *Match) Drift() float64 { return m.drift * 1e6 }

// User converts a time of the kernel's log.
func (m *Match) User(kernel int64) int64 { return kernel + int64(math.Round(m.Lag(kernel))) }

// near is the distance, in bins, from the common lag within which threads are compared: for
// rounding, and for drift.
const near = 3

// mostDrift is that of the clocks of computers, ns per ns.
const mostDrift = 100e-6

// binFor is a quarter of a typical request, lest threads that a disk answers together look alike;
// but as long as the clocks drift by less than what is near, and no longer than the usual bin, ns.
func binFor(kernel []Track, span int64) float64 {
	var times []float64
	for _, t := range kernel {
		for _, v := range t.Intervals {
			times = append(times, float64(v.End-v.Start))
		}
	}
	return min(float64(time.Millisecond), max(robust.Median(times)/4, mostDrift*float64(span)/near, float64(time.Microsecond)))
}

// guard is the distance from a peak, in bins, within which another one is the
// same peak.
const guard = 50

// MatchThreads finds which kernel thread is which thread of the program, and
// lag and drift between their clocks, by cross-correlation: all threads share
// one lag, so it is where the sum over the program's threads of their best
// correlations is greatest; then pairs are made greedily in order of their
// normalised correlation at that lag; then the intervals themselves refine lag
// and drift to microseconds.
//
// It refuses with an error when the best lag, or every pair, is not at least
// Least times as good as the next best: strictly periodic programs fit at many
// lags. Threads without requests remain unmatched.
func MatchThreads(user, kernel []Track, o MatchOptions) (Match, error) {
	user, kernel = withIntervals(user), withIntervals(kernel)
	if len(user) == 0 || len(kernel) == 0 {
		return Match{}, fmt.Errorf("match disk requests: %d threads with I/O operations and %d with requests", len(user), len(kernel))
	}
	o = o.withDefaults()
	a, b := extent(user), extent(kernel)
	span := max(a.End-a.Start, b.End-b.Start)
	bin := float64(o.Bin)
	if bin == 0 {
		bin = binFor(kernel, span)
	}
	if float64(span)/bin > float64(o.MaxBins) {
		bin = float64(span) / float64(o.MaxBins)
	}
	n := int(float64(span)/bin) + 1
	limit := n - 1
	if o.MaxLag > 0 {
		limit = min(limit, int(float64(o.MaxLag)/bin)+1)
	}
	g := newGrid(user, kernel, a.Start, b.Start, bin, n, limit)
	m := Match{zero: (b.Start + b.End) / 2}
	shift, confidence := g.commonLag()
	m.Confidence = confidence
	if confidence < o.Least {
		return m, fmt.Errorf("match disk requests: the best lag is only %.2f times as good as another one, at least %.2f are needed: the program is too periodic, or the recordings do not belong together",
			confidence, o.Least)
	}
	doubts := m.pair(g, shift, o.Least)
	if len(m.Pairs) == 0 {
		return m, fmt.Errorf("match disk requests: no pair of threads is %.2f times as similar as every other", o.Least)
	}
	m.lag = float64(a.Start-b.Start) + float64(shift)*bin
	m.refine(user, kernel, bin)
	m.adopt(user, kernel, o.Least)
	m.count(user, kernel)
	for _, u := range user {
		if doubt := doubts[u.Thread]; doubt != "" && !slices.ContainsFunc(m.Pairs, func(p Pair) bool { return p.User == u.Thread }) {
			m.Warnings = append(m.Warnings, doubt)
		}
	}
	return m, nil
}

func (o MatchOptions) withDefaults() MatchOptions {
	if o.Least == 0 {
		o.Least = 1.5
	}
	if o.MaxBins == 0 {
		o.MaxBins = 400_000
	}
	return o
}

// withIntervals drops idle tracks.
func withIntervals(tracks []Track) []Track {
	var out []Track
	for _, t := range tracks {
		if len(t.Intervals) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// extent is the time from the first start to the last end.
func extent(tracks []Track) Interval {
	e := Interval{math.MaxInt64, math.MinInt64}
	for _, t := range tracks {
		for _, v := range t.Intervals {
			e.Start, e.End = min(e.Start, v.Start), max(e.End, v.End)
		}
	}
	return e
}

// grid holds the spectra of all threads.
type grid struct {
	correlator
	user, kernel   []Track
	users, kernels [][]complex128
	limit          int // of the shift, bins
}

func newGrid(user, kernel []Track, fromUser, fromKernel int64, bin float64, n, limit int) *grid {
	g := &grid{correlator: *newCorrelator(n), user: user, kernel: kernel, limit: limit}
	for _, t := range user {
		g.users = append(g.users, g.spectrum(edges(t.Intervals, fromUser, bin, n)))
	}
	for _, t := range kernel {
		g.kernels = append(g.kernels, g.spectrum(edges(t.Intervals, fromKernel, bin, n)))
	}
	return g
}

// commonLag returns the shift at which the program's threads find their best
// partners, and how much better it is than any shift elsewhere.
func (g *grid) commonLag() (shift int, confidence float64) {
	total := make([]float64, g.n)
	best := make([]float64, g.n)
	var c []float64
	for _, u := range g.users {
		clear(best)
		for _, k := range g.kernels {
			if u == nil || k == nil {
				continue
			}
			c = g.correlation(u, k, c)
			for i, v := range c {
				best[i] = max(best[i], v)
			}
		}
		for i, v := range best {
			total[i] += v
		}
	}
	for s := -g.limit; s <= g.limit; s++ {
		if total[g.at(s)] > total[g.at(shift)] {
			shift = s
		}
	}
	second := 0.0
	for s := -g.limit; s <= g.limit; s++ {
		if s < shift-guard || s > shift+guard {
			second = max(second, total[g.at(s)])
		}
	}
	if second == 0 {
		return shift, math.Inf(1)
	}
	return shift, total[g.at(shift)] / second
}

// pair pairs threads greedily by their correlation near the common lag.
func (m *Match) pair(g *grid, shift int, least float64) (doubts map[int64]string) {
	doubts = map[int64]string{}
	peaks := make([][]float64, len(g.users))
	var order []Pair // with indices instead of threads
	var c []float64
	for i, u := range g.users {
		peaks[i] = make([]float64, len(g.kernels))
		for k, b := range g.kernels {
			if u == nil || b == nil {
				continue
			}
			c = g.correlation(u, b, c)
			for s := shift - near; s <= shift+near; s++ {
				peaks[i][k] = max(peaks[i][k], c[g.at(s)])
			}
			order = append(order, Pair{User: int64(i), Kernel: int64(k), Peak: peaks[i][k]})
		}
	}
	slices.SortStableFunc(order, func(a, b Pair) int { return cmp.Compare(b.Peak, a.Peak) })
	takenUser, takenKernel := map[int64]bool{}, map[int64]bool{}
	for _, p := range order {
		if takenUser[p.User] || takenKernel[p.Kernel] {
			continue
		}
		other := 0.0
		for k, v := range peaks[p.User] {
			if int64(k) != p.Kernel {
				other = max(other, v)
			}
		}
		for i := range peaks {
			if int64(i) != p.User {
				other = max(other, peaks[i][p.Kernel])
			}
		}
		takenUser[p.User], takenKernel[p.Kernel] = true, true
		p.Confidence = math.Inf(1)
		if other > 0 {
			p.Confidence = p.Peak / other
		}
		user, kernel := g.user[p.User].Thread, g.kernel[p.Kernel].Thread
		if p.Peak <= 0 || p.Confidence < least {
			doubts[user] = fmt.Sprintf("thread %d: its most similar thread in the log, %d, is only %.2f times as similar as another; left unmatched", user, kernel, p.Confidence)
			continue
		}
		p.User, p.Kernel = user, kernel
		m.Pairs = append(m.Pairs, p)
	}
	slices.SortFunc(m.Pairs, func(a, b Pair) int { return cmp.Compare(a.User, b.User) })
	return doubts
}
