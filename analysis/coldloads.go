package analysis

import (
	"cmp"
	"math"
	"slices"
)

// Pauses of all lengths in one run at one load seldom show for certain what they
// cost: costs differ from request to request for other reasons. Where plain runs
// under two loads tell the mean cost of a request, a and b (see cold.go) follow from
// those two; the one run only decides between the W and θ that could be. Where a run
// without pauses tells a, the others tell b, and between W and θ.
const (
	loadsFall    = 0.02 // of the cost: less is none
	loadsContact = 0.01 // of the work: by how much less of it must be cold under the higher load
	loadsWarm    = 0.2  // least share of the cost that is left on warm cores
	loadsExact   = 0.01 // of the cost: nearer to what a load shows is none better
)

// fitLoads returns the cost of coldness, and the factor between what requests cost
// and what the computations of threads do: outside is the CPU time of the process,
// in ns, that is no thread's.
func fitLoads(periods []busyPeriod, cores int, outside float64, higher Busier) (best coldFit, scale float64) {
	best = coldFit{warm: 1, work: outsideWork, after: outsideAfter}
	var expected, cost float64
	for i := range periods {
		if p := &periods[i]; p.counts {
			expected += p.expected
			cost += p.cost
		}
	}
	if cost == 0 {
		return best, 1
	}
	total := cost + outside
	scale = total / cost
	if min(higher.Cost, cmp.Or(higher.Saturated, 1)) > 1-loadsFall {
		return best, scale
	}
	usual, busy := replayed(periods, cores, 1), replayed(periods, cores, higher.Factor)
	type candidate struct {
		coldFit
		off, squares float64
	}
	var all []candidate
	nearest := math.Inf(1)
	for _, work := range coldWorks {
		for _, after := range coldAfters {
			c := candidate{}
			var ok bool
			if c.coldFit, c.off, ok = higher.fit(total, expected, coldSum(usual, cores, work, after), coldSum(busy, cores, work, after)); !ok {
				continue
			}
			c.work, c.after = work, after
			coldWork(periods, cores, work, after)
			for i := range periods {
				if p := &periods[i]; p.counts {
					c.squares += square(p.cost*scale - c.warm*p.expected - c.extra*p.cold)
				}
			}
			all, nearest = append(all, c), min(nearest, c.off)
		}
	}
	least := math.Inf(1)
	for _, c := range all {
		if c.off <= nearest+loadsExact*total && c.squares < least {
			best, least = c.coldFit, c.squares
		}
	}
	return best, scale
}

// fit returns a and b where of the work expected, in ns, here was cold in the recorded
// run, which cost total, and there would be under the higher load; off is by how much the
// cost under the higher load then differs from the measured one, in ns.
func (h Busier) fit(total, expected, here, there float64) (f coldFit, off float64, ok bool) {
	if h.Saturated == 0 {
		if here-there < loadsContact*expected {
			return f, 0, false
		}
		f.extra = total * (1 - h.Cost) / (here - there)
		f.warm = (total - f.extra*here) / expected
		return f, 0, f.warm*expected >= loadsWarm*total
	}
	if here < loadsContact*expected {
		return f, 0, false
	}
	f.warm = h.Saturated * total / expected
	f.extra = (total - f.warm*expected) / here
	return f, math.Abs(f.warm*expected + f.extra*there - h.Cost*total), f.extra > 0
}

// replayed returns the busy periods as they would be if the requests came factor
// times as fast.
func replayed(periods []busyPeriod, cores int, factor float64) []busyPeriod {
	out := slices.Clone(periods)
	free := make([]float64, max(cores, 1))
	for i := range out {
		p := &out[i]
		at := float64(p.from) / factor
		k := coreFor(len(free), func(k int) bool { return free[k] <= at }, func(j, k int) bool { return free[j] < free[k] })
		p.core, p.idle = k, int64(max(at-free[k], 0))
		free[k] = max(free[k], at) + p.expected
	}
	return out
}

// coldSum is how much of the work that counts is done on cold cores, in ns.
func coldSum(periods []busyPeriod, cores int, work, after float64) (sum float64) {
	coldWork(periods, cores, work, after)
	for i := range periods {
		if p := &periods[i]; p.counts {
			sum += p.cold
		}
	}
	return sum
}
