package regress_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/regress"
)

// served is a program with two types of threads: ⌈items/batch⌉ that read and a quarter
// as many that write. A reader makes 3 loads for each item of its share, a writer 5.
func served(t *testing.T) *regress.Report {
	t.Helper()
	var rows []regress.Row
	for i := range 32 {
		items, batch := float64(1000+i*i*97%6000), float64(50+i*31%200)
		readers := math.Ceil(items / batch)
		writers := math.Ceil(readers / 4)
		for kind, c := range map[string]struct{ n, loads float64 }{"reader": {readers, 100 + 3*items/readers}, "writer": {writers, 100 + 5*items/writers}} {
			rows = append(rows, regress.Row{ThreadType: kind, Run: i, Threads: c.n, Variables: map[string]float64{"items": items, "batch": batch},
				Behaviours: map[string]float64{"loads": c.loads}})
		}
	}
	slices.SortStableFunc(rows, func(a, b regress.Row) int { return strings.Compare(a.ThreadType, b.ThreadType) })
	report, err := regress.Study{}.Run(context.Background(), rows)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// The number of threads is itself a behaviour of the inputs, one for each type.
func TestEachTypeOfThreadsHasItsOwnNumber(t *testing.T) {
	t.Parallel()
	r := served(t)
	at := map[string]float64{"items": 5000, "batch": 100}
	if err := r.Check(at); err != nil {
		t.Fatal(err)
	}
	for i := range r.Behaviours {
		b := &r.Behaviours[i]
		// 50 readers, 13 writers.
		want, n := 100+3*5000.0/50, "n = ⌈items/batch⌉ = 50"
		if b.ThreadType == "writer" {
			want, n = 100+5*5000.0/13, "n = ⌈items/batch/4⌉ = 13"
		}
		f, err := b.Forecast(at)
		if err != nil || math.Abs(f.Value/want-1) > 0.01 || !slices.Contains(f.Derived, n) {
			t.Errorf("%s at %v is %g with %q (error %v), want %g with %q", b.Label(), at, f.Value, f.Derived, err, want, n)
		}
		// 25 given writers share the same items; n without a type is refused.
		f, err = b.Forecast(map[string]float64{"items": 5000, "batch": 100, "n[writer]": 25})
		if want = 100 + 5*5000.0/25; b.ThreadType == "writer" && (err != nil || math.Abs(f.Value/want-1) > 0.01) {
			t.Errorf("%s with 25 threads is %g (error %v), want %g", b.Label(), f.Value, err, want)
		}
		_, err = b.Forecast(map[string]float64{"batch": 100})
		if missing := (*regress.MissingError)(nil); !errors.As(err, &missing) || !slices.Contains(missing.Names, "items") {
			t.Errorf("%s without items: error %v", b.Label(), err)
		}
	}
	if err := r.Check(map[string]float64{"items": 5000, "batch": 100, "n": 8}); err == nil || !strings.Contains(err.Error(), "n[reader]") {
		t.Errorf("n of two types with different numbers: error %v", err)
	}
	if err := r.Check(map[string]float64{"itens": 5000}); err == nil || !strings.Contains(err.Error(), `no input "itens"`) {
		t.Errorf("a name that no run has: error %v", err)
	}
}

// studied fits y of 30 values of x between lo and hi, with relative noise.
func studied(t *testing.T, lo, hi, noise float64, y func(x float64) float64) *regress.Behaviour {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 7))
	var rows []regress.Row
	for i := range 30 {
		x := lo * math.Pow(hi/lo, float64(i)/29)
		rows = append(rows, regress.Row{Run: i, Threads: 1, Variables: map[string]float64{"x": x}, Behaviours: map[string]float64{"y": y(x) * math.Exp(noise*random.NormFloat64())}})
	}
	r, err := regress.Study{}.Run(context.Background(), rows)
	if err != nil {
		t.Fatal(err)
	}
	return &r.Behaviours[0]
}

// A power law holds four times beyond the range; its interval contains the truth,
// and the distance is told.
func TestAPowerLawIsPredictedBeyondTheRange(t *testing.T) {
	t.Parallel()
	law := func(x float64) float64 { return 0.3 * math.Pow(x, 1.7) }
	b := studied(t, 10, 1000, 0.02, law)
	f, err := b.Forecast(map[string]float64{"x": 4000})
	if err != nil {
		t.Fatal(err)
	}
	if want := law(4000); math.Abs(f.Value/want-1) > 0.1 || f.Lo > want || f.Hi < want || len(f.Warnings) > 0 {
		t.Errorf("0.3·4000^1.7 = %g is predicted as %g [%g, %g], warnings %q", want, f.Value, f.Lo, f.Hi, f.Warnings)
	}
	if len(f.Outside) != 1 || math.Abs(f.Outside[0].Factor-4) > 1e-9 || !strings.Contains(f.Outside[0].String(), "4 times the largest") {
		t.Errorf("4000 of 10 … 1000 is %v", f.Outside)
	}
	if f, _ = b.Forecast(map[string]float64{"x": 500}); len(f.Outside) > 0 || len(f.Warnings) > 0 {
		t.Errorf("500 of 10 … 1000: %+v", f)
	}
}

// A time is never negative, whatever a line says; and what a cache does beyond its
// size cannot be known from smaller sizes, but the runs just below show that they are
// badly predicted from those before.
func TestWhatIsImpossibleOrUnlikelyIsWarnedOf(t *testing.T) {
	t.Parallel()
	falling := studied(t, 10, 1000, 0.001, func(x float64) float64 { return 1200 - x })
	f, err := falling.Forecast(map[string]float64{"x": 4000})
	if err != nil || f.Value < 0 || f.Lo < 0 || len(f.Warnings) == 0 {
		t.Errorf("1200 − 4000 seconds: %+v, %v", f, err)
	}
	step := studied(t, 10, 1000, 0.01, func(x float64) float64 {
		if x > 400 {
			return x * (1 + (x-400)/100)
		}
		return x
	})
	if f, err = step.Forecast(map[string]float64{"x": 4000}); err != nil || len(f.Warnings) == 0 {
		t.Errorf("beyond a cache: %+v, %v", f, err)
	}
}

// Of the rows that a fit has not seen, 95 % intervals contain between 90 and 99 %:
// 20 tables of 32 rows, the 8 left out of each.
func TestPredictionIntervalsCoverNewRows(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 9))
	inside, all := 0, 0
	for range 20 {
		var rows []regress.Row
		for i := range 40 {
			a, c := math.Exp(5*random.Float64()), math.Exp(3*random.Float64())
			y := (10 + a*c + 5*a) * math.Exp(0.08*random.NormFloat64())
			rows = append(rows, regress.Row{Run: i, Threads: 1, Variables: map[string]float64{"a": a, "c": c}, Behaviours: map[string]float64{"y": y}})
		}
		r, err := regress.Study{}.Run(context.Background(), rows[:32])
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows[32:] {
			f, err := r.Behaviours[0].Forecast(row.Variables)
			if err != nil {
				t.Fatal(err)
			}
			all++
			if y := row.Behaviours["y"]; f.Lo <= y && y <= f.Hi {
				inside++
			}
		}
	}
	// 160 rows: 90 % is 144, 99.4 % is 159; a fraction of 0.95 has a standard deviation of 1.7 %.
	if inside < 144 || inside > 159 {
		t.Errorf("95 %% intervals contain %d of %d new rows", inside, all)
	}
}

// Inode numbers, descriptors, addresses, seeds and times explain no behaviour.
func TestIdentitiesTakeNoPart(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	var samples []regress.Sample
	for i := range 24 {
		samples = append(samples, regress.Sample{Threads: 1, Y: random.Float64() + 1, Variables: map[string]float64{
			"main.size": float64(10 + i*i%17), "main.info.inode": 9000 + 1000*random.Float64(), "main.rngSeed": 1e9 * random.Float64(), "main.pid": float64(4000 + 7*i),
			"main.buf": 0xc000000000 + 4096*math.Floor(1e6*random.Float64()), "main.started": 1.79e9 + 60*float64(i), "main.log_fd": float64(3 + i),
			"main.startTime": 1.79e18 + 1e9*float64(i)}})
	}
	kept, dropped := regress.Variables(samples)
	if fmt.Sprint(kept) != "[main.size]" {
		t.Errorf("kept %v; dropped %v", kept, dropped)
	}
	if kept, _ = regress.Variables(samples, "main.rngSeed"); !slices.Contains(kept, "main.rngSeed") {
		t.Errorf("a seed that is asked for is left out: %v", kept)
	}
}

// What is the same in all runs, or depends on nothing but chance, is no success.
// What made no difference where it was seen may make one beyond: runs with one and two threads that scatter by a third say little of
// eight, whether or not the function that was chosen has threads in it.
func TestWhatIsIgnoredIsOutsideAllTheSame(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 8))
	b := regress.Behaviour{Name: "cpu_s"}
	for i := range 24 {
		x := float64(100 + 40*i)
		b.Samples = append(b.Samples, regress.Sample{Variables: map[string]float64{"x": x}, Threads: float64(1 + i%2), Y: x * math.Exp(0.3*random.NormFloat64())})
	}
	var err error
	if b.Selection, err = regress.Search(b.Samples, regress.Options{}); err != nil {
		t.Fatal(err)
	}
	if b.Evaluation, err = regress.Evaluate(b.Samples, regress.Options{}, 5, 1); err != nil {
		t.Fatal(err)
	}
	if b.Selection.Model.PerThread() {
		t.Fatalf("the model %s has threads in it: choose another seed", b.Selection.Model.Formula())
	}
	f, err := b.Forecast(map[string]float64{"x": 500, regress.Threads: 8})
	if err != nil || len(f.Outside) != 1 || f.Outside[0].Name != regress.Threads || f.Outside[0].Factor != 4 {
		t.Fatalf("eight threads, of two: %+v, %v", f, err)
	}
	if f.Doubt < 0.5 || len(f.Warnings) == 0 {
		t.Errorf("a miss of more than 10 %% is said to have a probability of %.2f, of runs that scatter by 30 %%: %v", f.Doubt, f.Warnings)
	}
}

// Prediction code reads variables of the program, so they explain a behaviour before what the program is given, of which they are
// copies; what it is given is known all the same, and does where the program has no such variable.
func TestVariablesOfTheProgramComeFirst(t *testing.T) {
	t.Parallel()
	var samples []regress.Sample
	for i := range 12 {
		x, z := float64(1+i), float64(5+i*i%7)
		samples = append(samples, regress.Sample{Variables: map[string]float64{"k": x, "main.main.items": 2 * x, "z": z}, Threads: 1, Y: 3*x + z, Given: []string{"k", "z"}})
	}
	if kept, _ := regress.Variables(samples); !slices.Equal(kept, []string{"main.main.items", "z"}) {
		t.Errorf("kept %v, want the program's variable, and z, which is none", kept)
	}
	b := regress.Behaviour{Name: "y", Samples: samples}
	var err error
	if b.Selection, err = regress.Search(samples, regress.Options{}); err != nil {
		t.Fatal(err)
	}
	if b.Evaluation, err = regress.Evaluate(samples, regress.Options{}, 5, 1); err != nil {
		t.Fatal(err)
	}
	f, err := b.Forecast(map[string]float64{"k": 10, "z": 8, regress.Threads: 1})
	if err != nil || math.Abs(f.Value-38) > 0.01 {
		t.Errorf("predicted %+v, %v, want 38", f, err)
	}
}

func TestConstantBehavioursDoNotCount(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 5))
	var rows []regress.Row
	for i := range 24 {
		x := float64(10 + i*7)
		rows = append(rows, regress.Row{Run: i, Threads: 1, Variables: map[string]float64{"x": x},
			Behaviours: map[string]float64{"grows": 3 * x, "same": 7, "none": 0, "nearly": 100 + random.Float64()}})
	}
	r, err := regress.Study{}.Run(context.Background(), rows)
	if err != nil {
		t.Fatal(err)
	}
	if all, modelled, _ := r.Coverage(); all != 1 || modelled != 1 || r.Constants() != 3 {
		t.Errorf("%d of %d are modelled, %d constant: want 1 of 1, and 3", modelled, all, r.Constants())
	}
	behaviours, programs := r.Distributions()
	if len(behaviours) != 1 || behaviours[0].Counts[0] != 1 || len(programs) != 1 || programs[0].All() != 1 {
		t.Errorf("figures 6 and 7 are %v and %v", behaviours, programs)
	}
}
