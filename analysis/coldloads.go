package analysis

import (
	"math"
	"slices"
)

// Pauses of all lengths in one run at one load seldom show for certain what they
// cost: costs differ from request to request for other reasons. Where plain runs
// under two loads tell the mean cost of a request, a and b (see cold.go) follow from
// those two; the one run only decides between the W and θ that could be.
const (
	loadsFall    = 0.02 // of the cost: less is none
	loadsContact = 0.01 // of the work: by how much less of it must be cold under the higher load
	loadsWarm    = 0.2  // least share of the cost that is left on warm cores
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
	if higher.Cost > 1-loadsFall {
		return best, scale
	}
	usual, busy := replayed(periods, cores, 1), replayed(periods, cores, higher.Factor)
	least := math.Inf(1)
	for _, work := range coldWorks {
		for _, after := range coldAfters {
			here, there := coldSum(usual, cores, work, after), coldSum(busy, cores, work, after)
			if here-there < loadsContact*expected {
				continue
			}
			f := coldFit{extra: total * (1 - higher.Cost) / (here - there), work: work, after: after}
			f.warm = (total - f.extra*here) / expected
			if f.warm*expected < loadsWarm*total {
				continue
			}
			squares := 0.0
			coldWork(periods, cores, work, after)
			for i := range periods {
				if p := &periods[i]; p.counts {
					squares += square(p.cost*scale - f.warm*p.expected - f.extra*p.cold)
				}
			}
			if squares < least {
				best, least = f, squares
			}
		}
	}
	return best, scale
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
