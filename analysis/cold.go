package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tierscope/core"
)

// A server that waits for requests loses the caches of its cores to others, and
// its run-time system goes to sleep. A request that finds a core idle therefore
// costs more CPU time than one that follows another: the CPU time per request
// falls as the load grows. One run under random arrivals shows by how much,
// since requests come after pauses of all lengths and in bursts.
//
//	core  ▁▁▁████▁▁▁▁▁▁▁▁████████▁██▁▁▁▁▁
//	      idle τ₁ busy     τ₂     τ₃
//
// A busy period costs C = a·E + b·min(c, E): E is what its computations cost on
// average, c the work until the core is warm. Idleness of τ makes c approach W
// like 1 − exp(−τ/θ). a and b are found by least squares, W and θ by trying.
// Demands become those on warm cores; core.Cold has the rest. Where plain runs under
// other loads are there, fitLoads is used instead.
//
// CPU time of the process that is no thread's is that of a run-time system that looks
// for other work, asks the poller and lets the core go idle when a thread has blocked:
// every busy period is followed by a search (search.go), for which no request waits.
const (
	coldSignificance = 5     // b in units of its standard error
	coldGain         = 0.01  // of the sum of squares that it must explain
	coldClip         = 4     // times the mean of its kind that one computation may count
	coldSlack        = 3_000 // ns that are no pause
	coldLeast        = 50    // busy periods

)

var (
	coldWorks  = []float64{30e3, 100e3, 200e3, 400e3, 800e3, 1.5e6, 2.5e6, 4e6, 8e6} // ns, W
	coldAfters = []float64{30e3, 100e3, 300e3, 1e6, 3e6, 10e6, 30e6}                 // ns, θ
)

// busyPeriod is a time during which a core was never idle.
type busyPeriod struct {
	core     int
	from     int64   // ns
	length   int64   // ns, on the wall clock
	idle     int64   // ns before it
	expected float64 // E, ns
	cost     float64 // C, ns
	steps    []*step
	counts   bool    // belongs to the phase that is modelled
	arrival  bool    // a request comes and ends the idleness
	cold     float64 // ns of E that were cold, for the last W and θ
}

// removeColdness makes the demands of a server those on warm cores.
func (b *build) removeColdness() {
	if !b.server {
		return
	}
	periods := b.busyPeriods()
	n := 0
	for i := range periods {
		if periods[i].counts {
			n++
		}
	}
	if n < coldLeast {
		return
	}
	outside := b.outside()
	f, scale := fitColdness(periods, b.t.Cores), 1.0
	f.search = searchFor(periods, outside)
	if b.t.Busier != nil {
		f, scale = fitLoads(periods, b.t.Cores, outside, *b.t.Busier)
	}
	if f.extra == 0 && f.search == 0 && scale == 1 {
		return
	}
	coldWork(periods, b.t.Cores, f.work, f.after)
	var warm, paid, cost float64
	for i := range periods {
		p := &periods[i]
		share := scale
		if p.expected > 0 {
			share = scale * f.warm * p.expected / (f.warm*p.expected + f.extra*p.cold)
		}
		for _, s := range p.steps {
			s.gap, s.cpu = int64(float64(s.gap)*share), int64(float64(s.cpu)*share)
		}
		if p.counts {
			warm += f.warm * p.expected
			paid += f.warm * p.cold
			cost += f.warm*p.expected + f.extra*p.cold
		}
	}
	if f.search == 0 && (paid == 0 || f.extra == 0) {
		return
	}
	b.warmth = 1
	b.cold = &core.Cold{Search: f.search * 1e-9}
	searched := searchedIn(periods, f.search)
	if f.search > 0 {
		b.assume(fmt.Sprintf("a core whose last thread has blocked computes for another %.2g µs, in which the run-time system looks for work: %.0f %% of the CPU time that requests took in this run, for which none of them waits",
			1e-3*f.search, 100*searched/(cost+searched)))
	}
	if paid == 0 || f.extra == 0 {
		return
	}
	b.warmth = warm / cost
	b.cold.Slowdown, b.cold.Work, b.cold.After = f.extra/f.warm, f.warm*f.work*1e-9, f.after*1e-9
	b.assume(fmt.Sprintf("a core that has been idle for some %.2g ms is slower, by %.0f %% for the first %.2g ms of work: of the CPU time that requests took in this run, %.0f %% would not be there under a load without pauses",
		1e-6*f.after, 100*b.cold.Slowdown, 1e3*b.cold.Work, 100*(cost-warm)/(cost+searched)))
}

// coldFit is what a busy period costs.
type coldFit struct {
	warm, extra float64 // a, b
	work, after float64 // W, θ, ns
	search      float64 // after it, ns
}

// fitColdness finds the cost of coldness. extra is 0 if none is significant.
func fitColdness(periods []busyPeriod, cores int) coldFit {
	best := coldFit{warm: 1}
	least := 0.0
	for i := range periods {
		if p := &periods[i]; p.counts {
			least += square(p.cost - p.expected)
		}
	}
	least *= 1 - coldGain
	for _, work := range coldWorks {
		for _, after := range coldAfters {
			coldWork(periods, cores, work, after)
			f, squares, deviation := solveColdness(periods)
			f.work, f.after = work, after
			if f.extra > coldSignificance*deviation && f.warm > 0 && squares < least {
				best, least = f, squares
			}
		}
	}
	return best
}

// solveColdness finds a and b for given cold work by least squares, with the
// sum of squares and the standard error of b.
func solveColdness(periods []busyPeriod) (f coldFit, squares, deviation float64) {
	var ee, ec, cc, ey, cy, n float64
	for i := range periods {
		p := &periods[i]
		if !p.counts {
			continue
		}
		n++
		ee += p.expected * p.expected
		ec += p.expected * p.cold
		cc += p.cold * p.cold
		ey += p.expected * p.cost
		cy += p.cold * p.cost
	}
	det := ee*cc - ec*ec
	if det <= 1e-9*ee*cc {
		return f, math.Inf(1), 0
	}
	f.warm, f.extra = (ey*cc-cy*ec)/det, (cy*ee-ey*ec)/det
	for i := range periods {
		if p := &periods[i]; p.counts {
			squares += square(p.cost - f.warm*p.expected - f.extra*p.cold)
		}
	}
	return f, squares, math.Sqrt(squares / max(n-2, 1) * ee / det)
}

func square(x float64) float64 { return x * x }

// coldWork sets how much of every busy period was computed on a cold core.
func coldWork(periods []busyPeriod, cores int, work, after float64) {
	left := slices.Repeat([]float64{work}, cores)
	for i := range periods {
		p := &periods[i]
		c := &left[p.core]
		*c = work - (work-*c)*math.Exp(-float64(p.idle)/after)
		p.cold = min(*c, p.expected)
		*c -= p.cold
	}
}

// busyPeriods divides the computations of all threads into the busy periods of
// the cores, in the order of time. A thread that wakes up goes to the core that
// became idle last, as in Go's scheduler.
func (b *build) busyPeriods() []busyPeriod {
	type burst struct {
		from, to int64
		cost     float64
		kind     [2]*node
		s        *step
		arrival  bool
	}
	var bursts []burst
	sum, count := map[[2]*node]float64{}, map[[2]*node]float64{}
	for _, q := range b.allSequences() {
		var before *node
		for j := range q.steps {
			s := &q.steps[j]
			if cost := s.gap + s.cpu; cost > 0 && !s.open {
				x := burst{s.start - min(s.gap, s.gapWall), s.start + s.cpu, float64(cost), [2]*node{before, s.node}, s, arrives(before)}
				bursts = append(bursts, x)
				sum[x.kind] += x.cost
				count[x.kind]++
			}
			before = s.node
		}
	}
	for _, c := range b.t.GC {
		bursts = append(bursts, burst{from: c.Start, to: c.End})
	}
	slices.SortStableFunc(bursts, func(x, y burst) int { return cmp.Compare(x.from, y.from) })

	type unit struct {
		end    int64 // of its last burst
		period int   // index, −1: none
	}
	units := slices.Repeat([]unit{{b.t.Begin, -1}}, max(b.t.Cores, 1))
	var periods []busyPeriod
	for i := range bursts {
		x := &bursts[i]
		at := coreFor(len(units), func(k int) bool { return units[k].end <= x.from }, func(j, k int) bool { return units[j].end < units[k].end })
		u := &units[at]
		if u.period < 0 || x.from > u.end+coldSlack {
			u.period = len(periods)
			periods = append(periods, busyPeriod{core: at, from: x.from, idle: max(x.from-u.end, 0), arrival: x.arrival, counts: x.from >= b.t.WorkStart && x.from <= b.t.WorkEnd})
		}
		u.end = max(u.end, x.to)
		p := &periods[u.period]
		p.length = u.end - p.from
		if x.s != nil {
			mean := sum[x.kind] / count[x.kind]
			p.expected += mean
			p.cost += min(x.cost, coldClip*mean)
			p.steps = append(p.steps, x.s)
		}
	}
	return periods
}

// arrives reports whether what a thread computes after n is a request's that has come.
func arrives(n *node) bool {
	return n != nil && (n.op == OpTaskBegin || n.op == OpAccept || n.op == OpNetRead)
}

// coreFor returns the core on which a thread goes on that wakes up: the idle one that
// was busy last, or the first that will be idle. before compares when two of the n
// cores are free.
func coreFor(n int, idle func(k int) bool, before func(j, k int) bool) int {
	at := 0
	for k := 1; k < n; k++ {
		now, other := idle(at), idle(k)
		if other && (!now || before(at, k)) || !now && !other && before(k, at) {
			at = k
		}
	}
	return at
}
