package native

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// "Each code fragment can be uniquely identified by the pair of IDs of surrounding probes. The list of code fragments and
// corresponding probe IDs form the program's schema" (Tarvo & Reiss, simulation paper, §III). testdata/programs/c/ring.c looks and
// renders, which takes twice as many steps. The schema survives being written and read; what it calls otherwise has the other
// name in the model, and what is taken out of it is part of what surrounds it.
func TestWhatIsMarkedByHandIsTheSchemaThatTheModelFollows(t *testing.T) {
	t.Parallel()
	exe := compiled(t, "cc", "ring.c", "-O2", "-pthread", "-I.", "-lm")
	args := []string{"100", "2"}
	_, tr, err := recordedRun(t, exe, args)
	if err != nil {
		t.Fatal(err)
	}
	tr.Cores = 2
	text, err := json.Marshal(tr.Marked)
	if err != nil {
		t.Fatal(err)
	}
	var s trace.Schema
	if err := json.Unmarshal(text, &s); err != nil || !reflect.DeepEqual(s, tr.Marked) {
		t.Fatalf("the schema is %+v, written and read it is %+v (%v)", tr.Marked, s, err)
	}
	names := func() (out []string) {
		for _, f := range s.Fragments {
			out = append(out, f.Name)
		}
		slices.Sort(out)
		return out
	}
	if got := names(); !slices.Equal(got, []string{"look", "render"}) {
		t.Fatalf("fragments %q are marked, want look and render", got)
	}
	if len(s.Parameters) != 1 || s.Parameters[0].Name != "workers" || s.Parameters[0].Value != 2 {
		t.Fatalf("parameters %+v are marked, want workers, 2", s.Parameters)
	}
	look, render := marked100(t, exe, args, tr, "look"), marked100(t, exe, args, tr, "render")
	if ratio := render / look; !(ratio > 1.5 && ratio < 2.7) {
		t.Errorf("looking takes %.3g s and rendering %.3g s, want twice as much", look, render)
	}

	edited := trace.Schema{Parameters: []trace.Marked{{ID: 1, Name: "pool", Value: 2}}}
	for _, f := range s.Fragments {
		if f.Name == "render" {
			f.Name = "draw"
			edited.Fragments = append(edited.Fragments, f)
		}
	}
	if err := tr.Obey(edited); err != nil {
		t.Fatal(err)
	}
	if d := marked100(t, exe, args, tr, "draw"); math.Abs(d-render) > 0.1*render {
		t.Errorf("under its other name the fragment takes %.3g s, want %.3g", d, render)
	}
	m := modelOf(t, exe, args, tr)
	if slices.ContainsFunc(m.Graphs, func(g core.Graph) bool {
		return slices.ContainsFunc(g.Fragments, func(f core.Fragment) bool { return f.Origin.Function == "look" || f.Origin.Function == "render" })
	}) {
		t.Error("the model still has what the schema has no more")
	}
	if !slices.ContainsFunc(m.Parameters, func(p core.Parameter) bool { return p.Name == "pool" && strings.HasPrefix(p.How, "argument 2") }) {
		t.Errorf("parameters %+v, want one named pool, given as the second argument", m.Parameters)
	}
	if err := tr.Obey(trace.Schema{Fragments: []trace.Fragment{{ID: 9, Name: "x"}}}); err == nil || !strings.Contains(err.Error(), "fragment 9") {
		t.Errorf("got %v, want that there is no fragment 9", err)
	}
}

func modelOf(t *testing.T, exe string, args []string, tr *trace.Trace) *core.Model {
	t.Helper()
	m, _, err := analysis.Build(trail.Input{Workload: workload(exe, args...), Trace: tr}, trail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// marked100 is the mean demand of the computation that follows the beginning of a marked fragment, executed 100 times, in s.
func marked100(t *testing.T, exe string, args []string, tr *trace.Trace, name string) float64 {
	t.Helper()
	for _, g := range modelOf(t, exe, args, tr).Graphs {
		for _, f := range g.Fragments {
			if f.Class == core.CPUFragment && f.Origin.Function == name && f.Observed.Count == 100 {
				return f.Demand.Expectation()
			}
		}
	}
	t.Fatalf("no fragment %q of the model is executed 100 times", name)
	return 0
}
