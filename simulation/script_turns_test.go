package simulation

import (
	"testing"

	"tierscope/core"
)

// ahead is two clients that compute 1 ms, let a committer write two things each, and look for their promises only then; a last task tells the
// committer to end. It writes all four in 1 ms, and keeps the promises one after the other; for each it also tells a latch that nobody waits for.
func ahead() *scripted {
	s := &scripted{model: core.Model{
		Name: "ahead", CPU: core.CPU{Cores: 4},
		Queues: []core.Queue{{ID: "log", Capacity: core.Unbounded}},
		Locks:  []core.Lock{{ID: "promise", Kind: core.Latch, Permits: 1, Scope: core.PerTask}, {ID: "besides", Kind: core.Latch, Permits: 1, Scope: core.PerTask}},
	}}
	const spawnA, spawnB, spawnC, joinA, joinB, last, joinC = 0, 1, 2, 3, 4, 5, 6
	send := func(id string, next ...core.Edge) core.Fragment {
		return core.Fragment{ID: id, Class: core.OutFragment, Out: &core.Out{To: "log", New: true}, Next: next}
	}
	s.pool("main", []core.Fragment{
		spawnFragment("a", "a", to("b")...), spawnFragment("b", "b", to("c")...), spawnFragment("c", "committer", to("join a")...),
		joinFragment("join a", "a", to("join b")...), joinFragment("join b", "b", to("last")...), send("last", to("join c")...), joinFragment("join c", "committer"),
	}, begin(spawnA), begin(spawnB), begin(spawnC), visit(joinA), visit(joinB), use(last, 0, 5), visit(joinC))
	const work, put, wait = 0, 1, 2
	for i, id := range []string{"a", "b"} {
		n := int64(2 * i)
		s.pool(id, []core.Fragment{
			cpuFragment("work", 1, to("put")...),
			send("put", core.Edge{To: "put", Probability: .5, Count: 1}, core.Edge{To: "wait", Probability: .5, Count: 1}),
			syncFragment("wait", "promise", core.Await, core.Edge{To: "wait", Probability: .5, Count: 1}, core.Edge{To: "end", Probability: .5, Count: 1}), cpuFragment("end", 5*float64(1-i)),
		}, compute(work, ms), use(put, 0, 1+n), use(put, 0, 2+n), use(wait, int32(1+n), 0), use(wait, int32(2+n), 0), compute(3, 5*int64(1-i)*ms))
	}
	const take, got, more, also, enough, write, keep, tell, stop = 0, 1, 2, 3, 4, 5, 6, 7, 8
	s.pool("committer", []core.Fragment{
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "log"}, Next: to("got")},
		{ID: "got", Class: core.FetchFragment, Next: []core.Edge{{To: "more", Probability: .5, Count: 1}, {To: "stop", Probability: .5, Count: 1}}},
		{ID: "more", Class: core.InFragment, In: &core.In{Queue: "log", Timeout: constant(0)}, Next: []core.Edge{{To: "also", Probability: 1}, {To: "enough", Probability: 1}}},
		{ID: "also", Class: core.FetchFragment, Next: to("more")}, {ID: "enough", Class: core.NoFetchFragment, Next: to("write")},
		{ID: "write", Class: core.DelayFragment, Delay: constant(1e-3), Next: to("keep")},
		syncFragment("keep", "promise", core.CountDown, to("tell")...),
		syncFragment("tell", "besides", core.CountDown, core.Edge{To: "keep", Probability: .75, Count: 3}, core.Edge{To: "take", Probability: .25, Count: 1}),
		cpuFragment("stop", 0),
	}, use(take, 0, 1), visit(got), use(more, 0, 2), visit(also), use(more, 0, 3), visit(also), use(more, 0, 4), visit(also), use(more, 0, 0), visit(enough), compute(write, ms),
		use(keep, 1, 0), use(tell, 5, 0), use(keep, 2, 0), use(tell, 6, 0), use(keep, 3, 0), use(tell, 7, 0), use(keep, 4, 0), use(tell, 8, 0),
		use(take, 0, 5), visit(got), visit(stop))
	s.walks.Objects = []core.WalkObject{{Of: "log", Monitor: -1}}
	for k := range 8 {
		s.walks.Objects = append(s.walks.Objects, core.WalkObject{Of: []string{"promise", "besides"}[k/4], Monitor: -1})
	}
	return s
}

// The first client computes another 5 ms when its promises are kept. If it needs 3 ms before it has something to write, the committer writes what
// the other one has, and then its own: 9 ms.
func TestPromisesAreKeptInTheOrderOfTheTasks(t *testing.T) {
	t.Parallel()
	s := ahead()
	s.takesOf(t, "graphs/a/fragments/work/scale", map[float64]float64{3: 9})
	c, err := newCompiler(&s.model, &s.model)
	if err != nil {
		t.Fatal(err)
	}
	rounds := []round{{task: 1, moves: []move{{object: 0}}}, {task: 2, moves: []move{{object: 0}}}}
	for i := range c.fragments {
		if c.countsDown(int32(i)) {
			rounds[0].moves[0].at, rounds[1].moves[0].at = int32(i), int32(i)
		}
	}
	if got := c.answersInTurn(rounds); len(got.objects) != 0 {
		t.Errorf("one latch is counted down for two tasks: %v, want no answers", got.objects)
	}
}
