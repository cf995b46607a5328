package calibrate

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"tierscope/core"
	"tierscope/core/quantity"
)

// Turns is what two builds cost that ran by turns, in s of CPU, round by round.
type Turns struct{ Old, New []float64 }

// Together makes the models of two builds comparable that were made of recordings of different
// minutes: the new one computes so much longer or shorter in all its code that the two
// differ by what their turns differ by, and what another day would change is common to both.
// It returns the new model, the old one with what is not known of it, and says what was done.
func Together(ctx context.Context, old, now core.Model, t Turns) (before, after core.Model, says string, err error) {
	n := len(t.Old)
	if n != len(t.New) || n < leastPlain {
		return old, now, "", fmt.Errorf("%d and %d runs by turns; expected at least %d of each", n, len(t.New), leastPlain)
	}
	ratios := make([]float64, n) // logarithms
	for i := range ratios {
		ratios[i] = math.Log(t.New[i] / t.Old[i])
	}
	ratio, deviation := stat.MeanStdDev(ratios, nil)
	was, err := programCPU(ctx, old)
	if err != nil {
		return old, now, "", fmt.Errorf("the old model: %w", err)
	}
	is, err := programCPU(ctx, now)
	if err != nil {
		return old, now, "", fmt.Errorf("the new model: %w", err)
	}
	factor := math.Exp(ratio) * was / is
	after = pace{model: now, factor: factor, alone: 1}.with()
	// The law of the factors is normal; few rounds tell a deviation as Student's t does.
	student := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile(0.975) / core.Normal95
	own := min(student*deviation/math.Sqrt(float64(n)), core.MostDeviation)
	before = old
	before.Uncertain, after.Uncertain = common(old.Uncertain), common(now.Uncertain)
	if own > core.LeastDeviation {
		after.Uncertain = append(after.Uncertain, core.Uncertain{Name: "how much more the new build computes than the old one", Deviation: own,
			Runs: n, Targets: []core.Loading{{Path: "cpu/speed", Power: -1}}})
	}
	return before, after, fmt.Sprintf("by turns, the new build took %s CPU time ± %s (%d rounds); the new model computes %.3f times as long as it was recorded",
		quantity.Change(math.Expm1(ratio)), quantity.Share(core.Normal95*own), n, factor), nil
}

// common are factors of models of one day: they err alike.
func common(factors []core.Uncertain) []core.Uncertain {
	var out []core.Uncertain
	for _, u := range factors {
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
