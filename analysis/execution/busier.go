package execution

import (
	"context"
	"math"

	"tierscope/analysis/trace"
	"tierscope/core/robust"
)

// What a request costs depends on how busy the server is: caches that go to others
// while it waits, wake-ups of its run-time system, requests that are found together. The
// load of the recording is one point; plain runs under a higher one, and without any
// pauses, are others, and one between tells after what pauses it is that requests cost more.
const (
	busierUtilization = 0.7 // of the server's cores under the higher load
	busierMost        = 8   // times the rate
	busierLeast       = 1.3 // nothing to be learnt below
	busierPairs       = 2   // of runs, by turns
	busierSeconds     = 2.0 // that a run under a higher load takes at least: it has as many requests as the recording, which come faster
	saturatingUsers   = 32  // who ask again at once
	saturated         = 0.9 // of the server's cores: more are not kept from it by who asks
)

// Busier compares the CPU time of requests under the load of the recording, under
// a higher one, and where no core is ever idle, in plain runs by turns; run executes the
// program under a load on so many cores. It returns nil where there is no other load to
// compare with.
func Busier(ctx context.Context, l trace.Load, cores int, run func(trace.Load) (Outcome, error)) (*trace.Busier, error) {
	if !(l.Rate > 0) || l.Duration <= 0 || !l.Hears(trace.WordRate) || !l.Hears(trace.WordConnections) {
		return nil, nil
	}
	var busy, between, full []float64
	higher, middle, users := l, l, l
	users.Rate, users.Connections, users.Duration = 0, saturatingUsers, min(l.Duration, busierSeconds)
	b := &trace.Busier{Factor: 1, Cost: 1}
	for pair := range busierPairs {
		o, err := run(l)
		if err != nil {
			return nil, err
		}
		if o.Tasks == 0 {
			return nil, nil
		}
		b.Usual, b.Responses = append(b.Usual, o.Cost()), append(b.Responses, o.Response)
		if pair == 0 {
			if f := min(busierUtilization/o.utilization(cores), busierMost); f >= busierLeast {
				b.Factor, higher, middle = f, faster(l, f), faster(l, math.Sqrt(f))
			}
		}
		if b.Factor > 1 {
			if o, err = run(higher); err != nil {
				return nil, err
			}
			if o.Tasks > 0 {
				busy = append(busy, o.Cost())
			}
			if o, err = run(middle); err != nil {
				return nil, err
			}
			if o.Tasks > 0 {
				between = append(between, o.Cost())
			}
		}
		if o, err = run(users); err != nil {
			return nil, err
		}
		if o.Tasks > 0 && o.utilization(cores) >= saturated {
			full = append(full, o.Cost())
		}
	}
	if len(busy) == len(b.Usual) {
		b.Cost = medianRatio(busy, b.Usual)
		if len(between) == len(b.Usual) {
			b.Between = medianRatio(between, b.Usual)
		}
	} else {
		b.Factor = 1
	}
	if len(full) == len(b.Usual) {
		b.Saturated = medianRatio(full, b.Usual)
	} else if b.Factor == 1 {
		return nil, nil
	}
	return b, nil
}

// faster is a load of so many times the rate, that has as many requests if that does not make it too short to be measured.
func faster(l trace.Load, factor float64) trace.Load {
	l.Rate *= factor
	l.Duration = max(l.Duration/factor, min(l.Duration, busierSeconds))
	return l
}

// utilization is that of so many cores in the work phase.
func (o Outcome) utilization(cores int) float64 {
	return o.WorkCPU.Seconds() / (1e-9 * float64(o.Work[1]-o.Work[0]) * float64(max(cores, 1)))
}

// medianRatio returns by what factor the numbers of one sample exceed those of another: the median over all
// pairs of the two (Conover 1999, §5.4). Neither may be empty.
func medianRatio(xs, ys []float64) float64 {
	var ratios []float64
	for _, x := range xs {
		for _, y := range ys {
			ratios = append(ratios, x/y)
		}
	}
	return robust.Median(ratios)
}
