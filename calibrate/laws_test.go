package calibrate

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"tierscope/analysis/trace"
	"tierscope/analysis/trust"
	"tierscope/core"
)

// collection is the CPU time of a collection of batch, s.
const collection = 20e-6

// batch draws a program whose main thread starts pools and waits for them. Each of their
// threads goes round a loop of computations, one of them under a lock.
func batch(t *rapid.T) core.Model {
	number := func(name string, least, most int) int { return rapid.IntRange(least, most).Draw(t, name) }
	demand := func(name string) core.Distribution { return core.Const(float64(number(name, 200, 3000)) * 1e-6) }
	m := core.Model{Name: "batch", CPU: core.CPU{Cores: number("cores", 1, 4)}, Locks: []core.Lock{{ID: "lock", Kind: core.Mutex}}}
	main := core.Graph{ID: "main", Entry: "start a"}
	var joins []core.Fragment
	ids := []string{"a", "b", "c"}[:number("pools", 1, 3)]
	for i, id := range ids {
		then, later := "join a", []core.Edge(nil)
		if i+1 < len(ids) {
			then, later = "start "+ids[i+1], next("join "+ids[i+1])
		}
		main.Fragments = append(main.Fragments, core.Fragment{ID: "start " + id, Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: id}, Next: next(then)})
		joins = append(joins, core.Fragment{ID: "join " + id, Class: core.JoinFragment, Join: &core.Join{Pool: id}, Next: later})
		m.Pools = append(m.Pools, core.Pool{ID: id, Kind: core.SpawnPool, Graph: id, Size: number("threads", 1, 4)})
		m.Graphs = append(m.Graphs, core.Graph{ID: id, Entry: "rounds", Fragments: []core.Fragment{
			{ID: "rounds", Class: core.LoopFragment, Loop: &core.Loop{Count: core.Const(float64(number("rounds", 20, 60))), Body: "work"}, Next: next("rest")},
			{ID: "work", Class: core.CPUFragment, Demand: demand("work"), Next: next("enter")},
			{ID: "enter", Class: core.SyncFragment, Sync: &core.Sync{Lock: "lock", Op: core.Enter}, Next: next("inside")},
			{ID: "inside", Class: core.CPUFragment, Demand: demand("inside"), Next: next("exit")},
			{ID: "exit", Class: core.SyncFragment, Sync: &core.Sync{Lock: "lock", Op: core.Exit}, Next: next("rounds")},
			{ID: "rest", Class: core.CPUFragment, Demand: demand("rest")},
		}})
	}
	main.Fragments = append(main.Fragments, joins...)
	m.Pools, m.Graphs = append(m.Pools, core.Pool{ID: "main", Graph: "main", Size: 1, Main: true}), append(m.Graphs, main)
	if rapid.Bool().Draw(t, "collector") {
		m.Background = []core.Background{{ID: "gc", Trigger: core.EveryCPU, Interval: core.Const(.005), Demand: core.Const(collection)}}
	}
	return m
}

// cost is the CPU time of the threads of a batch by arithmetic, s: threads × (rounds × (work +
// inside) + rest), of all pools but that of the main thread, which is the last.
func cost(m core.Model) (sum float64) {
	for i, p := range m.Pools[:len(m.Pools)-1] {
		f := m.Graphs[i].Fragments
		sum += float64(p.Size) * (f[0].Loop.Count.Value*(f[1].Demand.Value+f[3].Demand.Value) + f[5].Demand.Value)
	}
	return sum
}

// content is all that a model says.
func content(t rapid.TB, m core.Model) string {
	data, err := core.ModelFormat.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// lawful calls a step and checks what is true of each: that it leaves the model that it is given as
// it was, that what it returns is valid, and that it returns that again for it.
func lawful(t rapid.TB, m core.Model, e trust.Evidence, step func(core.Model, trust.Evidence) core.Model) core.Model {
	before := content(t, m)
	got := step(m, e)
	if after := content(t, m); after != before {
		t.Fatalf("the model was changed in place, from\n%s\nto\n%s", before, after)
	}
	if err := got.Validate(); err != nil {
		t.Fatalf("the calibrated model is not valid: %v", err)
	}
	once := content(t, got)
	if again := content(t, step(got, e)); again != once {
		t.Fatalf("calibrated again, the model is\n%s\nafter\n%s", again, once)
	}
	return got
}

// Whatever plain runs cost, within what another speed of the host explains: the demands come to add up
// to it, and there are as many collections as before.
func TestThreadsUseTheCPUTimeOfPlainRuns(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := batch(t)
		want := cost(m) * rapid.Float64Range(.82, 1.23).Draw(t, "speed")
		e := trust.Evidence{CPU: []float64{want, .9 * want, 1.2 * want}, AloneCPU: []float64{want, want, want}}
		got := lawful(t, m, e, func(m core.Model, e trust.Evidence) core.Model {
			m, says, _ := Paced(t.Context(), m, e)
			if says == "" {
				t.Fatal("it is not said what was assumed")
			}
			return m
		})
		// What a collection has done that the program's end cuts short is not told from the program.
		if c := cost(got); math.Abs(c-want) > plainExact*want+collection {
			t.Errorf("the threads' demands are %.6f s, plain runs took %.6f s", c, want)
		}
		for i := range got.Background {
			if rounds, had := cost(got)/got.Background[i].Interval.Value, cost(m)/m.Background[i].Interval.Value; math.Abs(rounds/had-1) > 1e-9 {
				t.Errorf("there are %.3f collections in a run, want %.3f as before", rounds, had)
			}
		}
	})
}

// A task that takes s in the server and r for its client is outside for r − s, and never for
// less than no time, wherever it was before.
func TestTasksAreAwayForWhatTheServerDoesNotTake(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ service, seen, before float64 }{
		{.001, .0305, 0}, {.020, .022, 0}, {.020, .022, .003}, {.100, .050, 0}, {.100, .050, .003},
	} {
		m := server(c.service)
		m.Sources[0].Away = c.before
		got := lawful(t, m, trust.Evidence{Response: trace.ResponseTime{Median: c.seen, Mean: c.seen}}, func(m core.Model, e trust.Evidence) core.Model {
			m, _ = Away(t.Context(), m, e)
			return m
		})
		if want := max(0, c.seen-c.service); math.Abs(got.Sources[0].Away-want) > 1e-4 {
			t.Errorf("served in %.4f s and answered after %.4f s, a task is away for %.4f s, want %.4f", c.service, c.seen, got.Sources[0].Away, want)
		}
	}
}
