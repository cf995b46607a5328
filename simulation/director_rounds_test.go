package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// phases is two workers that take parts from a counter in two rounds, with a barrier after each: 1, 2, 3 and 4 ms, then 4, 1 and 1.
func phases(tb testing.TB) core.Model {
	tb.Helper()
	m, w := farm(tb)
	m.Locks = []core.Lock{{ID: "barrier", Kind: core.Barrier, Parties: 2}}
	m.Parameters[0].Targets = append(m.Parameters[0].Targets, core.Target{Path: "locks/barrier/parties"})
	main, worker := &m.Graphs[0], &m.Graphs[1]
	main.Entry = "job"
	main.Fragments[0].Next = to("join")
	main.Fragments[1].Next = []core.Edge{{To: "job", Probability: 6.0 / 7, Count: 6}, {To: "spawn", Probability: 1.0 / 7, Count: 1, Last: true}}
	main.Fragments = append(main.Fragments[:2:2], main.Fragments[3])
	worker.Entry = "rounds"
	worker.Fragments[0].In.Timeout = constant(0)
	worker.Fragments[2].Next = to("meet")
	worker.Fragments[3].Demand = constant(16e-3 / 7)
	worker.Fragments = append(worker.Fragments,
		core.Fragment{ID: "rounds", Class: core.LoopFragment, Loop: &core.Loop{Body: "take", Count: constant(2)}, Next: to("end")},
		core.Fragment{ID: "meet", Class: core.SyncFragment, Sync: &core.Sync{Lock: "barrier", Op: core.Await}, Next: to("rounds")},
		core.Fragment{ID: "end", Class: core.DispatchFragment})
	const spawn, job, join = 0, 1, 2
	const take, got, nothing, work, finish, rounds, meet, end = 0, 1, 2, 3, 4, 5, 6, 7
	cost := []int64{1, 2, 3, 4, 4, 1, 1}
	round := func(part int64) int32 { return map[bool]int32{true: 0, false: 1}[part <= 4] }
	begin := core.Walk{Pool: "main", Graph: 0, Parent: -1, Ended: true}
	for part := range int64(len(cost)) {
		begin.Moves = append(begin.Moves, core.Move{Fragment: job, Object: round(part + 1), Amount: 1, Token: part + 1})
	}
	begin.Moves = append(begin.Moves, core.Move{Fragment: spawn, Object: -1, Amount: 2}, core.Move{Fragment: join, Object: -1})
	does := func(parts ...[]int64) core.Walk {
		x := core.Walk{Pool: "worker", Graph: 1, Parent: 0, Ended: true}
		for k, of := range parts {
			x.Moves = append(x.Moves, core.Move{Fragment: rounds, Object: -1})
			for _, p := range of {
				x.Moves = append(x.Moves, core.Move{Fragment: take, Object: int32(k), Token: p}, core.Move{Fragment: got, Object: -1},
					core.Move{Fragment: work, Object: -1, Amount: cost[p-1] * 1_000_000}, core.Move{Fragment: finish, Object: -1})
			}
			x.Moves = append(x.Moves, core.Move{Fragment: take, Object: int32(k)}, core.Move{Fragment: nothing, Object: -1}, core.Move{Fragment: meet, Object: 2})
		}
		x.Moves = append(x.Moves, core.Move{Fragment: rounds, Object: -1}, core.Move{Fragment: end, Object: -1})
		return x
	}
	w.Graphs[0].Fragments = []string{"spawn", "job", "join"}
	w.Graphs[1].Fragments = append(w.Graphs[1].Fragments, "rounds", "meet", "end")
	w.Objects = []core.WalkObject{{Of: "jobs", Monitor: -1}, {Of: "jobs", Monitor: -1}, {Of: "barrier", Monitor: -1}}
	w.Threads = []core.Walk{begin, does([]int64{1, 3}, []int64{6, 7}), does([]int64{2, 4}, []int64{5})}
	packed, err := w.Pack()
	if err != nil {
		tb.Fatal(err)
	}
	m.Walks = packed
	return m
}

// What a counter shares out in a round is taken in that round, by whoever is free, and the next begins when all are there: the
// first takes 10 ms with one thread, 6 ms (1+3 beside 2+4) with two, 5 ms (1+4) with three and 4 ms with four, the second 6 ms
// and 4 ms (4 beside 1+1) with more. A thread that comes to a round too late for any part finds none.
func TestPartsAreTakenInTheirRound(t *testing.T) {
	t.Parallel()
	m := phases(t)
	for workers, want := range map[float64]float64{1: 16e-3, 2: 10e-3, 3: 9e-3, 4: 8e-3, 9: 8e-3} {
		r, err := Run(t.Context(), m, map[string]float64{"workers": workers, "cpu/cores": workers}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Director != AsRecorded {
			t.Fatalf("with %v workers the answer is by %q: %v", workers, r.Director, r.Warnings)
		}
		if got, _ := r.Find("T program mean"); math.Abs(got.Estimate.Mean-want) > 1e-8 {
			t.Errorf("with %v workers it takes %v s, want %v", workers, got.Estimate.Mean, want)
		}
	}
}

// Two workers take rows until there are none, then columns, each of which takes 1 ms: 2 + 2 ms. Whoever is free takes the next of either: 4 + 4 ms with one, 1 + 1
// with four; three take three of the eight each, the last two of them.
func TestPartsOfSeveralKindsAreTakenByTurns(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "sweeps", CPU: core.CPU{Cores: 4}, Sinks: []core.Sink{{ID: "done"}},
		Queues: []core.Queue{{ID: "rows", Capacity: core.Unbounded}, {ID: "columns", Capacity: core.Unbounded}},
	}}
	const rows, columns, spawn, join = 0, 1, 2, 3
	part := func(fragment, kind int32) core.Move {
		return core.Move{Fragment: fragment, Object: kind, Amount: 4, Token: 1 + 4*int64(kind)}
	}
	put := func(id, queue, then string) core.Fragment {
		return core.Fragment{ID: id, Class: core.OutFragment, Out: &core.Out{To: queue, New: true, Count: constant(4)}, Next: to(then)}
	}
	s.pool("main", []core.Fragment{put("put rows", "rows", "put columns"), put("put columns", "columns", "spawn"), spawnFragment("spawn", "worker", to("join")...), joinFragment("join", "worker")},
		part(rows, 0), part(columns, 1), core.Move{Fragment: spawn, Object: -1, Amount: 2}, visit(join))
	var fragments []core.Fragment
	for k, queue := range []string{"rows", "columns"} {
		fragments = append(fragments,
			core.Fragment{ID: "take " + queue, Class: core.InFragment, In: &core.In{Queue: queue, Timeout: constant(0)}, Next: []core.Edge{{To: "got " + queue, Probability: 1}, {To: "no " + queue, Probability: 1}}},
			core.Fragment{ID: "got " + queue, Class: core.FetchFragment, Next: to("work " + queue)},
			core.Fragment{ID: "no " + queue, Class: core.NoFetchFragment, Next: [][]core.Edge{to("take columns"), nil}[k]},
			cpuFragment("work "+queue, 1, to("finish "+queue)...),
			core.Fragment{ID: "finish " + queue, Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("take " + queue)})
	}
	does := func(first int64) (moves []core.Move) {
		const take, got, nothing, work, finish, kind = 0, 1, 2, 3, 4, 5
		for k := range int32(2) {
			at := k * kind
			for token := range int64(2) {
				moves = append(moves, use(at+take, k, first+token+4*int64(k)), visit(at+got), compute(at+work, ms), visit(at+finish))
			}
			moves = append(moves, use(at+take, k, 0), visit(at+nothing))
		}
		return moves
	}
	s.team("worker", fragments, does(1), does(3))
	s.walks.Objects = []core.WalkObject{{Of: "rows", Monitor: -1}, {Of: "columns", Monitor: -1}}
	s.takesOf(t, "pools/worker/size", map[float64]float64{1: 8, 2: 4, 3: 3, 4: 2})
}

// Threads that take from the same objects in another order, or come back to one, do not take in rounds.
func TestRoundsAreTheSameForAll(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		rounds rounds
		common bool
	}{
		{rounds{0: {1, 2, 3}, 1: {1, 2, 3}}, true},
		{rounds{0: {1, 2}, 1: {1, 2}, 2: {4, 5}}, true},
		{rounds{0: {1, 2}, 1: {2, 1}}, false},
		{rounds{0: {1, 2}, 1: {1}}, false},
		{rounds{0: {1, 2, 1}}, false},
		{rounds{0: {1, 2}, 1: {3, 2}}, false},
	} {
		if got := x.rounds.common(); got != x.common {
			t.Errorf("%v: %v, want %v", x.rounds, got, x.common)
		}
	}
}
