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

// A wait on a condition variable awaits the notice that ended it in the recording, and one that came before does not wait:
// whoever is first, nobody waits for ever. The main thread computes 3 ms before its notice, the waiter 1 or 5 ms before it
// waits and 2 ms after it: 5 ms, or 7.
func TestAWaitAwaitsItsCause(t *testing.T) {
	t.Parallel()
	for before, want := range map[int64]float64{1_000_000: 5e-3, 5_000_000: 7e-3} {
		ms := func(x float64) core.Distribution { return constant(x * 1e-3) }
		m := core.Model{
			Name: "notice",
			Pools: []core.Pool{
				{ID: "main", Graph: "main", Kind: core.FixedPool, Size: 1, Main: true},
				{ID: "waiter", Graph: "waiter", Kind: core.SpawnPool, Size: 1},
			},
			CPU:   core.CPU{Cores: 2},
			Locks: []core.Lock{{ID: "mu", Kind: core.Mutex}, {ID: "ready", Kind: core.Condition}},
			Graphs: []core.Graph{
				{ID: "main", Entry: "spawn", Fragments: []core.Fragment{
					{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "waiter"}, Next: to("work")},
					{ID: "work", Class: core.CPUFragment, Demand: ms(3), Next: to("notify")},
					{ID: "notify", Class: core.SyncFragment, Sync: &core.Sync{Lock: "ready", Op: core.Notify}, Next: to("join")},
					{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "waiter"}},
				}},
				{ID: "waiter", Entry: "before", Fragments: []core.Fragment{
					{ID: "before", Class: core.CPUFragment, Demand: constant(float64(before) * 1e-9), Next: to("lock")},
					{ID: "lock", Class: core.SyncFragment, Sync: &core.Sync{Lock: "mu", Op: core.Enter}, Next: to("wait")},
					{ID: "wait", Class: core.SyncFragment, Sync: &core.Sync{Lock: "ready", Op: core.Wait, Monitor: "mu"}, Next: to("unlock")},
					{ID: "unlock", Class: core.SyncFragment, Sync: &core.Sync{Lock: "mu", Op: core.Exit}, Next: to("after")},
					{ID: "after", Class: core.CPUFragment, Demand: ms(2)},
				}},
			},
		}
		w := &core.Walks{
			Graphs:  []core.WalkGraph{{ID: "main", Fragments: []string{"spawn", "work", "notify", "join"}}, {ID: "waiter", Fragments: []string{"before", "lock", "wait", "unlock", "after"}}},
			Objects: []core.WalkObject{{Of: "mu", Monitor: -1}, {Of: "ready", Monitor: 0}},
			Threads: []core.Walk{
				{Pool: "main", Graph: 0, Parent: -1, Ended: true, Moves: []core.Move{
					{Fragment: 0, Object: -1, Amount: 1}, {Fragment: 1, Object: -1, Amount: 3_000_000}, {Fragment: 2, Object: 1, Token: 7}, {Fragment: 3, Object: -1}}},
				{Pool: "waiter", Graph: 1, Parent: 0, Ended: true, Moves: []core.Move{
					{Fragment: 0, Object: -1, Amount: before}, {Fragment: 1, Object: 0}, {Fragment: 2, Object: 1, Token: 7}, {Fragment: 3, Object: 0}, {Fragment: 4, Object: -1, Amount: 2_000_000}}},
			},
		}
		var err error
		if m.Walks, err = w.Pack(); err != nil {
			t.Fatal(err)
		}
		r, err := Run(t.Context(), m, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := r.Find("T program mean"); r.Director != AsRecorded || math.Abs(got.Estimate.Mean-want) > 1e-9 {
			t.Errorf("a waiter that comes after %d ns makes it take %v s by %q %v, want %v s", before, got.Estimate.Mean, r.Director, r.Warnings, want)
		}
	}
}

// Demands that the analyst changes in the graph are those of the walks as well: twice as slow, twice as long. Other probabilities are
// not in the recording: the graph answers, and says so.
func TestTheGraphSaysWhatTheRecordingCannot(t *testing.T) {
	t.Parallel()
	m, _ := farm(t)
	slower, err := Run(t.Context(), m, map[string]float64{"graphs/worker/fragments/work/scale": 2}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := slower.Find("T program mean"); slower.Director != AsRecorded || math.Abs(got.Estimate.Mean-12e-3) > 1e-9 {
		t.Errorf("twice as slow it takes %v s by %q %v, want 12 ms", got.Estimate.Mean, slower.Director, slower.Warnings)
	}
	m.Graphs[0].Fragments[1].Next = []core.Edge{{To: "job", Probability: 0.9}, {To: "close", Probability: 0.1}}
	other, err := Run(t.Context(), m, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if other.Director != AsProbabilities {
		t.Errorf("with other probabilities the answer is by %q", other.Director)
	}
}

// Runs of a model are the same with and without walks where nothing is drawn: the director changes who asks, not what locks, queues and
// processors do.
func TestBothDirectorsUseTheSameResources(t *testing.T) {
	t.Parallel()
	m, _ := farm(t)
	// By its graph a worker draws among the demands, so only what is the same in every order can be compared.
	r, err := Run(t.Context(), m, map[string]float64{"workers": 1, "cpu/cores": 1}, Options{Director: AsProbabilities})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := r.Find("X class/task mean"); r.Director == AsRecorded || got.Estimate.Mean == 0 {
		t.Errorf("by its graphs it completes %v jobs/s by %q", got.Estimate.Mean, r.Director)
	}
}
