package demand

import (
	"cmp"
	"math"
	"slices"

	"tierscope/analysis/trace"
)

// Pauses of all lengths in one run at one load seldom show for certain what they
// cost: costs differ from request to request for other reasons. Where plain runs
// under two loads tell the mean cost of a request, a and b (see cold.go) follow from
// those two; a load between them, and after it the one run, decide between the W and θ that could be. Where a run
// without pauses tells a, the others tell b, and between W and θ. What falls with the
// load and is no thread's CPU time is searched; only the rest of the fall is coldness.
const (
	loadsFall    = 0.02 // of the cost: less is none. Convention, sensitivity none
	loadsContact = 0.01 // of the work: by how much less of it must be cold under the higher load. Convention, sensitivity none
	loadsWarm    = 0.2  // least share of the cost that is left on warm cores. Convention, sensitivity slight
	coldRounds   = 4    // in which what requests cost and how long pauses are agree. Convention, sensitivity slight
	loadsExact   = 0.01 // of the cost: nearer to what a load shows is none better. Convention, sensitivity none
)

// fitLoads returns the cost of coldness and of searches, and the factor between what
// requests cost without these searches and what the computations of threads do: outside
// is the CPU time of the process, in ns, that is no thread's.
func fitLoads(periods []BusyPeriod, cores int, outside float64, higher trace.Busier) (best coldFit, scale float64) {
	var expected, cost float64
	for i := range periods {
		if p := &periods[i]; p.Counts {
			expected += p.Expected
			cost += p.cost
		}
	}
	best.warm = 1
	if cost == 0 {
		return best, 1
	}
	total := cost + outside
	if min(higher.Cost, cmp.Or(higher.Saturated, 1)) > 1-loadsFall {
		return best, total / cost
	}
	busy, between := Replayed(periods, cores, higher.Factor), Replayed(periods, cores, math.Sqrt(higher.Factor))
	costs := loadCosts{total, higher.Cost * total, higher.Between * total, higher.Saturated * total}
	best.search = costs.search(periods, busy, outside)
	costs.usual -= SearchedIn(periods, best.search)
	costs.busy -= SearchedIn(busy, best.search)
	if costs.between > 0 {
		costs.between -= SearchedIn(between, best.search)
	}
	scale = costs.usual / cost
	if f, ok := costs.coldness(periods, cores, higher.Factor, expected, scale); ok {
		f.search = best.search
		best = f
	}
	return best, scale
}

// loadCosts is what the requests of the recording cost under its load, and would cost under
// the higher one, one between, and without pauses, in ns. The last two are 0 if they are not known.
type loadCosts struct{ usual, busy, between, saturated float64 }

// search is how long cores search so that no more falls with the load than does, and no
// more is searched than is no thread's.
func (l loadCosts) search(usual, busy []BusyPeriod, outside float64) float64 {
	if l.saturated > 0 {
		return SearchFor(usual, min(outside, l.usual-l.saturated))
	}
	s := SearchFor(usual, outside)
	if falls := SearchedIn(usual, s) - SearchedIn(busy, s); falls > l.usual-l.busy {
		s = SearchFor(usual, outside*max(0, l.usual-l.busy)/falls)
	}
	return s
}

// coldness finds the cost of coldness that explains how costs fall with the load, which is so many times the
// recorded one, if any. What a request costs says how long the pauses are, and they what it costs.
func (l loadCosts) coldness(periods []BusyPeriod, cores int, factor, expected, scale float64) (best coldFit, found bool) {
	type candidate struct {
		coldFit
		off, squares float64
	}
	var all []candidate
	nearest := math.Inf(1)
	for _, work := range coldWorks {
		for _, after := range coldAfters {
			here := ColdSum(periods, cores, work, after)
			c, ok := candidate{coldFit: coldFit{warm: 1, work: work, after: after}}, true
			for range coldRounds {
				there := coldOf(c.replayed(periods, cores, factor))
				if c.warm, c.extra, c.off, ok = l.fit(expected, here, there); !ok {
					break
				}
			}
			if !ok {
				continue
			}
			if l.between > 0 {
				c.off += math.Abs(c.warm*expected + c.extra*coldOf(c.replayed(periods, cores, math.Sqrt(factor))) - l.between)
			}
			coldWork(periods, cores, work, after)
			for i := range periods {
				if p := &periods[i]; p.Counts {
					c.squares += square(p.cost*scale - c.warm*p.Expected - c.extra*p.cold)
				}
			}
			all, nearest = append(all, c), min(nearest, c.off)
		}
	}
	least := math.Inf(1)
	for _, c := range all {
		if c.off <= nearest+loadsExact*l.usual && c.squares < least {
			best, least, found = c.coldFit, c.squares, true
		}
	}
	return best, found
}

// fit returns a and b where of the work expected, in ns, here was cold in the recorded
// run and there would be under the higher load; off is by how much the
// cost under the higher load then differs from the measured one, in ns, which it does not without a run without pauses.
func (l loadCosts) fit(expected, here, there float64) (warm, extra, off float64, ok bool) {
	if l.saturated == 0 {
		if here-there < loadsContact*expected {
			return 0, 0, 0, false
		}
		extra = (l.usual - l.busy) / (here - there)
		warm = (l.usual - extra*here) / expected
		return warm, extra, 0, extra > 0 && warm*expected >= loadsWarm*l.usual
	}
	if here < loadsContact*expected {
		return 0, 0, 0, false
	}
	warm = l.saturated / expected
	extra = (l.usual - warm*expected) / here
	return warm, extra, math.Abs(warm*expected + extra*there - l.busy), extra > 0
}

// Replayed returns the busy periods as they would be if the requests came factor
// times as fast, cost the same, and nothing else used the cores. A request waits on its way for as long
// as before.
func Replayed(periods []BusyPeriod, cores int, factor float64) []BusyPeriod {
	return coldFit{warm: 1, after: 1}.replayed(periods, cores, factor)
}

// replayed is Replayed with requests that cost what f says: less where pauses are shorter, which leaves longer ones.
func (f coldFit) replayed(periods []BusyPeriod, cores int, factor float64) []BusyPeriod {
	out := slices.Clone(periods)
	told := slices.ContainsFunc(periods, func(p BusyPeriod) bool { return p.Arrival })
	free, left := make([]float64, max(cores, 1)), slices.Repeat([]float64{f.work}, max(cores, 1))
	var before, done float64 // when the last period had ended in the recording, and here
	for i := range out {
		p := &out[i]
		at := float64(p.From) / factor
		if told && !p.Arrival {
			at = done + max(float64(p.From)-before, 0)
		}
		k := coreFor(len(free), func(k int) bool { return free[k] <= at }, func(j, k int) bool { return free[j] < free[k] })
		p.core, p.Idle = k, int64(max(at-free[k], 0))
		p.onCold(&left[k], f.work, f.after)
		free[k] = max(free[k], at) + f.warm*p.Expected + f.extra*p.cold
		before, done = max(before, float64(p.From+p.Length)), free[k]
	}
	return out
}

// ColdSum is how much of the work that counts is done on cold cores, in ns.
func ColdSum(periods []BusyPeriod, cores int, work, after float64) float64 {
	coldWork(periods, cores, work, after)
	return coldOf(periods)
}

// coldOf is how much of the work that counts has been found to be done on cold cores, in ns.
func coldOf(periods []BusyPeriod) (sum float64) {
	for i := range periods {
		if p := &periods[i]; p.Counts {
			sum += p.cold
		}
	}
	return sum
}
