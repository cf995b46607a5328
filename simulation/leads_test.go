package simulation

import (
	"slices"
	"testing"

	"tierscope/core"
)

// meetings is three threads that meet in four rounds, of which in each another one swaps before it meets, and the last one also
// reports in the second: 0 work, 1 swap, 2 meet, 3 report.
func meetings() (*core.Model, *core.Walks) {
	m := &core.Model{Locks: []core.Lock{{ID: "barrier", Kind: core.Barrier, Parties: 3}, {ID: "mutex", Kind: core.Mutex}}}
	w := &core.Walks{Graphs: []core.WalkGraph{{ID: "worker", Fragments: []string{"work", "swap", "meet", "report"}}},
		Objects: []core.WalkObject{{Of: "barrier", Monitor: -1}, {Of: "mutex", Monitor: -1}}}
	for i := range 3 {
		t := core.Walk{Pool: "worker", Parent: -1, Ended: true}
		for k := range 4 {
			t.Moves = append(t.Moves, core.Move{Fragment: 0, Object: -1, Amount: int64(10*k + i + 1)})
			if k%3 == i {
				t.Moves = append(t.Moves, core.Move{Fragment: 1, Object: 1})
			}
			if k == 1 && i == 1 {
				t.Moves = append(t.Moves, core.Move{Fragment: 3, Object: -1})
			}
			t.Moves = append(t.Moves, core.Move{Fragment: 2, Object: 0})
		}
		w.Threads = append(w.Threads, t)
	}
	return m, w
}

// does counts the moves of threads at a fragment, by thread.
func does(threads []core.Walk, fragment int32) (n []int) {
	for _, t := range threads {
		n = append(n, 0)
		for _, x := range t.Moves {
			if x.Fragment == fragment {
				n[len(n)-1]++
			}
		}
	}
	return n
}

// What one of three threads does in each round is done in each round by those that are there, and by nobody twice; all else is what
// it was, and so it is where threads do not meet.
func TestWhatOneThreadDoesForAllIsDoneOnce(t *testing.T) {
	t.Parallel()
	m, w := meetings()
	team := []int32{0, 1, 2}
	if got, want := roundedOf(m, w, team).leads(), []int{0, 1, 2, 0, -1}; !slices.Equal(got, want) {
		t.Fatalf("the leads are %v, want %v", got, want)
	}
	for n, want := range map[int][]int{1: {4}, 2: {3, 1}} {
		kept := keepLeads(m, w, "worker", 3, n).Threads
		if got := does(kept[:n], 1); !slices.Equal(got, want) {
			t.Errorf("%d threads swap %v times, want %v", n, got, want)
		}
		if got := does(kept, 2); !slices.Equal(got, []int{4, 4, 4}) {
			t.Errorf("with %d they meet %v times, want 4 each", n, got)
		}
		if got := does(kept[:n], 3); got[0]+got[len(got)-1] == 0 {
			t.Errorf("with %d nobody reports", n)
		}
	}
	if keepLeads(m, w, "worker", 3, 4) != w {
		t.Error("the walks of more threads are others")
	}
	for at, moves := range withoutLeads(m, w, team) {
		if does([]core.Walk{{Moves: moves}}, 1)[0]+does([]core.Walk{{Moves: moves}}, 3)[0] != 0 || does([]core.Walk{{Moves: moves}}, 2)[0] != 4 {
			t.Errorf("a thread that follows walk %d does %v", at, moves)
		}
	}
	w.Threads[2].Moves = w.Threads[2].Moves[:len(w.Threads[2].Moves)-1]
	if roundedOf(m, w, team) != nil {
		t.Error("threads of which one meets less often do so in rounds")
	}
}

// Two workers share out four tasks of 10 ms, one of them tells a writer what all have done, and they meet. However many there are, one tells.
func TestWhoeverComesToShareOutTasksTellsNothingTwice(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "shares out", CPU: core.CPU{Cores: 8},
		Queues: []core.Queue{{ID: "list", Capacity: core.Unbounded}},
		Locks:  []core.Lock{{ID: "told", Kind: core.Channel}, {ID: "barrier", Kind: core.Barrier, Parties: 2}},
		Parameters: []core.Parameter{{Name: "workers", Default: 2, Min: 1, Max: 8, Integer: true, Targets: []core.Target{
			{Path: "pools/worker/size"}, {Path: "locks/barrier/parties"}}}},
	}}
	const put, shut, start, write, join, wait = 0, 1, 2, 3, 4, 5
	s.pool("main", []core.Fragment{
		{ID: "put", Class: core.OutFragment, Out: &core.Out{To: "list", New: true}, Next: []core.Edge{{To: "put", Probability: .75, Count: 3}, {To: "shut", Probability: .25, Count: 1}}},
		syncFragment("shut", "list", core.Close, to("start")...), spawnFragment("start", "worker", to("write")...), spawnFragment("write", "writer", to("join")...),
		joinFragment("join", "worker", to("wait")...), joinFragment("wait", "writer"),
	}, use(put, 0, 1), use(put, 0, 2), use(put, 0, 3), use(put, 0, 4), use(shut, 0, 0), compute(start, 2), compute(write, 1), visit(join), visit(wait))
	const take, got, none, work, tell, meet = 0, 1, 2, 3, 4, 5
	s.team("worker", []core.Fragment{
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "list"}, Next: []core.Edge{{To: "got", Probability: 1}, {To: "none", Probability: 1}}},
		{ID: "got", Class: core.FetchFragment, Next: to("work")},
		{ID: "none", Class: core.NoFetchFragment, Next: []core.Edge{{To: "tell", Probability: .5, Count: 1}, {To: "meet", Probability: .5, Count: 1}}},
		cpuFragment("work", 10, to("take")...), syncFragment("tell", "told", core.Send, to("meet")...), syncFragment("meet", "barrier", core.Await),
	},
		[]core.Move{use(take, 0, 1), visit(got), compute(work, 10*ms), use(take, 0, 3), visit(got), compute(work, 10*ms), use(take, 0, 0), visit(none), use(tell, 1, 5), use(meet, 2, 0)},
		[]core.Move{use(take, 0, 2), visit(got), compute(work, 10*ms), use(take, 0, 4), visit(got), compute(work, 10*ms), use(take, 0, 0), visit(none), use(meet, 2, 0)})
	s.pool("writer", []core.Fragment{syncFragment("receive", "told", core.Receive)}, use(0, 1, 5))
	s.walks.Objects = []core.WalkObject{{Of: "list", Monitor: -1}, {Of: "told", Monitor: -1}, {Of: "barrier", Monitor: -1}}
	s.takesOf(t, "workers", map[float64]float64{1: 40, 2: 20, 3: 20, 4: 10, 8: 10})
}
