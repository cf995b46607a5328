package regress_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/regress"
)

// Of every table the runs with at most a quarter of its largest variable are fitted, 9 to 14, and those with more predicted.
// Of what comes without a warning half is right to 10 %, and nine in ten; of what is warned of most is wrong.
func TestInputsFourTimesAsLargeArePredictedOrWarnedOf(t *testing.T) {
	t.Parallel()
	var plain, warned []float64
	wrong, rightly, covered := 0, 0, 0
	for _, rows := range profilesOfThePapersPrograms(t) {
		all, err := regress.Study{Behaviours: behaviours}.Far(context.Background(), rows, 4)
		if err != nil {
			t.Fatal(err)
		}
		for _, far := range all {
			t.Logf("%s: %s ≥ %g from %d runs ≤ %g", far.Program, far.Variable, far.Least, far.Fitted, far.Edge)
			for _, try := range far.Tries {
				t.Logf("%-10s measured %-12.6g predicted %-12.6g [%.6g, %.6g] missed %.3f warned %q", try.Behaviour, try.Measured, try.Predicted, try.Lo, try.Hi, try.Missed(), try.Warnings)
				switch {
				case try.Warned():
					if warned = append(warned, try.Missed()); try.Wrong() {
						rightly++
					}
					continue
				case try.Wrong():
					wrong++
				}
				if plain = append(plain, try.Missed()); try.Inside() {
					covered++
				}
			}
		}
	}
	slices.Sort(plain)
	slices.Sort(warned)
	if len(plain) < 100 || len(warned) == 0 {
		t.Fatalf("%d predictions without a warning and %d with one: most must be of the first kind, and some of the other", len(plain), len(warned))
	}
	t.Logf("%d predictions without a warning miss by %.3f (median), %d by more than 0.1, %d are in their intervals; %d with one by %.3f, %d by more than 0.1",
		len(plain), plain[len(plain)/2], wrong, covered, len(warned), warned[len(warned)/2], rightly)
	if len(plain) == 0 || len(warned) == 0 {
		t.Fatal("nothing")
	}
	if plain[len(plain)/2] > 0.10 || wrong > len(plain)/10 {
		t.Errorf("without a warning %d predictions miss by %.3f, and %d by more than 0.1; want at most 0.10, and a tenth", len(plain), plain[len(plain)/2], wrong)
	}
	if rightly <= len(warned)/2 {
		t.Errorf("%d of %d predictions with a warning are wrong, want most", rightly, len(warned))
	}
}

// Sizes 1, 2^(1/8), … 64: of 49 runs the first 33, up to 16, are fitted, and the other 16 predicted. Calls are 3·size. The number
// of parts spans more, but two values of it, 1 and 25, say nothing of 100.
func TestLargeInputsArePredictedFromAQuarterOfThem(t *testing.T) {
	t.Parallel()
	var rows []regress.Row
	for i := range 49 {
		size := math.Exp2(float64(i) / 8)
		rows = append(rows, regress.Row{Program: "p", ThreadType: "w", Threads: 2, Variables: map[string]float64{"size": size, "seed": 1 / size, "parts": []float64{1, 25, 100}[i%3]},
			Behaviours: map[string]float64{"calls": 3 * size}})
	}
	all, err := regress.Study{}.Far(context.Background(), rows, 4)
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	if f := all[0]; f.Variable != "size" || f.Fitted != 33 || f.Edge != 16 || len(f.Tries) != 16 || math.Abs(f.Least-math.Exp2(33./8)) > 1e-9 {
		t.Errorf("predicted is %+v", f)
	}
	for _, try := range all[0].Tries {
		if try.Missed() > 1e-6 || try.Warned() || !try.Inside() || try.Wrong() {
			t.Errorf("%+v, want what was measured, without a warning", try)
		}
	}
	for factor, want := range map[float64]string{1: "above 1", 40: "are needed", 60: "no input has 3 values"} {
		if _, err := (regress.Study{}).Far(context.Background(), rows, factor); err == nil || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("factor %g: %v, want an error about %q", factor, err, want)
		}
	}
}
