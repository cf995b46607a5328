package trace

import "tierscope/core/robust"

// plainCost is what the program costs without probes, in s of CPU.
func (t *Trace) plainCost() float64 { return robust.Median(t.Plain) }

// RecordsOf is how many records operations make: each its beginning and its end.
func RecordsOf(operations int) int { return 2 * operations }

// Records is the number of records of all threads.
func (t *Trace) Records() (n int) {
	for i := range t.Threads {
		n += len(t.Threads[i].Records)
	}
	return n
}

// Where records are at least manyRecords of the CPU time of the program, what
// each costs is known from this run: it is what the run cost beyond those without
// probes. Records that fill the caches cost more than those of the calibration,
// but not more than dearest times as much.
const (
	// Convention, sensitivity slight: less is what one plain run differs from the next by
	// (docs/accuracy-method.md).
	manyRecords = 0.05
	// Convention, sensitivity none.
	dearest = 8
)

// ProbeCost is what a record costs, in ns of CPU.
func (t *Trace) ProbeCost() float64 {
	cost := t.Calibration.ProbeCost * 1e9
	if len(t.Plain) == 0 || t.Dropped > 0 || t.WorkEnd > t.WorkStart {
		return cost
	}
	n, plain := float64(t.Records()), t.plainCost()
	if n*cost < manyRecords*plain*1e9 {
		return cost
	}
	return min(max(cost, (t.Recorded-plain)*1e9/n), dearest*cost)
}

// MeanOf is the mean of a sample, 0 of none.
func MeanOf(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
