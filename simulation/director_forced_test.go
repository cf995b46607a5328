package simulation

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tierscope/core"
)

// In the recording two workers computed 2 ms each and woke the main thread, which waited for the one and then for the other
// and computed 1 ms: 3 ms on two cores, 5 ms on one. With one worker nobody wakes it for the other one, and it does
// not wait for ever: 3 ms.
func TestNobodyWaitsForThreadsThatAreNotThere(t *testing.T) {
	t.Parallel()
	ms := func(x float64) core.Distribution { return constant(x * 1e-3) }
	m := core.Model{
		Name: "wakers",
		Pools: []core.Pool{
			{ID: "main", Graph: "main", Kind: core.FixedPool, Size: 1, Main: true},
			{ID: "worker", Graph: "worker", Kind: core.SpawnPool, Size: 2},
		},
		CPU:   core.CPU{Cores: 2},
		Locks: []core.Lock{{ID: "awake", Kind: core.Park}},
		Graphs: []core.Graph{
			{ID: "main", Entry: "spawn", Fragments: []core.Fragment{
				{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "worker"}, Next: to("park")},
				{ID: "park", Class: core.SyncFragment, Sync: &core.Sync{Lock: "awake", Op: core.ParkOp}, Next: []core.Edge{{To: "park", Probability: 0.5, Count: 1}, {To: "work", Probability: 0.5, Count: 1, Last: true}}},
				{ID: "work", Class: core.CPUFragment, Demand: ms(1), Observed: core.Observed{Count: 1, MeanWall: 3e-3}},
			}},
			{ID: "worker", Entry: "work", Fragments: []core.Fragment{
				{ID: "work", Class: core.CPUFragment, Demand: ms(2), Next: to("wake")},
				{ID: "wake", Class: core.SyncFragment, Sync: &core.Sync{Lock: "awake", Op: core.Unpark}},
			}},
		},
	}
	worker := func(token int64) core.Walk {
		return core.Walk{Pool: "worker", Graph: 1, Parent: 0, Ended: true, Moves: []core.Move{{Fragment: 0, Object: -1, Amount: 2_000_000}, {Fragment: 1, Object: 0, Token: token}}}
	}
	w := &core.Walks{
		Graphs:  []core.WalkGraph{{ID: "main", Fragments: []string{"spawn", "park", "work"}}, {ID: "worker", Fragments: []string{"work", "wake"}}},
		Objects: []core.WalkObject{{Of: "awake", Monitor: -1}},
		Threads: []core.Walk{
			{Pool: "main", Graph: 0, Parent: -1, Ended: true, Moves: []core.Move{
				{Fragment: 0, Object: -1, Amount: 2}, {Fragment: 1, Object: 0, Token: 1}, {Fragment: 1, Object: 0, Token: 2}, {Fragment: 2, Object: -1, Amount: 1_000_000}}},
			worker(1), worker(2),
		},
	}
	var err error
	if m.Walks, err = w.Pack(); err != nil {
		t.Fatal(err)
	}
	try := syncFragment("tick", "tick", core.Send, to("wait")...)
	try.Sync.Timeout, try.Sync.OnTimeout = constant(0), "wait"
	ticking := m
	ticking.Locks = append(slices.Clip(m.Locks), core.Lock{ID: "tick", Kind: core.Channel, Capacity: 1})
	ticking.Pools = append(slices.Clip(m.Pools), core.Pool{ID: "clock", Graph: "clock", Kind: core.FixedPool, Size: 1})
	ticking.Graphs = append(slices.Clip(m.Graphs), core.Graph{ID: "clock", Entry: "wait", Fragments: []core.Fragment{sleep("wait", 1e-3, "tick"), try}})
	for _, c := range []struct {
		model                core.Model
		workers, cores, want float64
	}{{m, 2, 2, 3e-3}, {m, 2, 1, 5e-3}, {m, 1, 2, 3e-3}, {m, 1, 1, 3e-3}, {ticking, 2, 2, 3e-3}, {ticking, 1, 2, 3e-3}, {ticking, 1, 1, 3e-3}} {
		r, err := Run(t.Context(), c.model, map[string]float64{"pools/worker/size": c.workers, "cpu/cores": c.cores}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := r.Find("T program mean"); r.Director != AsRecorded || math.Abs(got.Estimate.Mean-c.want) > 1e-9 {
			t.Errorf("%v workers on %v cores take %v s by %q %v, want %v s", c.workers, c.cores, got.Estimate.Mean, r.Director, r.Warnings, c.want)
		}
	}
}

// Main computes for 10 ms and then awaits five notices: some of a worker, which gave them long before, and some that nobody gives, as who
// gave them in the recording is not there. If one of five waits is for what nobody did, the answer is as recorded still; if three are, it is all the
// same, as the graph has none.
func TestWaitsForWhatHasHappenedCount(t *testing.T) {
	t.Parallel()
	for _, given := range []int64{4, 2} {
		m := notices(t, given)
		r, err := Run(t.Context(), m, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := r.Find("T program mean"); r.Director != AsRecorded || math.Abs(got.Estimate.Mean-10e-3) > 1e-9 || len(r.Warnings) == 0 || r.Halted != "" {
			t.Errorf("with %d notices it takes %v s by %q %v, want 10 ms as recorded, and said that nobody did the rest", given, got.Estimate.Mean, r.Director, r.Warnings)
		}
		r, err = Run(t.Context(), m, nil, Options{Director: AsProbabilities})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := r.Find("T program mean"); got.Estimate.N > 0 {
			t.Errorf("with %d notices the graph takes %v s, want no answer", given, got.Estimate.Mean)
		}
	}
}

// Main starts four workers of 10 ms each, which count a latch of four down, and goes through its rounds once for each of them: it awaits the
// latch and computes 1 ms. With two workers the latch does not come to zero, and by the graph main waits for ever. So it goes round
// as often as recorded, and where nothing else can go on the latch does not hold it: 10 ms, and 4 of its rounds.
func TestWhoGathersThreadsThatAreNotThereGoesOn(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "gatherer", CPU: core.CPU{Cores: 4}, Locks: []core.Lock{{ID: "done", Kind: core.Latch, Permits: 4}},
		Parameters: []core.Parameter{turns("workers", 4, "pools/worker/size", "graphs/main/fragments/loop/iterations")},
	}}
	const spawn, loop, await, gather, join = 0, 1, 2, 3, 4
	main := []core.Move{{Fragment: spawn, Object: -1, Amount: 4}}
	for range 4 {
		main = append(main, visit(loop), use(await, 0, 0), compute(gather, ms))
	}
	s.pool("main", []core.Fragment{
		spawnFragment("spawn", "worker", to("loop")...), {ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(4), Body: "await"}, Next: to("join")},
		syncFragment("await", "done", core.Await, to("gather")...), cpuFragment("gather", 1, to("loop")...), joinFragment("join", "worker"),
	}, append(main, visit(loop), visit(join))...)
	worker := []core.Move{compute(0, 10*ms), use(1, 0, 0)}
	s.team("worker", []core.Fragment{cpuFragment("work", 10, to("count")...), syncFragment("count", "done", core.CountDown)}, worker, worker, worker, worker)
	s.walks.Objects = []core.WalkObject{{Of: "done", Monitor: -1}}
	s.takesOf(t, "workers", map[float64]float64{2: 14, 4: 14})
}

// Two clients send a job each to a worker, for which it computes 1 ms and sends one notice, or three; main closes what they go to. With one
// client the job of the other one is not done: by the number of jobs two notices are due, and nobody sends the second. Main does not wait for it.
func TestWhoClosesDoesNotWaitForWhatNobodySends(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "clients", CPU: core.CPU{Cores: 2}, Queues: []core.Queue{{ID: "jobs", Capacity: core.Unbounded}}, Sinks: []core.Sink{{ID: "done"}},
		Locks: []core.Lock{{ID: "notices", Kind: core.Channel, Capacity: 8}},
	}}
	const clients, worker, join, tell, shut, end = 0, 1, 2, 3, 4, 5
	s.pool("main", []core.Fragment{
		spawnFragment("clients", "client", to("worker")...), spawnFragment("worker", "worker", to("join")...), joinFragment("join", "client", to("tell")...),
		syncFragment("tell", "notices", core.Close, to("shut")...), syncFragment("shut", "jobs", core.Close, to("end")...), joinFragment("end", "worker"),
	}, core.Move{Fragment: clients, Object: -1, Amount: 2}, begin(worker), visit(join), use(tell, 1, 0), use(shut, 0, 0), visit(end))
	job := func(token int64) []core.Move { return []core.Move{{Fragment: 0, Object: 0, Amount: 1, Token: token}} }
	s.team("client", []core.Fragment{{ID: "send", Class: core.OutFragment, Out: &core.Out{To: "jobs", New: true}}}, job(1), job(2))
	const take, got, nothing, work, notify, finish = 0, 1, 2, 3, 4, 5
	s.pool("worker", []core.Fragment{
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "jobs"}, Next: []core.Edge{{To: "got", Probability: 1}, {To: "none", Probability: 1}}},
		{ID: "got", Class: core.FetchFragment, Next: to("work")}, {ID: "none", Class: core.NoFetchFragment},
		cpuFragment("work", 1, to("notify")...),
		syncFragment("notify", "notices", core.Send, core.Edge{To: "notify", Probability: 0.5, Count: 2}, core.Edge{To: "finish", Probability: 0.5, Count: 2}),
		{ID: "finish", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("take")},
	}, use(take, 0, 1), visit(got), compute(work, ms), use(notify, 1, 11), visit(finish),
		use(take, 0, 2), visit(got), compute(work, ms), use(notify, 1, 12), use(notify, 1, 13), use(notify, 1, 14), visit(finish), use(take, 0, 0), visit(nothing))
	s.walks.Objects = []core.WalkObject{{Of: "jobs", Monitor: -1}, {Of: "notices", Monitor: -1}}
	s.takesOf(t, "pools/client/size", map[float64]float64{2: 2, 1: 1})
}

// Main sends nine jobs and awaits the worker, which took ten and then came to its end, of 1 ms each: who sent the tenth is not there, nor does
// anybody close the queue, so that by the graph it waits for ever. It ends where nothing else can go on, and the answer says that a tenth of
// the work is missing.
func TestWhoWaitsForTasksThatNobodySendsEnds(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{Name: "jobs", CPU: core.CPU{Cores: 2}, Queues: []core.Queue{{ID: "jobs", Capacity: core.Unbounded}}, Sinks: []core.Sink{{ID: "done"}}}}
	const worker, loop, send, join = 0, 1, 2, 3
	main := []core.Move{begin(worker)}
	for token := range int64(9) {
		main = append(main, visit(loop), core.Move{Fragment: send, Object: 0, Amount: 1, Token: token + 1})
	}
	s.pool("main", []core.Fragment{
		spawnFragment("worker", "worker", to("loop")...), {ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(9), Body: "send"}, Next: to("join")},
		{ID: "send", Class: core.OutFragment, Out: &core.Out{To: "jobs", New: true}, Next: to("loop")}, joinFragment("join", "worker"),
	}, append(main, visit(loop), visit(join))...)
	const take, got, nothing, work, finish = 0, 1, 2, 3, 4
	var done []core.Move
	for token := range int64(10) {
		done = append(done, use(take, 0, token+1), visit(got), compute(work, ms), visit(finish))
	}
	s.pool("worker", []core.Fragment{
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "jobs"}, Next: []core.Edge{{To: "got", Probability: 1}, {To: "none", Probability: 1}}},
		{ID: "got", Class: core.FetchFragment, Next: to("work")}, {ID: "none", Class: core.NoFetchFragment},
		cpuFragment("work", 1, to("finish")...), {ID: "finish", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("take")},
	}, append(done, use(take, 0, 0), visit(nothing))...)
	s.walks.Objects = []core.WalkObject{{Of: "jobs", Monitor: -1}}
	var err error
	if s.model.Walks, err = s.walks.Pack(); err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), s.model, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := r.Find("T program mean"); r.Director != AsRecorded || math.Abs(got.Estimate.Mean-9e-3) > 1e-9 || !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "90 % of the recorded work") }) {
		t.Errorf("it takes %v s by %q %v, want 9 ms as recorded, and said that 90 %% was executed", got.Estimate.Mean, r.Director, r.Warnings)
	}
}

// notices is a model whose main thread awaits five notices of a worker, which gives fewer.
func notices(t *testing.T, given int64) core.Model {
	t.Helper()
	m := core.Model{
		Name: "notices",
		Pools: []core.Pool{
			{ID: "main", Graph: "main", Kind: core.FixedPool, Size: 1, Main: true},
			{ID: "worker", Graph: "worker", Kind: core.SpawnPool, Size: 1},
		},
		CPU:   core.CPU{Cores: 2},
		Locks: []core.Lock{{ID: "awake", Kind: core.Park}},
		Graphs: []core.Graph{
			{ID: "main", Entry: "spawn", Fragments: []core.Fragment{
				{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "worker"}, Next: to("work")},
				{ID: "work", Class: core.CPUFragment, Demand: constant(10e-3), Next: to("park")},
				{ID: "park", Class: core.SyncFragment, Sync: &core.Sync{Lock: "awake", Op: core.ParkOp}, Next: []core.Edge{{To: "park", Probability: 0.8, Count: 4}, {To: "end", Probability: 0.2, Count: 1, Last: true}}},
				{ID: "end", Class: core.DispatchFragment},
			}},
			{ID: "worker", Entry: "wake", Fragments: []core.Fragment{
				{ID: "wake", Class: core.SyncFragment, Sync: &core.Sync{Lock: "awake", Op: core.Unpark}, Next: []core.Edge{{To: "wake", Probability: float64(given-1) / float64(given), Count: given - 1}, {To: "end", Probability: 1 / float64(given), Count: 1, Last: true}}},
				{ID: "end", Class: core.DispatchFragment},
			}},
		},
	}
	park := func(token int64) core.Move { return core.Move{Fragment: 2, Object: 0, Token: token} }
	var wakes []core.Move
	for token := range given {
		wakes = append(wakes, core.Move{Fragment: 0, Object: 0, Token: token + 1})
	}
	w := &core.Walks{
		Graphs:  []core.WalkGraph{{ID: "main", Fragments: []string{"spawn", "work", "park", "end"}}, {ID: "worker", Fragments: []string{"wake", "end"}}},
		Objects: []core.WalkObject{{Of: "awake", Monitor: -1}},
		Threads: []core.Walk{
			{Pool: "main", Graph: 0, Parent: -1, Ended: true, Moves: []core.Move{
				{Fragment: 0, Object: -1, Amount: 1}, {Fragment: 1, Object: -1, Amount: 10_000_000}, park(1), park(2), park(3), park(4), park(5), {Fragment: 3, Object: -1}}},
			{Pool: "worker", Graph: 1, Parent: 0, Ended: true, Moves: append(wakes, core.Move{Fragment: 1, Object: -1})},
		},
	}
	var err error
	if m.Walks, err = w.Pack(); err != nil {
		t.Fatal(err)
	}
	return m
}
