package calibrate

import (
	"context"
	"fmt"
	"math"

	"tierscope/analysis/trust"
	"tierscope/core"
)

// Threads that take turns at a core drive each other's data out of its caches, and need more CPU time than on cores of
// their own. Runs on one core show by how much in all. How often threads take turns, and after how much work of
// others, only a simulation tells: the model is simulated as it was recorded and on one core, and made to repeat the ratio.
// refill is the work by which a thread brings back what it works on, s. Measured: with three other threads a turn cost two
// to three times as much as with one (xz, zstd, 1.6 for pbzip2), as other work of 12 ms drives out 2.1 times as much as of 4.
const refill = 1e-2

// Alternating returns the model of a batch program whose threads need as much more CPU time on one core as runs on it did,
// and what it assumes for that. The model is as it was, and "" is said, if they need no more.
func Alternating(ctx context.Context, m core.Model, e trust.Evidence) (core.Model, string) {
	if e.Turns <= 1 || knowsCompany(m) {
		return m, ""
	}
	a := alternating{model: m}
	var err error
	if a.all, err = programCPU(ctx, m); err == nil {
		err = a.solve(ctx, e.Turns)
	}
	if err != nil {
		return m, fmt.Sprintf("what turns at a core cost threads is not modelled: %v", err)
	}
	return a.found, fmt.Sprintf("a thread at its turn, after others, computes the first %.0f ms slower by %.0f %%, so that the model repeats that", 1000*refill, 100*a.slowdown)
}

// alternating looks for the slowdown by which a model repeats what turns at one core cost.
type alternating struct {
	model, found core.Model
	all          float64 // s of CPU as it was recorded
	slowdown     float64
}

// ratio is what the model costs on one core over what it costs as it was recorded, with a slowdown. What turns there were in
// the recorded run are in its demands already.
func (a *alternating) ratio(ctx context.Context, slowdown float64) (float64, error) {
	m := a.model
	m.CPU.Turns = &core.Turns{Slowdown: slowdown, Work: refill}
	all, err := programCPU(ctx, m)
	if err != nil {
		return 0, err
	}
	a.slowdown, a.found = slowdown, pace{model: m, factor: a.all / all, alone: 1}.with()
	one, err := programCPU(ctx, onOneCore(a.found))
	return one / a.all, err
}

// solve searches along straight lines.
func (a *alternating) solve(ctx context.Context, want float64) error {
	none, err := a.ratio(ctx, 0)
	if err != nil {
		return err
	}
	for s, step := want-1, 0; s > 0 && step < plainTurns; step++ {
		got, err := a.ratio(ctx, s)
		if err != nil {
			return err
		}
		if math.Abs(got/want-1) < plainExact {
			return nil
		}
		s *= (want - none) / (got - none)
	}
	return fmt.Errorf("with none the model needs %.2f times the CPU time on one core, the program %.2f times, and none makes them alike", none, want)
}
