package calibrate

import (
	"context"
	"fmt"
	"math"

	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/core/robust"
)

// Single returns the model of a batch program whose process uses the CPU time of plain runs on one core, and what it
// assumes for that. A run-time system that is told of one core only sets itself up otherwise: a JVM takes another garbage
// collector, and code that its barriers are part of takes another time. How much that is, only such runs tell; the
// model repeats what they cost by the speed of a core that is the only one. The model is as it was, and "" is said,
// if there were too few of them.
func Single(ctx context.Context, m core.Model, e trust.Evidence) (_ core.Model, says string) {
	if len(e.SingleCPU) < leastPlain || m.CPU.Cores < 2 {
		return m, ""
	}
	took := robust.Median(e.SingleCPU)
	one, speed := onOneCore(m), 1.0
	for range plainTurns { // when compilers are done with what changes with it, too
		one.CPU.Single = speed
		c, _, err := costs(ctx, one, nil)
		if err != nil {
			return m, fmt.Sprintf("the model could not be compared with the cost of runs on one core, as it could not be simulated: %v", err)
		}
		if math.Abs(c.CPU/took-1) < plainExact {
			break
		}
		speed *= c.CPU / took
	}
	if m.CPU.Single = 0; speed == 1 {
		return m, ""
	}
	m.CPU.Single = speed
	return m, fmt.Sprintf("with only one core the run-time system sets itself up otherwise, such as with another garbage collector: the process takes %s of CPU time there (median of %d runs), %.2f times what the model would compute",
		quantity.Format(took, "s"), len(e.SingleCPU), 1/speed)
}
