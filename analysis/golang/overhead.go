package golang

import (
	"context"
	"fmt"
	"math"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"tierscope/analysis"
	"tierscope/analysis/execution"
)

// Rounds of runs for the overhead: as many as fit into the time, within limits.
const (
	overheadTime      = 10 * time.Second
	overheadMaxRounds = 5
)

// overhead compares the CPU time of runs with and without probes. The
// smallest of each kind is taken: what disturbs a run only adds. A server is
// compared per request answered in the work phase. A batch program is recorded
// on one core as well, for the interference of threads on several.
func (t Target) overhead(ctx context.Context, s *subject, w analysis.Workload, dir string, tr *analysis.Trace, first execution.Outcome) error {
	rounds := min(overheadMaxRounds, 1+int(overheadTime/max(first.Wall*3, 1)))
	plain, probed, off := math.Inf(1), first.Cost(), math.Inf(1)
	interferes := w.Load == nil && tr.Cores > 1 && !first.Stopped && tr.Dropped == 0
	together, alone := threadTime(tr), math.Inf(1)
	for i := range rounds {
		o, err := t.run(ctx, s.plain, w, dir)
		if err != nil {
			return fmt.Errorf("the program without probes: %w", err)
		}
		plain = min(plain, o.Cost())
		if o, err = t.run(ctx, s.probed, w, dir); err != nil {
			return fmt.Errorf("the program with probes switched off: %w", err)
		}
		off = min(off, o.Cost())
		if interferes {
			one := w
			one.Cores = 1
			_, used, err := t.again(ctx, s, one, dir)
			if err != nil {
				return err
			}
			alone = min(alone, used)
		}
		if i == 0 {
			continue // the recorded run itself
		}
		o, used, err := t.again(ctx, s, w, dir)
		if err != nil {
			return err
		}
		probed, together = min(probed, o.Cost()), min(together, used)
	}
	if interferes && alone > 0 {
		tr.Interference = max(0, together/alone-1)
	}
	tr.Overhead = probed/plain - 1
	tr.OverheadOff = off/plain - 1
	return nil
}

// threadTime is the CPU time that the program's goroutines used, in s.
func threadTime(tr *analysis.Trace) float64 {
	sum := int64(0)
	for i := range tr.Threads {
		if rs := tr.Threads[i].Records; len(rs) > 0 {
			sum += rs[len(rs)-1].CPU
		}
	}
	return float64(sum) * 1e-9
}

// again repeats the recorded run and returns, besides how it went, the CPU
// time of the goroutines in s.
func (t Target) again(ctx context.Context, s *subject, w analysis.Workload, dir string) (execution.Outcome, float64, error) {
	name, o, err := t.runProbed(ctx, s, w, dir)
	if err != nil {
		return o, 0, err
	}
	defer os.Remove(name)
	b, err := mapFile(name)
	if err != nil {
		return o, 0, err
	}
	defer unix.Munmap(b)
	r, err := parseProbeFile(b)
	if err != nil {
		return o, 0, err
	}
	return o, r.threadTime(), nil
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
