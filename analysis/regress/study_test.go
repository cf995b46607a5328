package regress_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tierscope/analysis/regress"
)

// profile is a CSV table of 24 runs: work = 5 + 2·size/n, a constant column, a
// double of size, and noise that follows no variable.
func profile() string {
	var b strings.Builder
	b.WriteString("Type,n,size,double,fixed,Y.work,Y.noise,Y.rare\n")
	for i := range 24 {
		size, n := 100+i*i%37*50, 1+i%4
		rare := 0
		if i == 3 {
			rare = 7
		}
		fmt.Fprintf(&b, "worker,%d,%d,%d,3,%g,%d,%d\n", n, size, 2*size, 5+2*float64(size)/float64(n), 1+i*7919%1000*(i%2)*(i%3), rare)
	}
	return b.String()
}

func TestATableIsStudiedBehaviourByBehaviour(t *testing.T) {
	t.Parallel()
	rows, err := regress.ReadTable(strings.NewReader(profile()), nil)
	if err != nil || len(rows) != 24 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	report, err := regress.Study{}.Run(context.Background(), rows)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]regress.Behaviour{}
	for _, b := range report.Behaviours {
		found[b.Name] = b
	}
	work := found["work"]
	if !work.Acceptable() || math.Abs(work.Evaluation.HeldOut-1) > 1e-6 {
		t.Errorf("5 + 2·size/n is predicted with accuracy %g", work.Evaluation.HeldOut)
	}
	if got := work.Selection.Model.Predict(map[string]float64{"size": 1000, "double": 2000}, 8); math.Abs(got-255) > 1e-6 {
		t.Errorf("size 1000 on 8 threads is predicted as %g, 5 + 2000/8 = 255", got)
	}
	for _, i := range work.Intervals {
		if want := map[string]float64{"1": 5, "size/n": 2}[i.Term]; math.Abs(i.Estimate-want) > 1e-6 || i.Lo > want+1e-6 || i.Hi < want-1e-6 {
			t.Errorf("coefficient of %s is %g [%g, %g], made with %g", i.Term, i.Estimate, i.Lo, i.Hi, want)
		}
	}
	if b := found["noise"]; b.Acceptable() || !strings.Contains(b.Unmodelled, "below 0.7") {
		t.Errorf("noise: %q", b.Unmodelled)
	}
	if b := found["rare"]; !strings.Contains(b.Unmodelled, "0 in 23 of 24 runs") {
		t.Errorf("rare: %q", b.Unmodelled)
	}
	if all, modelled, accuracy := report.Coverage(); all != 2 || modelled != 1 || math.Abs(accuracy-1) > 1e-6 {
		t.Errorf("coverage %d of %d at %g, want 1 of 2 at 1: what is 0 in all but one run does not count", modelled, all, accuracy)
	}
	// The held-out predictions are of a quarter of the rows in each of 5 splits.
	if n := len(work.Evaluation.Predictions); n != 5*24/4 {
		t.Errorf("%d held-out predictions, want 30", n)
	}
	var file bytes.Buffer
	if err := report.Write(&file); err != nil {
		t.Fatal(err)
	}
	again, err := regress.ReadReport(&file)
	if err != nil || again.Behaviours[len(again.Behaviours)-1].Selection.Model.Formula() != work.Selection.Model.Formula() {
		t.Errorf("the report does not come back: %v", err)
	}
}

// 95 % intervals of an ordinary least-squares line against the textbook: x = 1…8,
// y below; b̂ = Sxy/Sxx ± t₀.₉₇₅,₆·√((Syy − b̂·Sxy)/6/Sxx) with t = 2.4469 (tables).
func TestIntervalsAreThoseOfTheTextbookLine(t *testing.T) {
	t.Parallel()
	y := []float64{3, 4, 8, 6, 11, 14, 13, 16}
	var samples []regress.Sample
	for i, v := range y {
		samples = append(samples, regress.Sample{Variables: map[string]float64{"x": float64(i + 1)}, Threads: 1, Y: v})
	}
	// ȳ = 75/8, Sxx = 42, Sxy = Σ(x−4.5)y = 79.5, Syy = 867 − 75²/8 = 163.875.
	const sxx, sxy, syy, tables = 42.0, 79.5, 163.875, 2.4469
	slope := sxy / sxx
	m := regress.Model{Form: regress.Linear, Terms: []regress.Term{{A: "x"}}, Coefficients: []float64{75.0/8 - 4.5*slope, slope}}
	half := tables * math.Sqrt((syy-slope*sxy)/6/sxx)
	got := regress.Intervals(samples, m, regress.Options{Absolute: true}, 0.95)
	if len(got) != 2 || math.Abs(got[1].Hi-slope-half) > 1e-4 || math.Abs(slope-got[1].Lo-half) > 1e-4 {
		t.Errorf("slope interval %+v, want %g ± %g", got, slope, half)
	}
}

func TestBadTablesAreRefusedByLineAndTheRestContinues(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, want string
		rows       int
	}{
		"no behaviour":    {"n,size\n1,2\n", "no column is a behaviour", 0},
		"twice":           {"n,size,size\n1,2,3\n", "once each", 0},
		"empty":           {"", "the file is empty", 0},
		"one row":         {"n,size,Y.t\n1,2,3\n", "", 1},
		"text":            {"n,size,Y.t\n1,big,3\n1,2,3\n", `line 2: column size: "big" is not a number`, 1},
		"NaN variable":    {"n,size,Y.t\n1,NaN,3\n1,2,3\n", `line 2: variable "size" is NaN`, 1},
		"short line":      {"n,size,Y.t\n1,2\n1,2,3\n", "line 2: 2 cells, the header has 3", 1},
		"no threads":      {"n,size,Y.t\n0,2,3\n1,2,3\n", "line 2: number of threads N is 0", 1},
		"missing is fine": {"n,size,Y.t\n1,2,\n1,2,3\n", "", 2},
	} {
		rows, err := regress.ReadTable(strings.NewReader(c.text), nil)
		if len(rows) != c.rows || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %d rows, error %v; want %d rows, error about %q", name, len(rows), err, c.rows, c.want)
		}
	}
	rows, _ := regress.ReadTable(strings.NewReader("n,size,Y.t\n1,2,3\n"), nil)
	report, err := regress.Study{}.Run(context.Background(), rows)
	if err != nil || !strings.Contains(report.Behaviours[0].Unmodelled, "1 runs are too few") {
		t.Errorf("one row: %+v, %v", report, err)
	}
}

// "If the thread-level model does not meet the accuracy requirement, [it] is
// built at phase level" (Wu et al. 2010, §4.2).
func TestPhasesAreModelledWhereTheWholeThreadIsNot(t *testing.T) {
	t.Parallel()
	var rows []regress.Row
	for i := range 20 {
		size := float64(10 * (i + 1))
		erratic := math.Pow(10, float64(i*i*7919%1009)/200)
		for phase, y := range map[string]map[string]float64{"": {"cpu": size, "sync": erratic}, "a": {"cpu": size / 2, "sync": size}} {
			rows = append(rows, regress.Row{Phase: phase, Threads: 1, Variables: map[string]float64{"size": size}, Behaviours: y})
		}
	}
	report, err := regress.Study{}.Run(context.Background(), rows)
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for _, b := range report.Behaviours {
		labels = append(labels, b.Label())
	}
	if got := strings.Join(labels, ", "); got != "cpu, sync, a sync" {
		t.Errorf("modelled: %s; want the phase of sync only", got)
	}
}

// A run without a number for a behaviour is left out, and that is said.
func TestRunsWithoutANumberAreLeftOutWithAWarning(t *testing.T) {
	t.Parallel()
	var rows []regress.Row
	for i := range 20 {
		y := 2 * float64(i+1)
		if i == 3 {
			y = math.NaN()
		}
		rows = append(rows, regress.Row{Threads: 1, Variables: map[string]float64{"a": float64(i + 1)}, Behaviours: map[string]float64{"t": y}})
	}
	r, err := regress.Study{}.Run(context.Background(), rows)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Behaviours[0].Acceptable() || len(r.Warnings) != 1 || r.Warnings[0] != "t has no number in 1 of 20 runs: they are left out" {
		t.Errorf("behaviour %+v, warnings %q", r.Behaviours[0].Unmodelled, r.Warnings)
	}
}

// Switches are 1 to 6 whatever the size, and differ by a half between runs of one size as they do between sizes: chance. Of
// page faults, which differ more between sizes, no model can come nearer than a half either. Times are noisy too, but
// machines can be idle: they are not predicted, and count.
func TestWhatChanceDecidesIsToldFromWhatIsNotUnderstood(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 4))
	var rows []regress.Row
	for i := range 32 {
		rows = append(rows, regress.Row{Run: i, Threads: 1, Variables: map[string]float64{"size": float64(100 + 10*i)},
			Behaviours: map[string]float64{"switches": float64(1 + random.IntN(6)), "faults": math.Exp(4 * random.Float64()), "wall_s": math.Exp(4 * random.Float64())},
			Sources:    map[string]string{"switches": "kernel", "faults": "kernel", "wall_s": "clock"},
			Noise:      map[string]float64{"switches": 0.5, "faults": 0.5, "wall_s": 0.5}})
	}
	report, err := regress.Study{}.Run(context.Background(), rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range report.Behaviours {
		switch chance := strings.HasPrefix(b.Unmodelled, "chance"); {
		case b.Name != "wall_s" && (!chance || !b.Constant):
			t.Errorf("%s: %q, want chance", b.Name, b.Unmodelled)
		case b.Name == "wall_s" && (chance || b.Constant || b.Acceptable()):
			t.Errorf("the time: %q, want that it is not predicted", b.Unmodelled)
		}
	}
}
