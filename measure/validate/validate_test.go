package validate

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/core"
	"tierscope/measure/load"
	"tierscope/measure/table"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

func measured(t *testing.T, csv string) *table.Table {
	t.Helper()
	m, err := table.Read(strings.NewReader(csv), nil, []string{"workers", "rate"})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// model has the parameters that the tests vary.
func model() core.Model {
	return core.Model{Name: "shop", Parameters: []core.Parameter{
		{Name: "workers", Min: 1, Max: 100, Default: 4}, {Name: "rate", Min: 1, Max: 1000},
		{Name: "cores", Min: 1, Max: 8, How: "GOMAXPROCS={value}"},
	}}
}

// predict stands in for the simulator: X, R and T as functions of the settings.
func predict(x, r func(map[string]float64) float64) func(context.Context, core.Model, map[string]float64, simulation.Options) (*simulation.Result, error) {
	return func(_ context.Context, _ core.Model, settings map[string]float64, _ simulation.Options) (*simulation.Result, error) {
		around := func(v float64) output.Estimate {
			return output.Estimate{Mean: v, Lo: 0.99 * v, Hi: 1.01 * v, N: 10, Confidence: 0.95}
		}
		return &simulation.Result{Metrics: []simulation.Metric{
			{Name: "X", Of: "class/task", Stat: "mean", Estimate: around(x(settings))},
			{Name: "R", Of: "class/task", Stat: "mean", Estimate: around(r(settings))},
			{Name: "T", Of: "program", Stat: "mean", Estimate: around(r(settings))},
			{Name: "U", Of: "cpu", Stat: "mean", Estimate: around(0.5)},
		}}, nil
	}
}

func constant(v float64) func(map[string]float64) float64 {
	return func(map[string]float64) float64 { return v }
}

func TestTheErrorIsSignedAndRelativeToTheMeasurement(t *testing.T) {
	t.Parallel()
	r, err := Run(t.Context(), Request{
		Model: model(), Measured: measured(t, "workers,T,CPU\n4,2.0,0.4\n"), Simulate: predict(constant(1), constant(1.5)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Comparisons) != 2 {
		t.Fatalf("%d comparisons, want T and U: %+v", len(r.Comparisons), r.Comparisons)
	}
	for _, c := range r.Comparisons {
		// T: (1.5 − 2)/2; U: 0.5 − 0.4, in points
		if want := map[string]float64{"T": -0.25, "U": 0.1}[c.Metric]; math.Abs(c.Error-want) > 1e-12 {
			t.Errorf("ε(%s) = %g, want %g", c.Metric, c.Error, want)
		}
	}
	if !r.Comparisons[0].Outside {
		t.Error("1.5 ± 1 % and 2.0 have no point in common: outside")
	}
}

// Clients measured 7 ms at 80 requests/s, 2 ms of which were the load generator's
// own; the server says 5 ms, and so does the model: no error. At 150 requests/s only
// 90 are served, and most of the 400 ms that clients wait, they wait before the
// server knows of them: the model's queue is before the server too.
func TestResponseTimesAreComparedWithTheServersOwnUntilItSaturates(t *testing.T) {
	t.Parallel()
	m := measured(t, "workers,rate,X\n4,80,80\n4,150,90\n")
	add := func(run string, rate float64, of string, value float64) {
		m.Rows = append(m.Rows, table.Row{Run: run, Settings: []float64{4, rate}, Metric: "R", Of: of, Stat: "mean", Value: value, Lo: math.NaN(), Hi: math.NaN(), Unit: "s"})
	}
	add(m.Rows[0].Run, 80, "", 0.007)
	add(m.Rows[0].Run, 80, "server", 0.005)
	add(m.Rows[1].Run, 150, "", 0.4)
	add(m.Rows[1].Run, 150, "server", 0.02)
	r, err := Run(t.Context(), Request{Model: model(), Measured: m, Metrics: []string{"R"}, Simulate: predict(constant(1), func(s map[string]float64) float64 {
		if s["rate"] > 90 {
			return 0.4
		}
		return 0.005
	})})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Comparisons) != 2 {
		t.Fatalf("%d comparisons, want one of each configuration: %+v", len(r.Comparisons), r.Comparisons)
	}
	for i, want := range []Account{Server, Client} {
		if c := r.Comparisons[i]; c.By != want || math.Abs(c.Error) > 1e-12 {
			t.Errorf("%s: ε = %g by the %s, want 0 by the %s", c.Name, c.Error, c.By, want)
		}
	}
}

// The table of Tarvo & Reiss 2014, §5.1 (Tomcat): below saturation the
// throughput is the arrival rate whatever the model says, so the error that
// informs is that of the saturated configurations.
func TestErrorsAreSeparatedBySaturation(t *testing.T) {
	t.Parallel()
	csv := "workers,rate,X\n4,50,50\n4,80,79.5\n4,100,90\n4,150,90\n"
	capacity := func(c float64) func(map[string]float64) float64 {
		return func(s map[string]float64) float64 { return min(s["rate"], c) }
	}
	r, err := Run(t.Context(), Request{Model: model(), Measured: measured(t, csv), Simulate: predict(capacity(99), constant(1))})
	if err != nil {
		t.Fatal(err)
	}
	a := r.Accuracies[0]
	if a.Metric != "X" || a.N != 4 || a.Saturated.N != 2 {
		t.Fatalf("%+v, want X over 4 configurations, 2 of them saturated", a)
	}
	// ε: 0, 0.5/79.5, 9/90, 9/90
	if want := (0.5/79.5 + 0.2) / 4; math.Abs(a.MeanAbs-want) > 1e-12 || math.Abs(a.Saturated.MeanAbs-0.1) > 1e-12 {
		t.Errorf("mean |ε| = %g, saturated %g; want %g and 0.1", a.MeanAbs, a.Saturated.MeanAbs, want)
	}
	if len(r.Knees) != 1 || math.Abs(r.Knees[0].Measured-90) > 1e-9 || math.Abs(r.Knees[0].Predicted-99) > 1e-9 {
		t.Fatalf("knees %+v, want measured 90, predicted 99 on workers 4", r.Knees)
	}
	if want := "Knee at rate: predicted 99.0, measured 90.0 /s (+10.0 %)."; !strings.Contains(r.Verdict.Sentence, want) {
		t.Errorf("the verdict %q does not say %q", r.Verdict.Sentence, want)
	}
}

// X(λ) = min(λ, C): three rates above C average out, rates below do not count.
func TestTheKneeIsTheCapacityOfTheBestFit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rates, x []float64
		want     float64
	}{
		{[]float64{20, 40, 60, 80, 100}, []float64{20, 40, 51, 49, 50}, 50},
		{[]float64{20, 40}, []float64{20, 40}, math.NaN()},         // not reached
		{[]float64{60, 80, 100}, []float64{50, 50, 50}, 50},        // beyond from the start
		{[]float64{10, 20, 30, 40}, []float64{10, 20, 30, 35}, 35}, // only the last is beyond
	} {
		got := capacity(c.rates, c.x)
		if math.Abs(got-c.want) > 1e-9 || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("capacity(%v, %v) = %g, want %g", c.rates, c.x, got, c.want)
		}
	}
}

func TestOverOtherParametersTheKneeIsWhereMoreDoesNotHelp(t *testing.T) {
	t.Parallel()
	csv := "workers,T\n1,8\n2,4\n4,2.1\n8,2.0\n16,2.0\n"
	r, err := Run(t.Context(), Request{
		Model: model(), Measured: measured(t, csv),
		Simulate: predict(constant(1), func(s map[string]float64) float64 { return 8 / min(max(s["workers"], 1), 8) }),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Knees) != 1 || r.Knees[0].Measured != 4 || r.Knees[0].Predicted != 8 {
		t.Errorf("knees %+v, want measured at 4 workers (2.1 is within 10 %% of 2.0), predicted at 8", r.Knees)
	}
}

func TestTheVerdictIsASentenceOfTheNumbers(t *testing.T) {
	t.Parallel()
	var csv strings.Builder
	csv.WriteString("workers,T\n")
	for w := 1; w <= 18; w++ {
		for range 3 {
			fmt.Fprintf(&csv, "%d,%g\n", w, 2.0)
		}
	}
	r, err := Run(t.Context(), Request{Model: model(), Measured: measured(t, csv.String()), Simulate: predict(constant(1), func(s map[string]float64) float64 {
		if s["workers"] == 8 {
			return 2.62
		}
		return 2.1
	})})
	if err != nil {
		t.Fatal(err)
	}
	// 17 × 5 % and once 31 %: mean 6.4 %
	want := "YES, mostly. 17 of 18 configurations within ±15 %. Worst: workers 8, T (+31.0 %). T: mean |ε| 6.4 %. Knee: "
	if r.Verdict.Confidence != Good || !strings.HasPrefix(r.Verdict.Sentence+" Knee: ", strings.TrimSuffix(want, " Knee: ")) {
		t.Errorf("verdict %q (%s), want %q… (good)", r.Verdict.Sentence, r.Verdict.Confidence, want)
	}
}

func TestOneMeasurementMakesAWeakVerdict(t *testing.T) {
	t.Parallel()
	r, err := Run(t.Context(), Request{Model: model(), Measured: measured(t, "workers,T\n1,2.0\n"), Simulate: predict(constant(1), constant(2))})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict.Confidence != Weak {
		t.Errorf("one run: confidence %q, want weak (%s)", r.Verdict.Confidence, r.Verdict.Rule)
	}
}

// UX.md §5.2: exit code 4, undecided, when the interval straddles the limit.
func TestConditionsAreMetViolatedOrUndecided(t *testing.T) {
	t.Parallel()
	r := &Report{
		Accuracies:  []Accuracy{{Metric: "R", N: 4, MeanAbs: 0.10, HalfWidth: 0.02, Bias: -0.1, Outside: 1}, {Metric: "X", N: 4, MeanAbs: 0.01, HalfWidth: 0.001}},
		Comparisons: []Comparison{{Metric: "R", Stat: "mean", Error: -0.5, HalfWidth: 0.1}},
		Knees:       []Knee{{Measured: 100, MeasuredLo: 99, MeasuredHi: 101, Predicted: 120, PredictedLo: 120, PredictedHi: 120}},
	}
	for text, want := range map[string]Outcome{
		"mean_abs_err > 15%":        Met,
		"mean_abs_err > 5%":         Violated,
		"mean_abs_err > 0.11":       Uncertain,
		"X.mean_abs_err > 2%":       Met,
		"max_abs_err > 20%":         Violated,
		"knee_err > 10%":            Violated,
		"knee_err > 30%":            Met,
		"outside > 20%":             Violated,
		"saturated_mean_abs_err>5%": Uncertain, // nothing was saturated
		"abs_bias > 50%":            Met,
	} {
		c, err := ParseCondition(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, why := c.Judge(r); got != want {
			t.Errorf("%s: outcome %d (%s), want %d", text, got, why, want)
		}
	}
	for _, bad := range []string{"", "mean_abs_err", "mean_abs_err > x", "speed > 3", "mean_abs_err > 1.2.3"} {
		if _, err := ParseCondition(bad); err == nil {
			t.Errorf("%q was taken for a condition", bad)
		}
	}
}

func TestParametersThatTheModelDoesNotHaveAreNamed(t *testing.T) {
	t.Parallel()
	m, err := table.Read(strings.NewReader("colour,T\n1,2\n"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(t.Context(), Request{Model: model(), Measured: m, Simulate: predict(constant(1), constant(1))})
	if err == nil || !strings.Contains(err.Error(), `"colour"`) {
		t.Errorf("Run = %v, want that the model cannot set colour", err)
	}
}

func TestAParameterIsFoundByTheNameThatTheProgramIsGiven(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ column, how, setting string }{
		{"GOMAXPROCS", "GOMAXPROCS={value}", "cores"},
		{"cpus", "GOMAXPROCS={value}", "cores"}, // GOMAXPROCS follows the CPUs
		{"cpus", "cpus={value}", "cores"},
		{"GOMAXPROCS", "cpus={value}", "cpu/cores"}, // does not change what the program counts
	} {
		measurements, err := table.Read(strings.NewReader(c.column+",T\n2,1\n"), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := model()
		m.Parameters[2].How = c.how
		m.Parameters[2].Targets = []core.Target{{Path: "cpu/cores"}}
		var got map[string]float64
		simulate := predict(constant(1), constant(1))
		_, err = Run(t.Context(), Request{Model: m, Measured: measurements, Simulate: func(ctx context.Context, m core.Model, s map[string]float64, o simulation.Options) (*simulation.Result, error) {
			got = s
			return simulate(ctx, m, s, o)
		}})
		if err != nil || got[c.setting] != 2 || len(got) != 1 {
			t.Errorf("%s of a program that is told by %s: simulated with %v (%v), want %s 2", c.column, c.how, got, err, c.setting)
		}
	}
}

// Where the number of threads follows a parameter that says nothing but the cores, and the cores are given too, the threads
// are still as many as it says.
func TestWhatFollowsTheCoresDoesSoWhereTheyAreGiven(t *testing.T) {
	t.Parallel()
	measurements, err := table.Read(strings.NewReader("cpus,p,T\n1,2,1\n"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := core.Model{Parameters: []core.Parameter{
		{Name: "p", Min: 1, Max: 8, Default: 4, How: "-p {value}", Targets: []core.Target{{Path: "cpu/cores"}}},
		{Name: "threads", Min: 1, Max: 8, Default: 4, Targets: []core.Target{{Path: "pools/w/size"}}, Follows: &core.Follow{Parameter: "p", Linear: core.Linear{Factor: 1}}},
	}}
	simulate := predict(constant(1), constant(1))
	_, err = Run(t.Context(), Request{Model: m, Measured: measurements, Simulate: func(ctx context.Context, m core.Model, s map[string]float64, o simulation.Options) (*simulation.Result, error) {
		if len(s) == 0 { // the configuration that was analysed
			return simulate(ctx, m, s, o)
		}
		for _, p := range m.Parameters {
			if p.Follows != nil {
				t.Errorf("%s follows %s of %v", p.Name, p.Follows.Parameter, m.ParameterNames())
			}
		}
		if s["cpu/cores"] != 1 || s["threads"] != 2 || len(s) != 2 {
			t.Errorf("simulated with %v, want one core and two threads", s)
		}
		return simulate(ctx, m, s, o)
	}})
	if err != nil {
		t.Error(err)
	}
}

// A server that was measured for 10 s is simulated for 10 s: beyond saturation its
// queues grow with time, and just below they have not grown to their lengths yet.
func TestServersAreSimulatedForAsLongAsTheyWereMeasured(t *testing.T) {
	t.Parallel()
	m := measured(t, "# warmup_s: 2\n# duration_s: 10\nrate,X\n50,50\n200,90\n")
	seen := map[float64]simulation.Options{}
	simulate := predict(constant(1), constant(1))
	_, err := Run(t.Context(), Request{Model: model(), Measured: m, Simulate: func(ctx context.Context, m core.Model, s map[string]float64, o simulation.Options) (*simulation.Result, error) {
		seen[s["rate"]] = o
		return simulate(ctx, m, s, o)
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, rate := range []float64{50, 200} {
		if o := seen[rate]; o.Duration != 10 || o.Warmup != 2 {
			t.Errorf("at %g/s: duration %g, warm-up %g; want 10 and 2", rate, o.Duration, o.Warmup)
		}
	}
}

// UX.md §2(a): "compares measured vs simulated per code fragment and resource
// in the base configuration".
func TestBlameGoesToTheResourceWithTheLargestPartOfTheError(t *testing.T) {
	t.Parallel()
	m := core.Model{Graphs: []core.Graph{{ID: "w", Fragments: []core.Fragment{
		{ID: "parse", Class: core.CPUFragment, Observed: core.Observed{Count: 100, MeanWall: 0.010}},
		{ID: "in1", Class: core.SyncFragment, Sync: &core.Sync{Lock: "L"}, Observed: core.Observed{Count: 100, MeanWall: 0.002}},
		{ID: "in2", Class: core.SyncFragment, Sync: &core.Sync{Lock: "L"}, Observed: core.Observed{Count: 300, MeanWall: 0.001}},
		{ID: "unseen", Class: core.CPUFragment},
	}}}}
	e := func(id string, v float64) simulation.Metric {
		return simulation.Metric{Name: "E", Of: "fragment/w/" + id, Stat: "mean", Estimate: output.Estimate{Mean: v}}
	}
	got := blame(&m, &simulation.Result{Metrics: []simulation.Metric{e("parse", 0.011), e("in1", 0.002), e("in2", 0.003), e("unseen", 9)}})
	if len(got) != 2 || got[0].Of != "lock L" || got[0].Tier != 3 || got[1].Of != "cpu w/parse" {
		t.Fatalf("blame %+v, want lock L before cpu w/parse", got)
	}
	// Measured in all: 1 + 0.2 + 0.3 = 1.5 s; the lock adds 300 × 2 ms = 0.6 s, parse 0.1 s.
	if math.Abs(got[0].Share-0.4) > 1e-12 || math.Abs(got[1].Share-0.1/1.5) > 1e-12 {
		t.Errorf("shares %g and %g, want 0.4 and 0.0667", got[0].Share, got[1].Share)
	}
}

// A machine that was 25 % slower on the day of the measurement makes T and CPU
// time 1.25 times as long; at equal CPU time the prediction is exact.
func TestAtEqualCPUTimeTheSpeedOfTheMachineDoesNotCount(t *testing.T) {
	t.Parallel()
	m, err := table.Read(strings.NewReader("workers,metric,of,stat,value,unit\n4,T,program,mean,1.25,s\n4,X,,mean,80,1/s\n4,CPU,program,sum,2.5,s\n"), nil, []string{"workers"})
	if err != nil {
		t.Fatal(err)
	}
	model := model()
	model.CPU.Cores = 4 // U = 0.5 of 4 cores for 1 s: 2 s of CPU time
	r, err := Run(t.Context(), Request{Model: model, Measured: m, Simulate: predict(constant(100), constant(1))})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Comparisons {
		if c.EqualCPU == nil || math.Abs(*c.EqualCPU) > 1e-12 {
			t.Errorf("%s: ε = %g, at equal CPU time %v, want 0", c.Metric, c.Error, c.EqualCPU)
		}
	}
	if got := r.Accuracies[len(r.Accuracies)-1]; got.EqualCPU.N != 1 || math.Abs(got.MeanAbs-0.2) > 1e-12 {
		t.Errorf("%+v, want |ε| 0.2, at equal CPU time of one configuration", got)
	}
}

// The machine was 25 % slower when the program was measured, in the
// configuration of the analysis too (4 workers: 2.5 s of CPU time instead of the
// 2 s that the model has). One factor for all: with 8 workers the prediction is
// 10 % too short whatever the machine did.
func TestAtTheSpeedOfTheBaseConfigurationOneFactorCountsForAll(t *testing.T) {
	t.Parallel()
	m, err := table.Read(strings.NewReader("workers,metric,of,stat,value,unit\n4,T,program,mean,1.25,s\n4,CPU,program,sum,2.5,s\n8,T,program,mean,1.25,s\n8,CPU,program,sum,2.4,s\n"), nil, []string{"workers"})
	if err != nil {
		t.Fatal(err)
	}
	model := model()
	model.CPU.Cores = 4
	model.Parameters[0].Default = 4
	r, err := Run(t.Context(), Request{Model: model, Measured: m, Simulate: predict(constant(100), func(s map[string]float64) float64 {
		if s["workers"] == 8 {
			return 0.9
		}
		return 1
	})})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, -0.1} {
		if c := r.Comparisons[i]; c.BaseSpeed == nil || math.Abs(*c.BaseSpeed-want) > 1e-12 {
			t.Errorf("%s: at the base's speed %v, want %g", c.Name, c.BaseSpeed, want)
		}
	}
}

// Clients see their requests, the server the jobs that it makes of them.
func TestTheServersAccountIsOfTheTasksThatItMakes(t *testing.T) {
	t.Parallel()
	q := Request{Model: core.Model{Sources: []core.Source{{ID: "clients", Class: "task"}}}}
	one := func(name, of string, v float64) simulation.Metric {
		return simulation.Metric{Name: name, Of: of, Stat: "mean", Estimate: output.Estimate{Mean: v, N: 1}}
	}
	result := &simulation.Result{Metrics: []simulation.Metric{one("R", "class/task", 3), one("R", "class/job", 2), one("X", "class/task", 80), one("X", "class/job", 80)}}
	for by, want := range map[Account]string{Own: "class/task", Client: "class/task", Server: "class/job"} {
		if got, ok := q.find(result, "R", "", "mean", by); !ok || got.Of != want {
			t.Errorf("account %q is compared with %q, want %q", by, got.Of, want)
		}
	}
}

// A program of two pools counts what both of them did, 20 tasks in 2 s, another one
// only what the second did; what no class comes near stays with the largest one.
func TestABatchProgramsThroughputIsOfTheTasksThatItCounts(t *testing.T) {
	t.Parallel()
	one := func(name, of string, v float64) simulation.Metric {
		return simulation.Metric{Name: name, Of: of, Stat: "mean", Estimate: output.Estimate{Mean: v, Lo: v - 1, Hi: v + 1, N: 1}}
	}
	result := &simulation.Result{Metrics: []simulation.Metric{one("T", "program", 2.5), one("X", "class/force", 4.8), one("X", "class/collision", 3.2)}}
	for reported, want := range map[float64]struct {
		of string
		x  float64
	}{10: {"all classes", 8}, 6: {"class/force", 4.8}, 4: {"class/collision", 3.2}, 7: {"class/force", 4.8}} {
		c := table.Configuration{Metrics: map[string]table.Summary{"T program mean": {Median: 2}, "X  mean": {Median: reported}}}
		got := asCounted(c, result, result.Metrics[1])
		if got.Of != want.of || math.Abs(got.Estimate.Mean-want.x) > 1e-9 {
			t.Errorf("%g tasks reported per second: compared with %g of %s, want %g of %s", reported, got.Estimate.Mean, got.Of, want.x, want.of)
		}
	}
}

// A program that has timed its own stat() is compared with the I/O fragments of that
// name, each as often as it was executed: (3 × 10 ms + 1 × 30 ms) / 4 = 15 ms, half
// more than the 10 ms that were measured. Computations of the name do not count.
func TestOperationsThatTheProgramTimedAreComparedWithTheirFragments(t *testing.T) {
	t.Parallel()
	mod := model()
	mod.Graphs = []core.Graph{{ID: "w", Fragments: []core.Fragment{
		{ID: "stat a.go:1", Class: core.IOFragment, Observed: core.Observed{Count: 300}},
		{ID: "stat b.go:1", Class: core.IOFragment, Observed: core.Observed{Count: 100}},
		{ID: "stat c.go:1", Class: core.CPUFragment, Observed: core.Observed{Count: 100}},
	}}}
	e := func(id string, v float64) simulation.Metric {
		return simulation.Metric{Name: "E", Of: "fragment/w/" + id, Stat: "mean", Estimate: output.Estimate{Mean: v, Lo: v, Hi: v, N: 1}}
	}
	result := &simulation.Result{Metrics: []simulation.Metric{e("stat a.go:1", 0.010), e("stat b.go:1", 0.030), e("stat c.go:1", 9)}}
	got, ok := Request{Model: mod}.operation(result, "stat", "mean")
	if !ok || math.Abs(got.Estimate.Mean-0.015) > 1e-12 || math.Abs(got.Estimate.Lo-0.015) > 1e-12 || got.Estimate.N != 2 {
		t.Errorf("predicted %+v (%v), want 15 ms from two fragments", got, ok)
	}
	if _, ok := (Request{Model: mod}).operation(result, "fsync", "mean"); ok {
		t.Error("an operation that the model does not have was predicted")
	}
}

// All tasks of a batch program are there at the start: which of them it takes up
// first decides their mean response time, and nobody asks for that. Its run time
// is predicted, so the answer is yes.
func TestABatchProgramIsJudgedByItsRunTime(t *testing.T) {
	t.Parallel()
	r, err := Run(t.Context(), Request{
		Model: model(), Measured: measured(t, "workers,T,R\n4,1.5,0.9\n8,1.5,0.8\n"), Simulate: predict(constant(1), constant(1.5)), Tolerance: 0.1,
	})
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Verdict.Sentence; !strings.HasPrefix(s, "YES. 2 of 2") || !strings.Contains(s, "R: mean |ε|") {
		t.Errorf("the verdict is %q; want YES for 2 of 2, and the error of R all the same", s)
	}
}

// predict knows every mean to ±1 % by 10 replications. A server was measured for 10 s under one draw of requests, whatever the
// repeats: one replication more, ±√(1 + 10) %. A batch program was run three times: ±√(1 + 10/3) %. Of what was measured
// without a limit the mean is compared: ±1 %.
func TestAPredictionIsOfTheRunsThatWereMeasured(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		csv, metric string
		want        float64 // %
	}{
		{"# warmup_s: 2\n# duration_s: 10\nrate,X\n50,50\n50,51\n50,49\n", "X", math.Sqrt(11)},
		{"rate,X\n50,50\n50,51\n50,49\n", "X", 1},
		{"workers,T\n4,50\n4,51\n4,49\n", "T", math.Sqrt(1 + 10./3)},
	} {
		ends := func(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error) {
			r, err := predict(constant(50), constant(50))(ctx, m, settings, o)
			r.Terminating = c.metric == "T"
			return r, err
		}
		r, err := Run(t.Context(), Request{Model: model(), Measured: measured(t, c.csv), Simulate: ends, Metrics: []string{c.metric}})
		if err != nil {
			t.Fatal(err)
		}
		if p := r.Comparisons[0].Predicted; math.Abs((p.Hi-p.Lo)/2/p.Mean*100-c.want) > 1e-9 {
			t.Errorf("%s: predicted %v to %v, want ±%.2f %%", c.metric, p.Lo, p.Hi, c.want)
		}
	}
}

// A server that is almost idle serves what comes: of the 50/s that were meant, as many as the draw has between 1 s and 3 s, but for
// one on its way at either end. Of a draw that nobody knows 50/s are predicted.
func TestAServerIsPredictedUnderTheRequestsThatItGot(t *testing.T) {
	t.Parallel()
	then := func(id string) []core.Edge { return []core.Edge{{To: id, Probability: 1}} }
	m := core.Model{
		Name: "server", CPU: core.CPU{Cores: 1},
		Sources: []core.Source{{ID: "clients", Kind: core.Poisson, Rate: 20, To: "q"}},
		Queues:  []core.Queue{{ID: "q", Capacity: core.Unbounded}}, Sinks: []core.Sink{{ID: "done"}},
		Pools: []core.Pool{{ID: "server", Graph: "server", Size: 1}},
		Graphs: []core.Graph{{ID: "server", Entry: "in", Fragments: []core.Fragment{
			{ID: "in", Class: core.InFragment, In: &core.In{Queue: "q"}, Next: then("fetch")},
			{ID: "fetch", Class: core.FetchFragment, Next: then("work")},
			{ID: "work", Class: core.CPUFragment, Demand: core.Const(1e-4), Next: then("out")},
			{ID: "out", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: then("in")},
		}}},
		Parameters: []core.Parameter{{Name: "rate", Min: 1, Max: 1000, Default: 20, Targets: []core.Target{{Path: "sources/clients/rate_per_s"}}}},
	}
	const drawn = 6
	came := 0.0
	for _, at := range load.Arrivals(trace.Load{Rate: 50, Warmup: 1, Duration: 2, Seed: drawn}) {
		if at >= 1 && at < 3 {
			came++
		}
	}
	if math.Abs(came-100) < 10 {
		t.Fatalf("this draw has %v requests in 2 s, too near to 100 to tell anything", came)
	}
	for note, want := range map[string]float64{fmt.Sprintf("# arrival_seed: %d\n", drawn): came / 2, "": 50} {
		csv := fmt.Sprintf("# warmup_s: 1\n# duration_s: 2\n%srate,X\n50,%g\n", note, came/2)
		r, err := Run(t.Context(), Request{Model: m, Measured: measured(t, csv), Simulate: simulation.Run, Metrics: []string{"X"}})
		if err != nil {
			t.Fatal(err)
		}
		p := r.Comparisons[0].Predicted
		if narrow := p.Hi-p.Lo < 5; math.Abs(p.Mean-want) > 2 || narrow != (note != "") {
			t.Errorf("%q: predicted %.1f/s (%.1f to %.1f), want %.1f/s", note, p.Mean, p.Lo, p.Hi, want)
		}
	}
}

// One sentence has one pair of brackets, and says once what the machine did.
func TestTheErrorsOfAMetricAreOneSentence(t *testing.T) {
	t.Parallel()
	a := Accuracy{Metric: "T", N: 6, MeanAbs: .091, Missing: 2, BaseSpeed: Part{N: 6, MeanAbs: .02}, EqualCPU: Part{N: 6, MeanAbs: .028}}
	for corrected, want := range map[bool]string{
		true:  "T: mean |ε| 9.1 % (not predicted in 2 more; 2.0 % at the speed of the base configuration; 2.8 % at equal CPU time).",
		false: "T: mean |ε| 9.1 % (not predicted in 2 more).",
	} {
		if got := a.sentence(corrected); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
