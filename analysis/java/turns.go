package java

import (
	"context"
	"math"
	"slices"
	"time"

	"tierscope/analysis"
	"tierscope/analysis/execution"
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
func (s *switcher) costByTurns(ctx context.Context, drive execution.Drive, l analysis.Load, used func() time.Duration) (float64, error) {
	l.Warmup, l.Duration = turnWarmup, turnTime
	return byTurns(func(recorded bool) (float64, error) {
		if err := s.pause(ctx, !recorded); err != nil {
			return 0, err
		}
		var cpu []time.Duration
		answered, err := drive(ctx, &l, func() { cpu = append(cpu, used()) })
		if err != nil || answered == 0 || len(cpu) < 2 {
			return math.NaN(), err
		}
		return (cpu[1] - cpu[0]).Seconds() / float64(answered), nil
	})
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
