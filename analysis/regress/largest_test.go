package regress_test

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"tierscope/analysis/regress"
)

// Of every table the 30 smallest inputs are fitted, and the 10 largest, by the
// instructions of all threads together, predicted. What is predicted without a warning
// must be right; a warning must be worth something.
func TestTheLargestInputsArePredictedFromTheSmaller(t *testing.T) {
	t.Parallel()
	var plain, warned []float64
	covered := 0
	for _, rows := range profilesOfThePapersPrograms(t) {
		rows = slices.DeleteFunc(rows, func(r regress.Row) bool { return r.Phase != "" })
		slices.SortFunc(rows, func(a, b regress.Row) int {
			return cmp.Compare(a.Threads*a.Behaviours["instr"], b.Threads*b.Behaviours["instr"])
		})
		split := len(rows) - 10
		report, err := regress.Study{Behaviours: behaviours}.Run(context.Background(), rows[:split])
		if err != nil {
			t.Fatal(err)
		}
		for i := range report.Behaviours {
			b := &report.Behaviours[i]
			if !b.Acceptable() {
				continue
			}
			for _, row := range rows[split:] {
				at := map[string]float64{regress.Threads: row.Threads}
				for name, v := range row.Variables {
					at[name] = v
				}
				f, err := b.Forecast(at)
				if err != nil {
					t.Fatal(err)
				}
				y := row.Behaviours[b.Name]
				missed := math.Abs(f.Value-y) / y
				if len(f.Warnings) > 0 {
					warned = append(warned, missed)
					continue
				}
				if plain = append(plain, missed); f.Lo <= y && y <= f.Hi {
					covered++
				}
			}
		}
	}
	slices.Sort(plain)
	slices.Sort(warned)
	t.Logf("%d predictions without a warning miss by %.3f (median), %d of them in their intervals; %d with one by %.3f",
		len(plain), plain[len(plain)/2], covered, len(warned), warned[len(warned)/2])
	if len(plain) < len(warned)/2 || plain[len(plain)/2] > 0.10 {
		t.Errorf("%d predictions without a warning miss by %.3f; want most, and at most 0.10", len(plain), plain[len(plain)/2])
	}
	if warned[len(warned)/2] < plain[len(plain)/2] {
		t.Errorf("predictions with a warning miss by %.3f, those without by %.3f", warned[len(warned)/2], plain[len(plain)/2])
	}
}
