package experiment

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"tierscope/core"
)

// webServer is a model with the parameters that the tests sweep.
func webServer() core.Model {
	return core.Model{
		Name: "web server",
		Parameters: []core.Parameter{
			{Name: "workers", Default: 4, Min: 1, Max: 64, Integer: true, Targets: []core.Target{{Path: "pools/worker/size"}}},
			{Name: "rate", Default: 60, Min: 1, Max: 1000, Targets: []core.Target{{Path: "sources/clients/rate_per_s"}}},
		},
		Sources: []core.Source{{ID: "clients", Kind: core.Poisson, To: "requests", Rate: 60}},
		Queues:  []core.Queue{{ID: "requests", Capacity: core.Unbounded}},
		Pools:   []core.Pool{{ID: "worker", Graph: "worker", Size: 4}},
		Sinks:   []core.Sink{{ID: "done"}},
		Graphs: []core.Graph{{ID: "worker", Entry: "in", Fragments: []core.Fragment{
			{ID: "in", Class: core.InFragment, In: &core.In{Queue: "requests"}, Next: []core.Edge{{To: "got", Probability: 1}}},
			{ID: "got", Class: core.FetchFragment, Next: []core.Edge{{To: "parse", Probability: 1}}},
			{ID: "parse", Class: core.CPUFragment, Demand: core.Distribution{Kind: core.Exponential, Mean: 0.01}, Next: []core.Edge{{To: "out", Probability: 1}}},
			{ID: "out", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: []core.Edge{{To: "in", Probability: 1}}},
		}}},
		CPU: core.CPU{Cores: 2},
	}
}

func TestTheModelOfTheTestsIsValid(t *testing.T) {
	t.Parallel()
	m := webServer()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
}

func TestAxesExpandToTheirValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []float64
	}{
		{"workers=1,2,4,8", []float64{1, 2, 4, 8}},
		{"rate=10..50/10", []float64{10, 20, 30, 40, 50}},
		{"rate=10..55/10", []float64{10, 20, 30, 40, 50}},
		{"workers=3..6", []float64{3, 4, 5, 6}},
		{"workers=6..3/-1", []float64{6, 5, 4, 3}},
		{"scale=0.1..0.5/0.1", []float64{0.1, 0.2, 0.3, 0.4, 0.5}},
		{"rate=0..90:4", []float64{0, 30, 60, 90}},
		{"rate=1..1000:4log", []float64{1, 10, 100, 1000}},
		{"pools/worker/size=7", []float64{7}},
	} {
		a, err := ParseAxis(c.text)
		if err != nil {
			t.Error(err)
			continue
		}
		got, err := a.Expand()
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s is %v (%v), want %v", c.text, got, err, c.want)
		}
	}
}

func TestABadAxisSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"workers", "expected name="},
		{"workers=a", "expected name="},
		{"workers=1..", "expected name="},
		{"rate=1..10/0", "expected name="},
		{"rate=10..1", "has no end"},
		{"rate=1..1e300/1e-9", "has no end"},
		{"rate=-1..10:5log", "needs from > 0"},
		{"rate=1..10:1", "points 1: expected 2"},
		{"=1,2", `"parameter" is missing`},
		{"workers=1,2,1", "1 is given twice"},
		{"workers=NaN", "not a finite number"},
	} {
		if _, err := ParseAxis(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		}
	}
}

func TestAGridIsTheProductOfItsAxesLessTheConstraints(t *testing.T) {
	t.Parallel()
	m := webServer()
	e := Experiment{
		Settings:    map[string]float64{"cpu/cores": 2},
		Axes:        []Axis{{Parameter: "workers", Values: []float64{1, 2, 4}}, {Parameter: "rate", From: 50, To: 100, Step: 50}},
		Constraints: []string{`workers >= "cpu/cores"`, "rate/workers <= 40"},
	}
	points, err := e.Grid(&m)
	if err != nil {
		t.Fatal(err)
	}
	// 1 worker is fewer than 2 cores; 100/s over 2 workers are 50 each.
	want := "[map[cpu/cores:2 rate:50 workers:2] map[cpu/cores:2 rate:50 workers:4] map[cpu/cores:2 rate:100 workers:4]]"
	if got := fmt.Sprint(points); got != want {
		t.Errorf("points %s, want %s", got, want)
	}
	e.Constraints = []string{"threads > 1"}
	if _, err := e.Grid(&m); err == nil || !strings.Contains(err.Error(), `"threads" has no value`) {
		t.Errorf("error %v, want one about threads", err)
	}
	// What is not swept has its value in the model: 4 workers.
	e = Experiment{Axes: []Axis{{Parameter: "rate", Values: []float64{10, 500}}}, Constraints: []string{"rate <= 100*workers"}}
	if points, err := e.Grid(&m); err != nil || len(points) != 1 || points[0]["rate"] != 10 {
		t.Errorf("points %v (%v), want rate 10 only", points, err)
	}
}

func TestAnExperimentIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	e := Experiment{
		Name: "grid", Model: "../model/model.json", Axes: []Axis{{Parameter: "rate", From: 10, To: 130, Step: 10}},
		Constraints: []string{"workers >= cores"}, Seed: 42, Precision: 0.05, PrecisionOf: []string{"R class/task p95"},
	}
	var b bytes.Buffer
	if err := Encode(&b, e); err != nil {
		t.Fatal(err)
	}
	got, err := Decode(bytes.NewReader(b.Bytes()))
	if err != nil || !reflect.DeepEqual(got, e) {
		t.Errorf("read %+v (%v), want %+v, from\n%s", got, err, e, b.String())
	}
}

func TestABadExperimentReportsEveryDefect(t *testing.T) {
	t.Parallel()
	_, err := Decode(strings.NewReader(`{"format":"tierscope-experiment","version":1,"confidence":95,"precision":-1,
		"axes":[{"parameter":"a"},{"parameter":"b","values":[1]},{"parameter":"b","values":[2]}],"constraints":["a >"]}`))
	for _, want := range []string{
		`axes[0]: "a": no values`, `axes[2]: "b" has an axis already`, "constraints[0]: expression", "confidence 95", "precision -1",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	e := Experiment{Axes: []Axis{{Parameter: "a", From: 0, To: 9999, Step: 1}, {Parameter: "b", From: 0, To: 9999, Step: 1}}}
	if err := e.Validate(); err == nil || !strings.Contains(err.Error(), "100000000 points") {
		t.Errorf("error %v, want one about 10⁸ points", err)
	}
}

func TestTidyRemovesBinaryDust(t *testing.T) {
	t.Parallel()
	if got := tidy(0.1 + 0.2); got != 0.3 {
		t.Errorf("%v, want 0.3", got)
	}
	if got := tidy(math.Pi); math.Abs(got-math.Pi) > 1e-11 {
		t.Errorf("π became %v", got)
	}
}
