package native

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"tierscope/analysis/execution"
	"tierscope/analysis/trace"
)

// Rounds of runs for the overhead: as many as fit into the time, within limits.
const (
	overheadTime      = 13 * time.Second
	overheadMaxRounds = 9
	overheadRuns      = 3 // of a round: plain, recorded, on one core
)

// dear is the overhead from which on operations that do not matter are left out of the recording.
// Convention, sensitivity none: the goal for what recording may cost.
const dear = 0.05

// mostRecord is what a record costs at most, s: with a context that has to be unwound, and the caches that it disturbs. Convention,
// sensitivity none: a hundred times the usual cost.
const mostRecord = 2e-6

// dearer is by what share recording makes a run cost more. Two runs may differ by more than their records can cost: then
// other programs disturbed one of them.
func dearer(recorded, plain execution.Outcome, records int) float64 {
	most := mostRecord * float64(records) / float64(max(recorded.Tasks, 1)) / plain.Cost()
	return min(recorded.Cost()/plain.Cost()-1, most)
}

// overhead compares the CPU time of runs with and without the recorder, by turns. The smallest of each
// kind is taken: what disturbs a run only adds. A server is compared per request answered in the work
// phase. A batch program runs on one core as well, for the interference of threads on several: without the recorder, as who shares a line of
// the cache with whom depends on where memory lies; with it only if what went into looking whether to go on has to be left out.
// Of all recordings of a batch program it returns the shortest, the least disturbed.
func (t Target) overhead(ctx context.Context, s *subject, w trace.Workload, first run, tell func(float64, string, ...any)) (*trace.Trace, error) {
	plain, err := t.run(ctx, s.program, w, s.dir)
	if err != nil {
		return nil, fmt.Errorf("the program without the recorder: %w", err)
	}
	if more := dearer(first.outcome, plain, first.trace.Records()); !first.outcome.Stopped && len(first.muted) > 0 && more > dear {
		tell(0.5, "recording costs %.0f %%: again without %d places where locks or files are used often", 100*more, len(first.muted))
		if first, err = t.without(ctx, s, w, first); err != nil {
			return nil, err
		}
	}
	c := comparison{best: first, probed: first.outcome.Cost(), plain: []float64{plain.Cost()}, responses: []trace.ResponseTime{plain.Response}}
	if err := t.compare(ctx, s, w, &c); err != nil {
		return nil, err
	}
	best := c.best.trace
	best.Warnings = slices.Compact(append(slices.Clone(first.trace.Warnings), best.Warnings...))
	if first.outcome.Stopped {
		best.Overhead = math.NaN()
		return best, nil
	}
	if len(c.alone) > 0 {
		best.Runs = trace.Runs{All: c.plain, One: c.alone}
		if first.looked {
			best.Runs.All = append(c.together, first.used)
		}
	}
	var usual []float64
	if w.Load != nil {
		best.Busier, err = execution.Busier(ctx, *w.Load, best.Cores, func(l trace.Load) (execution.Outcome, error) {
			under := w
			under.Load = &l
			return t.run(ctx, s.program, under, s.dir)
		})
		if err != nil {
			return nil, fmt.Errorf("the program without the recorder under a higher load: %w", err)
		}
		if best.Busier != nil {
			usual, c.responses = best.Busier.Usual, append(c.responses, best.Busier.Responses...)
		}
		best.Response = trace.MedianResponse(c.responses)
	}
	best.Overhead = c.probed/slices.Min(c.plain) - 1
	best.Recorded, best.Plain = c.best.outcome.Cost(), slices.Concat(c.plain, usual)
	return best, nil
}

// comparison is what runs by turns showed.
type comparison struct {
	best            run
	probed          float64   // least cost of a recorded run
	plain           []float64 // costs of plain runs
	responses       []trace.ResponseTime
	together, alone []float64 // s of CPU of threads that were recorded on all cores again; of the program on one
}

// compare makes the rounds.
func (t Target) compare(ctx context.Context, s *subject, w trace.Workload, c *comparison) error {
	first := c.best
	batch := w.Load == nil && !first.outcome.Stopped && !lost(first)
	rounds := min(overheadMaxRounds, 1+int(cmp.Or(t.Compare, overheadTime)/max(first.outcome.Wall*overheadRuns, 1)))
	for i := range rounds {
		if batch && first.trace.Cores > 1 {
			alone, err := t.alone(ctx, s, w, first.looked)
			if err != nil {
				return err
			}
			c.alone = append(c.alone, alone)
		}
		if i == 0 {
			continue // the recorded run itself, and the plain one that followed
		}
		o, err := t.run(ctx, s.program, w, s.dir)
		if err != nil {
			return fmt.Errorf("the program without the recorder: %w", err)
		}
		c.plain, c.responses = append(c.plain, o.Cost()), append(c.responses, o.Response)
		again, err := t.record(ctx, s, w)
		if err != nil {
			return err
		}
		c.probed, c.together = min(c.probed, again.outcome.Cost()), append(c.together, again.used)
		if batch && !again.outcome.Stopped && !lost(again) && again.outcome.Wall < c.best.outcome.Wall {
			c.best = again
		}
	}
	return nil
}

// alone is what the program costs on one core, s of CPU.
func (t Target) alone(ctx context.Context, s *subject, w trace.Workload, looks bool) (float64, error) {
	w.Cores = 1
	if looks {
		r, err := t.record(ctx, s, w)
		return r.used, err
	}
	o, err := t.run(ctx, s.program, w, s.dir)
	if err != nil {
		return 0, fmt.Errorf("the program on one core: %w", err)
	}
	return o.Cost(), nil
}

// lost reports whether records are missing.
func lost(r run) bool { return r.trace.Dropped > 0 }
