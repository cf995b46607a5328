package demand

import (
	"math"

	"tierscope/analysis/pools"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// Code that is not compiled yet counts its calls and branches, for the compilers,
// in memory that its threads share: those that compute it at the same time on
// several cores make each other wait for these counters, and it is slower there than
// on one core. By how much, runs without probes tell (package calibrate).

// company is how many other cores computed for the program where it was slow, by
// what this cost. Where k are busy on average, ⌊k⌋ or ⌈k⌉ are.
func (x *slowStart) company() float64 {
	var sum, weight float64
	for i, v := range x.speed {
		length := float64(x.edges[i+1] - x.edges[i])
		if length <= 0 || x.fit.all[i] == 0 {
			continue
		}
		k := x.fit.all[i] / length
		least := math.Floor(k)
		lost := x.fit.all[i] * (1 - v)
		sum += lost * least * (2*k - least - 1) / k
		weight += lost
	}
	if weight == 0 {
		return 0
	}
	return sum / weight
}

// LostToWarmup is the CPU time that a recorded run's threads lost because code was not
// compiled yet, in s; 0: it shows none.
func LostToWarmup(t *trace.Trace) float64 {
	tr := trail.New(trail.Input{Trace: t}, trail.Options{}, nil)
	pools.Threads(tr)
	pools.Fragments(tr)
	if x := findSlowStart(tr); x != nil && x.told {
		return 1e-9 * x.lost
	}
	return 0
}
