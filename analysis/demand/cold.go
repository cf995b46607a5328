package demand

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
	"tierscope/core/quantity"
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
	coldClip  = 4     // times the mean of its kind that one computation may count. Convention, sensitivity slight
	coldSlack = 3_000 // ns that are no pause. Convention, sensitivity slight
	coldLeast = 50    // busy periods. Convention, sensitivity slight
)

var (
	coldWorks  = []float64{30e3, 100e3, 200e3, 400e3, 800e3, 1.5e6, 2.5e6, 4e6, 8e6} // ns, W. Convention, sensitivity slight
	coldAfters = []float64{30e3, 100e3, 300e3, 1e6, 3e6, 10e6, 30e6}                 // ns, θ. Convention, sensitivity slight
)

// BusyPeriod is a time during which a core was never idle.
type BusyPeriod struct {
	core     int
	From     int64   // ns
	Length   int64   // ns, on the wall clock
	Idle     int64   // ns before it
	Expected float64 // E, ns
	cost     float64 // C, ns
	steps    []*trail.Step
	Counts   bool    // belongs to the phase that is modelled
	Arrival  bool    // a request comes and ends the idleness
	cold     float64 // ns of E that were cold, for the last W and θ
}

// Coldness makes the demands of a server those on warm cores. Of a batch program, that seldom waits, it
// finds only how long cores search.
func Coldness(tr *trail.Trail) {
	periods := BusyPeriods(tr)
	n := 0
	for i := range periods {
		if periods[i].Counts {
			n++
		}
	}
	if n < coldLeast {
		return
	}
	outside := outside(tr)
	if !tr.Server {
		searching(tr, periods, outside)
		return
	}
	f, scale := fitColdness(periods, tr.Trace.Cores), 1.0
	f.search = SearchFor(periods, outside)
	if tr.Trace.Busier != nil {
		f, scale = fitLoads(periods, tr.Trace.Cores, outside, *tr.Trace.Busier)
	}
	if f.extra == 0 && f.search == 0 && scale == 1 {
		return
	}
	coldWork(periods, tr.Trace.Cores, f.work, f.after)
	var warm, paid, cost float64
	for i := range periods {
		p := &periods[i]
		share := scale
		if p.Expected > 0 {
			share = scale * f.warm * p.Expected / (f.warm*p.Expected + f.extra*p.cold)
		}
		for _, s := range p.steps {
			s.Gap, s.CPU = int64(float64(s.Gap)*share), int64(float64(s.CPU)*share)
		}
		if p.Counts {
			warm += f.warm * p.Expected
			paid += f.warm * p.cold
			cost += f.warm*p.Expected + f.extra*p.cold
		}
	}
	if f.search == 0 && (paid == 0 || f.extra == 0) {
		return
	}
	tr.Warmth = 1
	tr.Cold = &core.Cold{Search: f.search * 1e-9}
	searched := SearchedIn(periods, f.search)
	if f.search > 0 {
		tr.Assume(fmt.Sprintf("a core whose last thread has blocked computes for another %s, in which the run-time system looks for work: %.0f %% of the CPU time that requests took in this run, for which none of them waits",
			quantity.Format(1e-9*f.search, "s"), 100*searched/(cost+searched)))
	}
	if paid == 0 || f.extra == 0 {
		return
	}
	tr.Warmth = warm / cost
	tr.Cold.Slowdown, tr.Cold.Work, tr.Cold.After = f.extra/f.warm, f.warm*f.work*1e-9, f.after*1e-9
	tr.Assume(fmt.Sprintf("a core that has been idle for some %s is slower, by %.0f %% for the first %s of work: of the CPU time that requests took in this run, %.0f %% would not be there under a load without pauses",
		quantity.Format(tr.Cold.After, "s"), 100*tr.Cold.Slowdown, quantity.Format(tr.Cold.Work, "s"), 100*(cost-warm)/(cost+searched)))
}

// coldFit is what a busy period costs.
type coldFit struct {
	warm, extra float64 // a, b
	work, after float64 // W, θ, ns
	search      float64 // after it, ns
}

// coldParameters are a, b, W and θ, which a model without coldness has not. Theory: what
// Schwarz's criterion counts (Schwarz 1978).
const coldParameters = 4

// fitColdness finds the cost of coldness. extra is 0 if the model is more likely without.
func fitColdness(periods []BusyPeriod, cores int) coldFit {
	none := coldFit{warm: 1}
	best, least := none, math.Inf(1)
	var n, without float64
	for i := range periods {
		if p := &periods[i]; p.Counts {
			n++
			without += square(p.cost - p.Expected)
		}
	}
	for _, work := range coldWorks {
		for _, after := range coldAfters {
			coldWork(periods, cores, work, after)
			f, squares := solveColdness(periods)
			f.work, f.after = work, after
			if f.extra > 0 && f.warm > 0 && squares < least {
				best, least = f, squares
			}
		}
	}
	if !likelier(n, without, least, coldParameters) {
		return none
	}
	return best
}

// solveColdness finds a and b for given cold work by least squares, with the
// sum of squares.
func solveColdness(periods []BusyPeriod) (f coldFit, squares float64) {
	var ee, ec, cc, ey, cy float64
	for i := range periods {
		p := &periods[i]
		if !p.Counts {
			continue
		}
		ee += p.Expected * p.Expected
		ec += p.Expected * p.cold
		cc += p.cold * p.cold
		ey += p.Expected * p.cost
		cy += p.cold * p.cost
	}
	det := ee*cc - ec*ec
	if det <= 1e-9*ee*cc {
		return f, math.Inf(1)
	}
	f.warm, f.extra = (ey*cc-cy*ec)/det, (cy*ee-ey*ec)/det
	for i := range periods {
		if p := &periods[i]; p.Counts {
			squares += square(p.cost - f.warm*p.Expected - f.extra*p.cold)
		}
	}
	return f, squares
}

func square(x float64) float64 { return x * x }

// coldWork sets how much of every busy period was computed on a cold core.
func coldWork(periods []BusyPeriod, cores int, work, after float64) {
	left := slices.Repeat([]float64{work}, cores)
	for i := range periods {
		p := &periods[i]
		p.onCold(&left[p.core], work, after)
	}
}

// onCold sets how much of a busy period is computed on a cold core, of which so much work was left cold before it.
func (p *BusyPeriod) onCold(left *float64, work, after float64) {
	*left = work - (work-*left)*math.Exp(-float64(p.Idle)/after)
	p.cold = min(*left, p.Expected)
	*left -= p.cold
}

// BusyPeriods divides the computations of all threads into the busy periods of
// the cores, in the order of time. A thread that wakes up goes to the core that
// became idle last, as in Go's scheduler.
func BusyPeriods(tr *trail.Trail) []BusyPeriod {
	type burst struct {
		from, to int64
		cost     float64
		kind     [2]*trail.Node
		s        *trail.Step
		arrival  bool
	}
	var bursts []burst
	sum, count := map[[2]*trail.Node]float64{}, map[[2]*trail.Node]float64{}
	for _, q := range tr.AllSequences() {
		var before *trail.Node
		for j := range q.Steps {
			s := &q.Steps[j]
			if cost := s.Gap + s.CPU; cost > 0 && !s.Open {
				x := burst{s.Start - min(s.Gap, s.GapWall), s.Start + s.CPU, float64(cost), [2]*trail.Node{before, s.Node}, s, arrives(before)}
				bursts = append(bursts, x)
				sum[x.kind] += x.cost
				count[x.kind]++
			}
			before = s.Node
		}
	}
	for _, c := range tr.Trace.GC {
		bursts = append(bursts, burst{from: c.Start, to: c.End})
	}
	slices.SortStableFunc(bursts, func(x, y burst) int { return cmp.Compare(x.from, y.from) })

	type unit struct {
		end    int64 // of its last burst
		period int   // index, −1: none
	}
	units := slices.Repeat([]unit{{tr.Trace.Begin, -1}}, max(tr.Trace.Cores, 1))
	var periods []BusyPeriod
	for i := range bursts {
		x := &bursts[i]
		at := coreFor(len(units), func(k int) bool { return units[k].end <= x.from }, func(j, k int) bool { return units[j].end < units[k].end })
		u := &units[at]
		if u.period < 0 || x.from > u.end+coldSlack {
			u.period = len(periods)
			periods = append(periods, BusyPeriod{core: at, From: x.from, Idle: max(x.from-u.end, 0), Arrival: x.arrival, Counts: !tr.Server || x.from >= tr.Trace.WorkStart && x.from <= tr.Trace.WorkEnd})
		}
		u.end = max(u.end, x.to)
		p := &periods[u.period]
		p.Length = u.end - p.From
		if x.s != nil {
			mean := sum[x.kind] / count[x.kind]
			p.Expected += mean
			p.cost += min(x.cost, coldClip*mean)
			p.steps = append(p.steps, x.s)
		}
	}
	return periods
}

// arrives reports whether what a thread computes after n is a request's that has come.
func arrives(n *trail.Node) bool {
	return n != nil && (n.Op == trace.OpTaskBegin || n.Op == trace.OpAccept || n.Op == trace.OpNetRead)
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
