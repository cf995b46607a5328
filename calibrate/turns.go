package calibrate

import (
	"context"
	"fmt"
	"math"
	"reflect"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/core/robust"
)

// Cost is what one run of a program takes, in s: from its start to its end, and of CPU.
type Cost struct{ Time, CPU float64 }

// Turns are the runs of two builds that ran by turns, round by round.
type Turns struct{ Old, New []Cost }

// leastTurns are rounds. Theory: the signs of fewer differences say nothing with 95 % confidence (robust.Centre)
const leastTurns = 6

// Time is how much longer the new build takes, relative, with the interval of 95 %.
func (t Turns) Time() (more, lo, hi float64) {
	centre, lo, hi := t.ratio(func(c Cost) float64 { return c.Time })
	return math.Expm1(centre), math.Expm1(lo), math.Expm1(hi)
}

// ratio of the new to the old build, as a logarithm.
func (t Turns) ratio(of func(Cost) float64) (centre, lo, hi float64) {
	ratios := make([]float64, min(len(t.Old), len(t.New)))
	for i := range ratios {
		ratios[i] = math.Log(of(t.New[i]) / of(t.Old[i]))
	}
	return robust.Centre(ratios, 0.95)
}

// Together makes the models of two builds comparable that were made of recordings of different
// minutes: the new one computes so much longer or shorter in all its code that the two
// differ by what the CPU times of their turns differ by, what else makes their run times differ
// is in all times of it, and what another day would change is common to both. They have one machine.
// It returns both with what is not known of them, and says what was done.
func Together(ctx context.Context, old, now core.Model, t Turns) (before, after core.Model, says string, err error) {
	n := len(t.Old)
	if n != len(t.New) || n < leastTurns {
		return old, now, "", fmt.Errorf("%d and %d runs by turns; expected at least %d of each", n, len(t.New), leastTurns)
	}
	before, after = old, now
	if old.CPU.Cores == now.CPU.Cores && reflect.DeepEqual(old.CPU.Speed, now.CPU.Speed) {
		after.CPU = old.CPU
	}
	was, err := Costs(ctx, before, nil)
	if err != nil {
		return old, now, "", fmt.Errorf("the old model: %w", err)
	}
	time, lo, hi := t.ratio(func(c Cost) float64 { return c.Time })
	cpu, _, _ := t.ratio(func(c Cost) float64 { return c.CPU })
	is, err := Costs(ctx, after, nil)
	if err != nil {
		return old, now, "", fmt.Errorf("the new model: %w", err)
	}
	computes := math.Exp(cpu) * was.CPU / is.CPU
	after = pace{model: after, factor: computes, alone: 1}.with()
	if is, err = Costs(ctx, after, nil); err != nil {
		return old, now, "", fmt.Errorf("the new model: %w", err)
	}
	takes := math.Exp(time) * was.Time / is.Time
	after = after.Stretched(takes)

	before.Uncertain, after.Uncertain = common(old.Uncertain), common(now.Uncertain)
	own := min((hi-lo)/2/core.Normal95, core.MostDeviation)
	if own > core.LeastDeviation {
		after.Uncertain = append(after.Uncertain, core.Uncertain{Name: "how much longer the new build takes than the old one", Deviation: own,
			Runs: n, Targets: []core.Loading{{Path: core.EveryScale}}})
	}
	return before, after, fmt.Sprintf("by turns, the new build took %s of the time (%s to %s) and %s CPU time (%d rounds); for that, its model computes %.3f times as long as it was recorded, and takes %.3f times as long",
		quantity.Change(math.Expm1(time)), quantity.Change(math.Expm1(lo)), quantity.Change(math.Expm1(hi)), quantity.Change(math.Expm1(cpu)), n, computes, takes), nil
}

// common are factors of models of one program and day: they err alike. What models are off by, the turns have told.
func common(factors []core.Uncertain) []core.Uncertain {
	var out []core.Uncertain
	for _, u := range factors {
		if u.Key == core.ModelKey {
			continue
		}
		if u.Key == "" {
			if u.Deviation = u.Rest; !(u.Deviation > core.LeastDeviation) {
				continue
			}
			u.Key, u.Runs = "day of the turns", 0
		}
		out = append(out, u)
	}
	return out
}
