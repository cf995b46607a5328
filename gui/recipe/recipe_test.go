package recipe_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tierscope/gui/chart"
	"tierscope/gui/recipe"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

// grid is a sweep over workers and rate, with one measured configuration.
func grid() []recipe.Observation {
	var all []recipe.Observation
	for _, workers := range []float64{8, 4} {
		for _, rate := range []float64{120, 60, 90} {
			r := &simulation.Result{Configuration: map[string]float64{"workers": workers, "rate": rate}, Metrics: []simulation.Metric{
				{Name: "E", Of: "fragment/worker/parse", Stat: "mean", Unit: "s", Estimate: output.Estimate{Mean: 1}},
				{Name: "R", Of: "class/task", Stat: "mean", Unit: "s", Estimate: output.Estimate{Mean: rate / workers / 1000, Lo: 0.001, Hi: 0.04, N: 10}},
			}}
			all = append(all, recipe.FromResult(r, map[string]float64{"cores": 2, "workers": 4}, "run")...)
		}
	}
	return append(all, recipe.Observation{Configuration: map[string]float64{"workers": 4, "rate": 60, "cores": 2}, Metric: "R class/task mean", Unit: "s", Value: 0.016, Measured: true})
}

func TestASweepBecomesOneLinePerValueOfTheSecondParameter(t *testing.T) {
	t.Parallel()
	r := recipe.Suggest(grid(), "R class/task mean")
	if r.X != "rate" || r.By != "workers" {
		t.Fatalf("three rates and two pool sizes are shown over %q by %q, want over rate by workers", r.X, r.By)
	}
	f := r.Lines(grid(), map[string]string{"rate": "1/s"})
	var names []string
	for _, s := range f.Series {
		names = append(names, s.Name)
		if !slices.IsSortedFunc(s.Points, func(a, b chart.Point) int { return int(a.X - b.X) }) {
			t.Errorf("series %q is not in the order of its x values: %v", s.Name, s.Points)
		}
	}
	if want := []string{"workers 4", "workers 4, measured", "workers 8"}; !slices.Equal(names, want) {
		t.Fatalf("series %q, want %q", names, want)
	}
	if f.Series[1].Role != chart.Measured || f.Series[0].Colour != f.Series[1].Colour || f.Series[0].Colour == f.Series[2].Colour {
		t.Error("the measured series of 4 workers must be neutral markers that belong to the line of 4 workers")
	}
	if got := f.Series[2].Points[0]; got.X != 60 || got.Y != 60.0/8/1000 || got.Hi != 0.04 {
		t.Errorf("8 workers at 60/s are drawn as %+v", got)
	}
}

// Who asks for one parameter gets a line for each value of the other, and who asks for two the usual value of the third: nothing of
// several values is one line.
func TestWhatVariesAndIsNotAskedForIsSaid(t *testing.T) {
	t.Parallel()
	r := recipe.Recipe{Metric: "R class/task mean", X: "workers"}.Completed(grid())
	if r.X != "workers" || r.By != "rate" || len(r.Where) != 0 {
		t.Errorf("over %q by %q where %v, want over workers by rate", r.X, r.By, r.Where)
	}
	r = recipe.Recipe{Metric: "R class/task mean", X: "workers", By: "cores"}.Completed(grid())
	if r.By != "cores" || r.Where["rate"] != 60 {
		t.Errorf("by %q where %v, want by cores where the rate is the usual 60", r.By, r.Where)
	}
}

// What an analysis does not know of a model lets the interval of a time reach below zero, where no time is. An interval that is not
// known stays so.
func TestNoIntervalReachesBelowZero(t *testing.T) {
	t.Parallel()
	for lo, want := range map[float64]float64{-.28: 0, .002: .002, math.Inf(-1): math.Inf(-1)} {
		r := &simulation.Result{Metrics: []simulation.Metric{{Name: "R", Of: "class/task", Stat: "mean", Unit: "s", Estimate: output.Estimate{Mean: .005, Lo: lo, Hi: .29}}}}
		if o := recipe.FromResult(r, nil, "run")[0]; o.Lo != want || o.Hi != .29 {
			t.Errorf("from %g to 0.29 s is drawn from %g to %g s", lo, o.Lo, o.Hi)
		}
	}
}

// Four workers and eight are two lines over the rate: none joins runs that differ in more than that.
func TestALineJoinsOnlyWhatDiffersInNothingElse(t *testing.T) {
	t.Parallel()
	f := recipe.Recipe{Metric: "R class/task mean", X: "rate"}.Lines(grid(), nil)
	var names []string
	for _, s := range f.Series {
		names = append(names, s.Name)
		for i := range s.Points[1:] {
			if s.Points[i].X == s.Points[i+1].X {
				t.Errorf("%q has two points at %g", s.Name, s.Points[i].X)
			}
		}
	}
	if want := []string{"workers 4", "workers 4, measured", "workers 8"}; !slices.Equal(names, want) {
		t.Errorf("lines %q, want %q", names, want)
	}
}

func TestWhereFixesAParameter(t *testing.T) {
	t.Parallel()
	r := recipe.Recipe{Metric: "R class/task mean", X: "rate", Where: map[string]float64{"workers": 8}}
	if n := len(r.Select(grid())); n != 3 {
		t.Errorf("8 workers were run at %d rates, want 3", n)
	}
}

// 8 workers were nowhere observed, and 4 at no more than 90/s: what is predicted of them is dotted, with its points.
func TestALineIsDottedBeyondTheEvidence(t *testing.T) {
	t.Parallel()
	all := grid()
	for i := range all {
		o := &all[i]
		o.ID = fmt.Sprint(o.Configuration)
		o.Beyond = o.Configuration["workers"] == 8 || o.Configuration["rate"] > 90
	}
	var got []string
	for _, s := range (recipe.Recipe{Metric: "R class/task mean", X: "rate", By: "workers"}).Lines(all, nil).Series {
		line := fmt.Sprint(s.Name, s.Role == chart.Beyond)
		for _, x := range s.Points {
			line += fmt.Sprint(" ", x.X)
		}
		got = append(got, line)
	}
	want := []string{"workers 4false 60 90", "workers 4, outside of the evidencetrue 90 120", "false 120", "workers 4, measuredfalse 60",
		"workers 8, outside of the evidencetrue 60 90 120", "false 60 90 120"}
	if !slices.Equal(got, want) {
		t.Errorf("drawn are\n%q, want\n%q", got, want)
	}
}

func TestResponseTimesAreOfferedBeforeDetailsOfFragments(t *testing.T) {
	t.Parallel()
	if got := recipe.Metrics(grid()); !slices.Equal(got, []string{"R class/task mean", "E fragment/worker/parse mean"}) {
		t.Errorf("metrics in the order %q", got)
	}
}

func TestLabelsAreWords(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"R class/task p95": "Response time R (p95)", "U disk/sda mean": "Utilization U, disk sda", "U cpu mean": "Utilization U, cpu",
		"X class/search mean": "Throughput X, search", "T program mean": "Makespan", "odd": "odd",
		"R class/in the queue p95": "Response time R, in the queue (p95)",
	} {
		if got := recipe.Label(key); got != want {
			t.Errorf("%q is called %q, want %q", key, got, want)
		}
	}
}

func TestRecipeFilesSurviveARoundTripAndRefuseWhatTheyDoNotKnow(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	r := recipe.Recipe{Metric: "X class/task mean", X: "workers", By: "cores", Where: map[string]float64{"rate": 60}, LogY: true}
	if err := recipe.Encode(&b, r); err != nil {
		t.Fatal(err)
	}
	got, err := recipe.Decode(&b)
	if err != nil || got.Metric != r.Metric || got.By != r.By || got.Where["rate"] != 60 || !got.LogY {
		t.Errorf("read back %+v, %v", got, err)
	}
	for text, want := range map[string]string{
		`{"format":"tierscope-chart","version":9,"metric":"R","x":"w"}`:        "version 9 is newer than this program's 1",
		`{"format":"tierscope-chart","version":1,"metric":"R","x":"w","zz":1}`: "zz",
		`{"format":"tierscope-model","version":1,"metric":"R","x":"w"}`:        "tierscope-model",
		`{"format":"tierscope-chart","version":1}`:                             "metric and x must be given",
		`{`: "unexpected EOF",
	} {
		if _, err := recipe.Decode(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %q", text, err, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"format":"tierscope-chart","version":1,"metric":"R class/task mean","x":"workers"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, err := recipe.Decode(bytes.NewReader(b)); err == nil && (r.Metric == "" || r.X == "") {
			t.Error("a recipe without metric or x is accepted")
		}
	})
}
