package java

import (
	"context"
	"math"
	"slices"
	"time"

	"tierscope/analysis/execution"
	"tierscope/analysis/trace"
)

// What recording costs a server is seen in one run of it: after the work phase
// the same requests come again and again, recorded and not, by turns. Two runs
// differ by more than that: a tenth or two in what the compilers made of the
// code, and in the speed of the machine, which in turns of a second is the same
// for both.

const (
	turnRounds = 5    // of four turns: not recorded, recorded, recorded, not
	turnTime   = 0.6  // s
	turnWarmup = 0.15 // s, in which connections are made
)

// costByTurns returns how much more CPU time a request takes because it is
// recorded, as a share of what it takes otherwise. NaN: turns without requests.
func (s *switcher) costByTurns(ctx context.Context, drive execution.Drive, l trace.Load, used func() time.Duration) (float64, error) {
	l.Warmup, l.Duration = turnWarmup, turnTime
	return byTurns(func(recorded bool) (float64, error) {
		if err := s.pause(ctx, !recorded); err != nil {
			return 0, err
		}
		o, err := pressed(ctx, drive, l, used)
		if err != nil || o.Tasks == 0 {
			return math.NaN(), err
		}
		return o.Cost(), nil
	})
}

// Turns under the usual load and a higher one, in s: they are longer, for there are
// fewer.
const (
	busierTime   = 3
	busierWarmup = 0.5
)

// costBusier compares what requests cost a server that is warm with what they
// cost it under a higher load; nil: there is none to compare with.
func costBusier(ctx context.Context, drive execution.Drive, l trace.Load, cores int, used func() time.Duration) (*trace.Busier, error) {
	l.Warmup, l.Duration = busierWarmup, busierTime
	return execution.Busier(ctx, l, cores, func(l trace.Load) (execution.Outcome, error) {
		o, err := pressed(ctx, drive, l, used)
		if !keepsUp(l, o.Tasks) {
			o.Tasks = 0
		}
		return o, err
	})
}

// keepsUp reports whether a server answers what was asked. Where it, or who asks,
// is too slow, requests pile up and bring connections that cost it more than they do.
func keepsUp(l trace.Load, answered int64) bool {
	const late, deviations = 0.05, 3 // of a Poisson process
	offered := l.Rate * l.Duration
	return float64(answered) >= (1-late)*offered-deviations*math.Sqrt(offered)
}

// pressed puts a load on a server and returns what its work phase cost.
func pressed(ctx context.Context, drive execution.Drive, l trace.Load, used func() time.Duration) (o execution.Outcome, err error) {
	var cpu []time.Duration
	o.Answers, err = drive(ctx, &l, func() {
		if n := len(cpu); n < len(o.Work) {
			o.Work[n] = execution.Monotonic()
		}
		cpu = append(cpu, used())
	})
	if len(cpu) < len(o.Work) {
		return execution.Outcome{}, err
	}
	o.WorkCPU = cpu[1] - cpu[0]
	return o, err
}

// byTurns calls cost by turns, and returns by how much what is recorded costs
// more: the median over rounds, in which a machine that becomes slower and slower
// does not count.
func byTurns(cost func(recorded bool) (float64, error)) (float64, error) {
	var more []float64
	for range turnRounds {
		ratio := 1.0
		for _, recorded := range [4]bool{false, true, true, false} {
			c, err := cost(recorded)
			if err != nil {
				return math.NaN(), err
			}
			if recorded {
				ratio *= c
			} else {
				ratio /= c
			}
		}
		more = append(more, math.Sqrt(ratio)-1)
	}
	slices.Sort(more) // NaN first
	return more[turnRounds/2], nil
}
