package diskio

import (
	"cmp"
	"math"
	"slices"

	"tierscope/core/robust"
)

// refine improves lag and drift by the intervals of the paired threads, in two
// steps.
//
// First the drift: in each of some stretches of the log, the differences between
// starts of operations and of requests, and between their ends, pile up at the
// lag there; a line through these gives the drift to some ppm.
//
// Then bounds: a request lies inside the operation that caused it, so the lag
// lies between the differences of their starts and of their ends; the right lag
// satisfies most of these bounds. Windows are refined one by one and a line is
// put through their lags: short ones first, as long as the drift is not well
// known, then ones that are long enough to hold tight bounds.
func (m *Match) refine(user, kernel []Track, bin float64) {
	operations, requests := map[int64][]Interval{}, map[int64][]Interval{}
	for _, t := range user {
		operations[t.Thread] = t.Intervals
	}
	var paired []Track
	total := 0
	for _, t := range kernel {
		if slices.ContainsFunc(m.Pairs, func(p Pair) bool { return p.Kernel == t.Thread }) {
			requests[t.Thread] = t.Intervals
			paired = append(paired, t)
			total += len(t.Intervals)
		}
	}
	e := extent(paired)
	length := float64(e.End - e.Start)
	const (
		second    = 1e9
		width     = 0.1e6 // ns, of a pile
		tight     = 300   // requests, for bounds tight to some microseconds
		reach     = 0.5e6 // ns, error of the first step
		stretches = 8
	)
	m.fit(m.piles(operations, requests, 20*bin, width, length/stretches))
	short := min(2*second, length)
	long := min(max(short, length*tight/float64(max(1, total))), max(short, length/3))
	for _, pass := range []struct{ window, reach float64 }{{short, reach}, {short, reach / 4}, {long, reach / 10}, {long, reach / 10}} {
		m.fit(m.windows(operations, requests, pass.reach, pass.window))
	}
	m.centre(m.inside(operations, requests))
}

// entry is about the least time from the begin of a system call to the request
// that it makes, ns. The way back, from the end of the request to that of the call,
// takes longer: a thread is woken up.
const entry = 1.5e3

// limit is a bound at a time of the kernel, from the zero of the drift.
type limit struct {
	at float64
	bound
}

// inside returns the bounds of all requests that lie inside an operation, give or
// take what the line may still be wrong by.
func (m *Match) inside(operations, requests map[int64][]Interval) []limit {
	const slack = 20e3 // ns
	var all []limit
	for _, p := range m.Pairs {
		u := operations[p.User]
		j := 0
		for _, k := range requests[p.Kernel] {
			start, end := float64(k.Start)+m.Lag(k.Start), float64(k.End)+m.Lag(k.End)
			for j < len(u) && float64(u[j].End)+slack < end {
				j++
			}
			if j == len(u) || float64(u[j].Start)-slack > start {
				continue
			}
			all = append(all, limit{float64(k.Start - m.zero), bound{float64(u[j].Start - k.Start), math.Inf(1)}},
				limit{float64(k.End - m.zero), bound{math.Inf(-1), float64(u[j].End - k.End)}})
		}
	}
	return all
}

// centre puts the line where all bounds together leave most room. For a drift d
// the lag is between the greatest low − d·t and the least high − d·t; the room
// between them is a concave function of d, so its peak is found by cutting thirds.
// A line that some bound forbids is left where it is.
func (m *Match) centre(all []limit) {
	if len(all) == 0 {
		return
	}
	room := func(d float64) (low, high float64) {
		low, high = math.Inf(-1), math.Inf(1)
		for _, l := range all {
			low, high = max(low, l.low-d*l.at), min(high, l.high-d*l.at)
		}
		return low, high
	}
	const reach, steps = 300e-6, 60 // of the drift
	a, b := m.drift-reach, m.drift+reach
	for range steps {
		x, y := a+(b-a)/3, b-(b-a)/3
		lowX, highX := room(x)
		lowY, highY := room(y)
		if highX-lowX < highY-lowY {
			a = x
		} else {
			b = y
		}
	}
	if low, high := room((a + b) / 2); high > low {
		m.drift = (a + b) / 2
		m.lag = low + min((high-low)/2, entry)
	}
}

// window returns the number of the window of the given length in which a time
// lies, counted from the zero of the drift.
func (m *Match) window(at int64, length float64) int64 {
	return int64(math.Floor(float64(at-m.zero) / length))
}

// piles finds the lag of every stretch of the log as the mode of the
// differences of starts and of ends, near the present line.
func (m *Match) piles(operations, requests map[int64][]Interval, reach, width, length float64) []sample {
	type pile map[int64]float64
	found := map[int64]pile{}
	for _, p := range m.Pairs {
		u := operations[p.User]
		j := 0
		for _, k := range requests[p.Kernel] {
			expected := m.Lag(k.Start)
			for j < len(u) && float64(u[j].End-k.End) < expected-reach {
				j++
			}
			w := m.window(k.Start, length)
			if found[w] == nil {
				found[w] = pile{}
			}
			for i := j; i < len(u) && float64(u[i].Start-k.Start) <= expected+reach; i++ {
				for _, d := range [2]int64{u[i].Start - k.Start, u[i].End - k.End} {
					// shared by neighbours, so that a pile on a boundary is not halved
					at := int64(math.Floor((float64(d) - expected) / width))
					found[w][at]++
					found[w][at-1] += 0.5
					found[w][at+1] += 0.5
				}
			}
		}
	}
	var samples []sample
	for w, pile := range found {
		best, height := int64(0), 0.0
		for at, h := range pile {
			if h > height || h == height && at < best {
				best, height = at, h
			}
		}
		at := (float64(w) + 0.5) * length
		samples = append(samples, sample{at, m.lag + m.drift*at + (float64(best)+0.5)*width, height})
	}
	slices.SortFunc(samples, func(a, b sample) int { return cmp.Compare(a.at, b.at) })
	return samples
}

// sample is the lag of one window.
type sample struct{ at, lag, weight float64 }

// bound says that the lag is between two values if a request belongs to an
// operation.
type bound struct{ low, high float64 }

// windows finds the lag of every window, near the present line.
func (m *Match) windows(operations, requests map[int64][]Interval, reach, length float64) []sample {
	byWindow := map[int64][]bound{}
	for _, p := range m.Pairs {
		u := operations[p.User]
		j := 0
		for _, k := range requests[p.Kernel] {
			expected := m.Lag(k.Start)
			for j < len(u) && float64(u[j].End-k.End) < expected-reach {
				j++
			}
			w := m.window(k.Start, length)
			for i := j; i < len(u) && float64(u[i].Start-k.Start) <= expected+reach; i++ {
				low := max(float64(u[i].Start-k.Start)-expected, -reach)
				high := min(float64(u[i].End-k.End)-expected, reach)
				if low <= high {
					byWindow[w] = append(byWindow[w], bound{low, high})
				}
			}
		}
	}
	var samples []sample
	for w, bounds := range byWindow {
		residual, depth := deepest(bounds)
		at := (float64(w) + 0.5) * length
		samples = append(samples, sample{at, m.lag + m.drift*at + residual, float64(depth)})
	}
	slices.SortFunc(samples, func(a, b sample) int { return cmp.Compare(a.at, b.at) })
	return samples
}

// deepest returns the middle of the values that satisfy most bounds, and how
// many those are.
func deepest(bounds []bound) (float64, int) {
	type edge struct {
		x     float64
		delta int
	}
	all := make([]edge, 0, 2*len(bounds))
	for _, b := range bounds {
		all = append(all, edge{b.low, 1}, edge{b.high, -1})
	}
	slices.SortFunc(all, func(a, b edge) int {
		if c := cmp.Compare(a.x, b.x); c != 0 {
			return c
		}
		return cmp.Compare(b.delta, a.delta)
	})
	depth, best, from, to := 0, 0, 0.0, 0.0
	for i, e := range all {
		if depth += e.delta; depth > best && i+1 < len(all) {
			best, from, to = depth, e.x, all[i+1].x
		}
	}
	return (from + to) / 2, best
}

// fit puts the line of lag and drift through samples: the slope is the median
// of slopes between samples (Theil–Sen), which bad windows do not disturb. One
// window alone gives the lag only.
func (m *Match) fit(samples []sample) {
	if len(samples) == 0 {
		return
	}
	heavy := 0.0
	for _, s := range samples {
		heavy = max(heavy, s.weight)
	}
	samples = slices.DeleteFunc(samples, func(s sample) bool { return s.weight < heavy/4 })
	var slopes []float64
	for i, a := range samples {
		for _, b := range samples[i+1:] {
			// far apart only: the error of a lag is divided by the distance
			if b.at-a.at >= (samples[len(samples)-1].at-samples[0].at)/3 {
				slopes = append(slopes, (b.lag-a.lag)/(b.at-a.at))
			}
		}
	}
	const most = 1e-3 // a clock that drifts by more is not a clock
	if len(slopes) > 0 {
		if d := robust.Median(slopes); math.Abs(d) < most {
			m.drift = d
		}
	}
	residuals := make([]float64, len(samples))
	for i, s := range samples {
		residuals[i] = s.lag - m.drift*s.at
	}
	m.lag = robust.Median(residuals)
}

// count finds the share of requests that lie inside an operation of their
// thread.
func (m *Match) count(user, kernel []Track) {
	of := func(tracks []Track, thread int64) []Interval {
		return tracks[slices.IndexFunc(tracks, func(t Track) bool { return t.Thread == thread })].Intervals
	}
	inside, all := 0, 0
	for _, p := range m.Pairs {
		requests := of(kernel, p.Kernel)
		inside += m.contained(of(user, p.User), requests)
		all += len(requests)
	}
	m.Contained = float64(inside) / float64(max(1, all))
}

// contained counts the requests that lie inside an operation.
func (m *Match) contained(operations, requests []Interval) int {
	const slack = 5e3 // ns, the accuracy of the lag
	n, j := 0, 0
	for _, k := range requests {
		start, end := float64(k.Start)+m.Lag(k.Start), float64(k.End)+m.Lag(k.End)
		for j < len(operations) && float64(operations[j].End)+slack < end {
			j++
		}
		if j < len(operations) && float64(operations[j].Start)-slack <= start {
			n++
		}
	}
	return n
}

// adopt pairs threads whose correlation was not clear enough, now that the lag is
// known to microseconds: nearly all requests lie inside operations of the one, and
// fewer by the factor least inside those of any other that is left.
func (m *Match) adopt(user, kernel []Track, least float64) {
	const nearlyAll = 0.95
	left := func(tracks []Track, of func(Pair) int64) []Track {
		return slices.DeleteFunc(slices.Clone(tracks), func(t Track) bool {
			return slices.ContainsFunc(m.Pairs, func(p Pair) bool { return of(p) == t.Thread })
		})
	}
	users := left(user, func(p Pair) int64 { return p.User })
	kernels := left(kernel, func(p Pair) int64 { return p.Kernel })
	for _, k := range kernels {
		best, second, who := 0, 0, -1
		for i, u := range users {
			switch n := m.contained(u.Intervals, k.Intervals); {
			case n > best:
				best, second, who = n, best, i
			default:
				second = max(second, n)
			}
		}
		if float64(best) < nearlyAll*float64(len(k.Intervals)) || float64(best) < least*float64(second) {
			continue
		}
		m.Pairs = append(m.Pairs, Pair{User: users[who].Thread, Kernel: k.Thread, Confidence: float64(best) / float64(max(1, second))})
		users = slices.Delete(users, who, who+1)
	}
	slices.SortFunc(m.Pairs, func(a, b Pair) int { return cmp.Compare(a.User, b.User) })
}
