package simulation

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tierscope/core"
)

// chain joins fragments in a row, but for those that lead elsewhere.
func chain(all []core.Fragment, last ...core.Edge) []core.Fragment {
	for i := range all[:len(all)-1] {
		if all[i].Next == nil {
			all[i].Next = to(all[i+1].ID)
		}
	}
	all[len(all)-1].Next = last
	return all
}

// drawn returns n random models, fewer of a short test.
func drawn(t *testing.T, n int, draw func(*rapid.T) core.Model) (models []core.Model) {
	t.Helper()
	if testing.Short() {
		n = 20
	}
	custom := rapid.Custom(draw)
	for i := range n {
		m := custom.Example(i)
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		models = append(models, m)
	}
	return models
}

// anyProgram draws a program that ends by itself: its main thread computes, starts
// threads in rounds and joins them, or gives work to a pool through a queue and waits at
// a channel for as many answers; its threads compute, hold a lock, sleep, read.
func anyProgram(t *rapid.T) core.Model {
	time := func(what string) core.Distribution { return exponential(rapid.Float64Range(1e-4, 1e-2).Draw(t, what)) }
	cores := rapid.IntRange(1, 8).Draw(t, "cores")
	m := core.Model{Name: "any", CPU: core.CPU{Cores: cores, Policy: rapid.SampledFrom(policies).Draw(t, "policy")},
		Locks: []core.Lock{{ID: "L", Kind: core.Mutex}, {ID: "answers", Kind: core.Channel, Capacity: 4}},
		Disks: []core.Disk{{ID: "d", Service: []core.ServiceLaw{{Rows: []core.ServiceRow{{Time: exponential(.002)}}}}}}}
	rounds, threads := rapid.IntRange(1, 20).Draw(t, "rounds"), rapid.IntRange(1, 12).Draw(t, "threads")
	var work []core.Fragment
	work = append(work, core.Fragment{ID: "work", Class: core.CPUFragment, Demand: time("work")})
	if rapid.Bool().Draw(t, "locks") {
		work = append(work, syncOp("enter", "L", core.Enter), core.Fragment{ID: "inside", Class: core.CPUFragment, Demand: time("inside")}, syncOp("exit", "L", core.Exit))
	}
	if rapid.Bool().Draw(t, "sleeps") {
		work = append(work, core.Fragment{ID: "sleep", Class: core.DelayFragment, Delay: time("sleep")})
	}
	if rapid.Bool().Draw(t, "reads") {
		work = append(work, core.Fragment{ID: "read", Class: core.IOFragment, IO: &core.IO{Disk: "d", Requests: []core.RequestType{{Type: "read", Count: constant(1)}}}})
	}
	main := core.Graph{ID: "main", Entry: "start"}
	start := core.Fragment{ID: "start", Class: core.CPUFragment, Demand: time("start")}
	if rapid.Bool().Draw(t, "joins") {
		loop := core.Fragment{ID: "rounds", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(float64(rounds)), Body: "spawn"}, Next: nil}
		main.Fragments = chain([]core.Fragment{start, loop,
			{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "w", Count: constant(float64(threads))}},
			{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "w"}}, {ID: "merge", Class: core.CPUFragment, Demand: time("merge")}}, core.Edge{To: "rounds", Probability: 1})
		main.Fragments[1].Next = nil
		m.Pools = []core.Pool{{ID: "w", Kind: core.SpawnPool, Graph: "w"}}
		m.Graphs = []core.Graph{{ID: "w", Entry: "work", Fragments: chain(work)}}
	} else {
		n := float64(rounds * threads)
		m.Queues = []core.Queue{{ID: "jobs", Capacity: core.Unbounded}}
		m.Sinks = []core.Sink{{ID: "done"}}
		main.Fragments = chain([]core.Fragment{start,
			{ID: "give", Class: core.OutFragment, Out: &core.Out{To: "jobs", New: true, Count: constant(n)}},
			{ID: "answers", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(n), Body: "receive"}},
			syncOp("receive", "answers", core.Receive)}, core.Edge{To: "answers", Probability: 1})
		main.Fragments[2].Next = nil
		work = append([]core.Fragment{{ID: "in", Class: core.InFragment, In: &core.In{Queue: "jobs"}}, {ID: "fetch", Class: core.FetchFragment}}, work...)
		work = append(work, syncOp("answer", "answers", core.Send), core.Fragment{ID: "out", Class: core.OutFragment, Out: &core.Out{To: "done"}})
		m.Pools = []core.Pool{{ID: "w", Graph: "w", Size: threads}}
		m.Graphs = []core.Graph{{ID: "w", Entry: "in", Fragments: chain(work, core.Edge{To: "in", Probability: 1})}}
	}
	m.Pools = append(m.Pools, core.Pool{ID: "main", Graph: "main", Size: 1, Main: true})
	m.Graphs = append(m.Graphs, main)
	return m
}

// Over 200 random programs, on one to eight cores, the estimate is within 5 % of the mean
// of thirty other simulated runs for half of them, and within 15 % for nine of ten; it is
// never better than the bounds.
func TestTheEstimateOfAProgramThatEndsIsNearItsSimulation(t *testing.T) {
	t.Parallel()
	models := drawn(t, 200, anyProgram)
	median, p90 := estimates(t, "random", fmt.Sprintf("%d random programs", len(models)), models)
	if median > .05 || p90 > .15 {
		t.Errorf("|error|: median %.1f %%, p90 %.1f %%; want at most 5 and 15 %%", 100*median, 100*p90)
	}
}

// The same of the models of real programs: TIERSCOPE_MODELS is a pattern of their files.
func TestEstimatesOfRecordedProgramsAreNearTheirSimulations(t *testing.T) {
	t.Parallel()
	pattern := os.Getenv("TIERSCOPE_MODELS")
	if pattern == "" {
		t.Skip("TIERSCOPE_MODELS names no models")
	}
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%q: %d models (%v)", pattern, len(paths), err)
	}
	var models []core.Model
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := core.Decode(f)
		f.Close()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		models = append(models, m.AsChecked())
	}
	if median, p90 := estimates(t, "recorded", fmt.Sprintf("models of %d programs", len(models)), models); median > .05 || p90 > .15 {
		t.Errorf("|error|: median %.1f %%, p90 %.1f %%; want at most 5 and 15 %%", 100*median, 100*p90)
	}
}

// estimates compares the estimates of run and response times with simulations. TIERSCOPE_ACCURACY is a folder for
// what they show.
func estimates(t *testing.T, subject, title string, models []core.Model) (median, p90 float64) {
	t.Helper()
	var errors []float64
	outside, halt := 0, 0
	for i, m := range models {
		e, b, err := Forecast(t.Context(), m)
		if err != nil {
			t.Fatalf("%s %d: %v", m.Name, i, err)
		}
		if e.Response < b.Response || e.Throughput > b.Throughput {
			outside++
			t.Errorf("%s %d: T %g and X %g are better than the bounds %g and %g", m.Name, i, e.Response, e.Throughput, b.Response, b.Throughput)
		}
		o := Options{Seed: 7, Workers: 1, Replications: 30, ModelAsItIs: true, Director: AsProbabilities}
		metric := "T program mean"
		if len(m.Sources) > 0 && m.Sources[0].Kind != core.Batch {
			o.Replications, metric = 10, "R class/"+m.Sources[0].Class+" mean"
		}
		simulated := find(t, run(t, m, nil, o), metric).Mean
		if math.IsNaN(simulated) {
			halt++
			continue
		}
		off := math.Abs(e.Response/simulated - 1)
		t.Logf("%-20s %.1f %%", m.Name, 100*off)
		errors = append(errors, off)
	}
	slices.Sort(errors)
	median, p90 = errors[len(errors)/2], errors[len(errors)*9/10]
	keepResult(t, "estimates", "estimates-"+subject, title, "go test -run Estimate ./simulation", len(models), []shown{
		{"median |error|", "1", median}, {"p90", "1", p90}, {"worst", "1", errors[len(errors)-1]}, {"outside the bounds", "number", float64(outside)}, {"come to a halt", "number", float64(halt)}})
	return median, p90
}

// A program too long for an estimate is forecast by its mean values.
func TestALongProgramIsNotSimulatedForAnEstimate(t *testing.T) {
	t.Parallel()
	m := threads(1, 1, loop("o", 1e4, "l"), loop("l", 1e3, "b", "o"), cpu("b", .001, "l"))
	e, _, err := Forecast(t.Context(), m)
	if err != nil || math.Abs(e.Response-1e4) > 1 || len(e.Assumptions) != 3 {
		t.Errorf("T = %g by %q (%v), want 10⁷ × 1 ms by mean values", e.Response, e.Assumptions, err)
	}
}
