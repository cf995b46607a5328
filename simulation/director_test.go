package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// farm is a main thread that starts two workers, gives them jobs through a queue, closes it and waits for them, with the walks of
// a run in which the jobs took 1, 2, 3 and 4 ms.
func farm(tb testing.TB) (core.Model, *core.Walks) {
	tb.Helper()
	ms := func(x float64) core.Distribution {
		return core.Distribution{Kind: core.Empirical, Probabilities: []float64{0, 1}, Values: []float64{1e-3 * x, 4e-3 * x}, Samples: 4}
	}
	some := func(a string, n int64, b string, m int64) []core.Edge {
		sum := float64(n + m)
		return []core.Edge{{To: a, Probability: float64(n) / sum, Count: n}, {To: b, Probability: float64(m) / sum, Count: m, Last: true}}
	}
	m := core.Model{
		Name:   "farm",
		Queues: []core.Queue{{ID: "jobs", Capacity: core.Unbounded}},
		Pools: []core.Pool{
			{ID: "main", Graph: "main", Kind: core.FixedPool, Size: 1, Main: true},
			{ID: "worker", Graph: "worker", Kind: core.SpawnPool, Size: 2},
		},
		Sinks: []core.Sink{{ID: "done"}},
		CPU:   core.CPU{Cores: 2},
		Parameters: []core.Parameter{
			{Name: "workers", Default: 2, Min: 1, Max: 64, Integer: true, Targets: []core.Target{{Path: "pools/worker/size"}}},
		},
		Graphs: []core.Graph{
			{ID: "main", Entry: "spawn", Fragments: []core.Fragment{
				{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "worker"}, Next: to("job")},
				{ID: "job", Class: core.OutFragment, Out: &core.Out{To: "jobs", New: true}, Next: some("job", 3, "close", 1)},
				{ID: "close", Class: core.SyncFragment, Sync: &core.Sync{Lock: "jobs", Op: core.Close}, Next: to("join")},
				{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "worker"}},
			}},
			{ID: "worker", Entry: "take", Fragments: []core.Fragment{
				{ID: "take", Class: core.InFragment, In: &core.In{Queue: "jobs"}, Next: []core.Edge{{To: "got", Probability: 1}, {To: "none", Probability: 1}}},
				{ID: "got", Class: core.FetchFragment, Next: to("work")},
				{ID: "none", Class: core.NoFetchFragment},
				{ID: "work", Class: core.CPUFragment, Demand: ms(1), Next: to("finish")},
				{ID: "finish", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("take")},
			}},
		},
	}
	const spawn, job, closing, join = 0, 1, 2, 3
	const take, got, nothing, work, finish = 0, 1, 2, 3, 4
	main := core.Walk{Pool: "main", Graph: 0, Parent: -1, Ended: true, Moves: []core.Move{{Fragment: spawn, Object: -1, Amount: 2}}}
	for k := range int64(4) {
		main.Moves = append(main.Moves, core.Move{Fragment: job, Object: 0, Amount: 1, Token: k + 1})
	}
	main.Moves = append(main.Moves, core.Move{Fragment: closing, Object: 0}, core.Move{Fragment: join, Object: -1})
	worker := func(jobs ...int64) core.Walk {
		w := core.Walk{Pool: "worker", Graph: 1, Parent: 0, Ended: true}
		for _, k := range jobs {
			w.Moves = append(w.Moves, core.Move{Fragment: take, Object: 0, Token: k}, core.Move{Fragment: got, Object: -1},
				core.Move{Fragment: work, Object: -1, Amount: k * 1_000_000}, core.Move{Fragment: finish, Object: -1})
		}
		w.Moves = append(w.Moves, core.Move{Fragment: take, Object: 0}, core.Move{Fragment: nothing, Object: -1})
		return w
	}
	w := &core.Walks{
		Graphs:  []core.WalkGraph{{ID: "main", Fragments: []string{"spawn", "job", "close", "join"}}, {ID: "worker", Fragments: []string{"take", "got", "none", "work", "finish"}}},
		Objects: []core.WalkObject{{Of: "jobs", Monitor: -1}},
		Threads: []core.Walk{main, worker(1, 4), worker(2, 3)},
	}
	packed, err := w.Pack()
	if err != nil {
		tb.Fatal(err)
	}
	m.Walks = packed
	return m, w
}

// Whoever takes a job does what belongs to it. On n cores with n workers the jobs of 1, 2, 3 and 4 ms are taken in
// their order by who is free: 10 ms with one, 6 ms (1+3 beside 2+4) with two, 5 ms (1+4) with three, 4 ms with four.
func TestWhatFollowsATaskBelongsToTheTask(t *testing.T) {
	t.Parallel()
	m, _ := farm(t)
	for workers, want := range map[float64]float64{1: 10e-3, 2: 6e-3, 3: 5e-3, 4: 4e-3, 8: 4e-3} {
		r, err := Run(t.Context(), m, map[string]float64{"workers": workers, "cpu/cores": workers}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Director != AsRecorded {
			t.Fatalf("with %v workers the answer is by %q: %v", workers, r.Director, r.Warnings)
		}
		if got, _ := r.Find("T program mean"); math.Abs(got.Estimate.Mean-want) > 1e-9 {
			t.Errorf("with %v workers it takes %v s, want %v", workers, got.Estimate.Mean, want)
		}
	}
}
