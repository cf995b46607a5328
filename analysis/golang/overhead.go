package golang

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"tierscope/analysis/execution"
	"tierscope/analysis/trace"
)

// Rounds of runs for the overhead: as many as fit into the time, within limits.
const (
	overheadTime      = 13 * time.Second
	overheadMaxRounds = 9
	overheadRuns      = 4 // of a round: plain, probes off, recorded, recorded on one core
)

// overhead compares the CPU time of runs with and without probes. The
// smallest of each kind is taken: what disturbs a run only adds. A server is
// compared per request answered in the work phase. A batch program is recorded
// on one core as well, by turns, for the interference of threads on several. Of all
// recordings of a batch program it returns the shortest: the least disturbed.
func (t Target) overhead(ctx context.Context, s *subject, w trace.Workload, dir string, tr *trace.Trace, first execution.Outcome) (*trace.Trace, error) {
	rounds := min(overheadMaxRounds, 1+int(overheadTime/max(first.Wall*overheadRuns, 1)))
	probed, off := first.Cost(), math.Inf(1)
	batch := w.Load == nil && !first.Stopped && tr.Dropped == 0
	interferes := batch && tr.Cores > 1
	best, shortest := tr, first
	var plain, alone, usual []float64
	var responses []trace.ResponseTime
	together := []float64{tr.ThreadTime()}
	for i := range rounds {
		o, err := t.run(ctx, s.plain, w, dir)
		if err != nil {
			return nil, fmt.Errorf("the program without probes: %w", err)
		}
		plain, responses = append(plain, o.Cost()), append(responses, o.Response)
		if o, err = t.run(ctx, s.probed, w, dir); err != nil {
			return nil, fmt.Errorf("the program with probes switched off: %w", err)
		}
		off = min(off, o.Cost())
		if interferes {
			one := w
			one.Cores = 1
			used, err := t.again(ctx, s, one, dir)
			if err != nil {
				return nil, err
			}
			alone = append(alone, used)
		}
		if i == 0 {
			continue // the recorded run itself
		}
		again, o, err := t.record(ctx, s, w, dir)
		if err != nil {
			return nil, err
		}
		probed, together = min(probed, o.Cost()), append(together, again.ThreadTime())
		if batch && !o.Stopped && again.Dropped == 0 && o.Wall < shortest.Wall {
			best, shortest = again, o
		}
	}
	if interferes {
		best.Runs = trace.Runs{All: together, One: alone}
	}
	if w.Load != nil && !first.Stopped {
		busier, err := execution.Busier(ctx, *w.Load, tr.Cores, func(l trace.Load) (execution.Outcome, error) {
			under := w
			under.Load = &l
			return t.run(ctx, s.plain, under, dir)
		})
		if err != nil {
			return nil, fmt.Errorf("the program without probes under a higher load: %w", err)
		}
		if busier != nil {
			usual, responses = busier.Usual, append(responses, busier.Responses...)
		}
		best.Busier, best.Response = busier, trace.MedianResponse(responses)
	}
	best.Overhead = probed/slices.Min(plain) - 1
	best.OverheadOff = off/slices.Min(plain) - 1
	if !first.Stopped {
		best.Recorded, best.Plain = shortest.Cost(), slices.Concat(plain, usual)
	}
	return best, nil
}

// again repeats the recorded run and returns the CPU time of the goroutines in
// s.
func (t Target) again(ctx context.Context, s *subject, w trace.Workload, dir string) (float64, error) {
	name, _, err := t.runProbed(ctx, s, w, dir)
	if err != nil {
		return 0, err
	}
	defer os.Remove(name)
	b, unmap, err := mapFile(name)
	if err != nil {
		return 0, err
	}
	defer unmap()
	r, err := parseProbeFile(b)
	if err != nil {
		return 0, err
	}
	return r.threadTime(), nil
}

// threadTime is the CPU time that the goroutines used, in s.
func (r *recording) threadTime() float64 {
	last := map[uint64]int64{}
	for i := range r.events {
		e := &r.events[i]
		last[e.goid] = max(last[e.goid], e.cpu)
	}
	sum := int64(0)
	for _, ns := range last {
		sum += ns
	}
	return float64(sum) * 1e-9
}
