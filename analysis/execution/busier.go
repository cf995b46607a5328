package execution

import (
	"context"

	"tierscope/analysis"
)

// What a request costs depends on how busy the server is: caches that go to others
// while it waits, wake-ups of its run-time system. The load of the recording is one
// point; a plain run under a higher one is another.
const (
	busierUtilization = 0.7 // of the server's cores under the higher load
	busierMost        = 8   // times the rate
	busierLeast       = 1.3 // nothing to be learnt below
	busierPairs       = 2   // of runs, by turns
)

// Busier compares the CPU time of requests under the load of the recording and under
// a higher one, in plain runs by turns; run executes the program under a load on so
// many cores. It returns nil where there is no higher load to compare with.
func Busier(ctx context.Context, l analysis.Load, cores int, run func(analysis.Load) (Outcome, error)) (*analysis.Busier, error) {
	if !(l.Rate > 0) || l.Duration <= 0 {
		return nil, nil
	}
	var usual, busy []float64
	factor := 0.0
	for range busierPairs {
		o, err := run(l)
		if err != nil {
			return nil, err
		}
		if factor == 0 {
			used := o.WorkCPU.Seconds() / (1e-9 * float64(o.Work[1]-o.Work[0]) * float64(max(cores, 1)))
			if factor = min(busierUtilization/used, busierMost); !(factor >= busierLeast) || o.Tasks == 0 {
				return nil, nil
			}
		}
		usual = append(usual, o.Cost())
		higher := l
		higher.Rate *= factor
		if o, err = run(higher); err != nil {
			return nil, err
		}
		if o.Tasks == 0 {
			return nil, nil
		}
		busy = append(busy, o.Cost())
	}
	return &analysis.Busier{Factor: factor, Cost: analysis.MedianRatio(busy, usual)}, nil
}
