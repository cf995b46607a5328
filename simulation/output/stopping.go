package output

import "math"

// Stopping is the rule of sequential estimation: more replications until the
// relative half-width of every estimate is at most Precision.
//
// Stopping as soon as an interval happens to be narrow favours samples whose
// variance came out too small, and the intervals of stopped runs would cover
// less than they say (Law & Kelton, 3rd ed., §9.4.1). Three things keep the
// loss small: at least Min replications, looks that are a factor apart rather
// than after every replication, and the corrected target
// Precision/(1+Precision).
type Stopping struct {
	Precision float64 // relative half-width; 0: stop at Min
	Min, Max  int     // replications
}

// growth bounds the number of replications at the next look: at least 20 %
// more, and at most twice as many because the variance estimate that the
// forecast rests on is itself uncertain.
const (
	leastGrowth = 1.2
	mostGrowth  = 2
)

// Worst returns the largest relative half-width of the estimates; estimates
// of exactly 0 do not count. It is +Inf when one has no interval.
func Worst(estimates []Estimate) float64 {
	worst := 0.0
	for _, e := range estimates {
		worst = max(worst, e.Precision())
	}
	return worst
}

// Next returns after how many replications in all to look again: n when n are
// enough or Max is reached.
func (r Stopping) Next(n int, worst float64) int {
	switch target := r.Precision / (1 + r.Precision); {
	case n < r.Min:
		return r.Min
	case r.Precision <= 0 || worst <= target || n >= r.Max:
		return n
	default:
		grow := min(max(worst/target*worst/target, leastGrowth), mostGrowth)
		return min(max(int(math.Ceil(float64(n)*grow)), n+1), r.Max)
	}
}

// Reached reports whether the requested precision was reached.
func (r Stopping) Reached(worst float64) bool {
	return r.Precision <= 0 || worst <= r.Precision
}
