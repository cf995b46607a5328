package simulation

import (
	"math"
	"slices"
	"testing"

	"tierscope/core"
)

// Fragments of the committer.
const take, got, more, also, write, answer, closed, enough = 0, 1, 2, 3, 4, 5, 6, 7

// commits is a store: two clients compute 1 ms, twice, and let a committer write what they have. It writes in 1 ms what has come by
// then: in the recording, on two cores, first that of both clients, then of each alone.
func commits(second string, first ...core.Move) *scripted {
	s := &scripted{model: core.Model{
		Name: "commits", CPU: core.CPU{Cores: 2, Policy: core.RoundRobin},
		Queues: []core.Queue{{ID: "log", Capacity: core.Unbounded}},
		Sinks:  []core.Sink{{ID: "written"}},
		Locks:  []core.Lock{{ID: "reply", Kind: core.Channel, Capacity: 1}},
	}}
	const spawnA, spawnB, spawnC, joinA, joinB, closing, joinC = 0, 1, 2, 3, 4, 5, 6
	s.pool("main", []core.Fragment{
		spawnFragment("a", "a", to("b")...), spawnFragment("b", "b", to("c")...), spawnFragment("c", "committer", to("join a")...),
		joinFragment("join a", "a", to("join b")...), joinFragment("join b", "b", to("close")...), syncFragment("close", "log", core.Close, to("join c")...), joinFragment("join c", "committer"),
	}, begin(spawnA), begin(spawnB), begin(spawnC), visit(joinA), visit(joinB), use(closing, 4, 0), visit(joinC))
	const work, put, get, end = 0, 1, 2, 3
	for i, id := range []string{"a", "b"} {
		token, reply := int64(i), int32(2*i)
		s.pool(id, []core.Fragment{
			cpuFragment("work", 1, to("put")...),
			{ID: "put", Class: core.OutFragment, Out: &core.Out{To: "log", New: true}, Next: to("get")},
			{ID: "get", Class: core.SyncFragment, Sync: &core.Sync{Lock: "reply", Op: core.Receive}, Next: []core.Edge{{To: "work", Probability: 0.5, Count: 1}, {To: "end", Probability: 0.5, Count: 1}}},
			cpuFragment("end", 0),
		}, compute(work, ms), core.Move{Fragment: put, Object: 4, Amount: 1, Token: 1 + token}, use(get, reply, 11+token),
			compute(work, ms), core.Move{Fragment: put, Object: 4, Amount: 1, Token: 3 + token}, use(get, reply+1, 13+token), visit(end))
	}
	s.pool("committer", []core.Fragment{
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "log"}, Next: []core.Edge{{To: "got", Probability: 1}, {To: "none", Probability: 1}}},
		{ID: "got", Class: core.FetchFragment, Next: to("more")},
		{ID: "more", Class: core.InFragment, In: &core.In{Queue: "log", Timeout: constant(0)}, Next: []core.Edge{{To: "also", Probability: 1}, {To: "enough", Probability: 1}}},
		{ID: "also", Class: core.FetchFragment, Next: to(second)},
		{ID: "write", Class: core.DelayFragment, Delay: constant(1e-3), Next: to("answer")},
		{ID: "answer", Class: core.SyncFragment, Sync: &core.Sync{Lock: "reply", Op: core.Send}, Next: []core.Edge{{To: "take", Probability: 0.75, Count: 3}, {To: "answer", Probability: 0.25, Count: 1}}},
		{ID: "none", Class: core.NoFetchFragment},
		{ID: "enough", Class: core.NoFetchFragment, Next: to("write")},
	}, slices.Concat(first, []core.Move{use(take, 4, 3), visit(got), use(more, 4, 0), visit(enough), compute(write, ms), use(answer, 1, 13),
		use(take, 4, 4), visit(got), use(more, 4, 0), visit(enough), compute(write, ms), use(answer, 3, 14),
		use(take, 4, 0), visit(closed)})...)
	for range 4 {
		s.walks.Objects = append(s.walks.Objects, core.WalkObject{Of: "reply", Monitor: -1})
	}
	s.walks.Objects = append(s.walks.Objects, core.WalkObject{Of: "log", Monitor: -1})
	return s
}

// gatheredBoth is how the committer takes the first two tasks as a group.
func gatheredBoth() []core.Move {
	return []core.Move{use(take, 4, 1), visit(got), use(more, 4, 2), visit(also), use(more, 4, 0), visit(enough), compute(write, ms), use(answer, 0, 11), use(answer, 2, 12)}
}

// On one core the second client comes a millisecond after the first. The committer writes what is there, and answers those who wait: the first
// client's (2 ms), the second one's (3), then the same again (4, 5), and so it is on two cores, where it sees the first client's before
// the second has sent. With two threads that do what the first client did it writes one task, the two others (3 ms), and the same again.
func TestWhoGathersTasksAnswersThoseOfTheGroup(t *testing.T) {
	t.Parallel()
	s := commits("more", gatheredBoth()...)
	s.takesOf(t, "cpu/cores", map[float64]float64{1: 5, 2: 5})
	if got := s.takes(t, map[string]float64{"cpu/cores": 3, "pools/a/size": 2}); math.Abs(got-5) > 1e-6 {
		t.Errorf("with three clients it takes %v ms, want 5", got)
	}
}

// The committer does not look for a third task. Of five clients it writes one task, two, two (4 ms), and by then there are two again each time: 4, 5, 6, and
// the last at 7. Without a limit it would take 5.
func TestAGroupHasALimit(t *testing.T) {
	t.Parallel()
	limited := slices.DeleteFunc(gatheredBoth(), func(m core.Move) bool { return m.Fragment == more && m.Token == 0 || m.Fragment == enough })
	s := commits("write", limited...)
	s.takesOf(t, "cpu/cores", map[float64]float64{1: 5, 2: 5})
	if got := s.takes(t, map[string]float64{"cpu/cores": 5, "pools/a/size": 4}); math.Abs(got-7) > 1e-6 {
		t.Errorf("with five clients it takes %v ms, want 7", got)
	}
}

// Of two tasks that are sent at the same time a recording may have the order wrong: then a group is answered for one that was taken as
// another's. One of twenty may be so; who answers fewer than were taken, or always others, gathers none.
func TestAGroupMayBeAnsweredForATaskOfAnother(t *testing.T) {
	t.Parallel()
	for mixed, want := range map[int64]bool{0: true, 1: true, 2: false, 20: false} {
		var x tally
		for i := range int64(20) {
			to := []int64{2*i + 2, 2*i + 1}
			if i < mixed {
				to[0] = 100 + i
			}
			if !x.add([]int64{2*i + 1, 2*i + 2}, to) {
				t.Fatal("as many were answered as taken, and that is not said")
			}
		}
		if x.whole() != want {
			t.Errorf("%d of 20 groups mixed: whole %v, want %v", mixed, x.whole(), want)
		}
	}
	var x tally
	if x.add([]int64{1, 2}, []int64{1}) {
		t.Error("one of two was answered, and that counts")
	}
	if x = (tally{}); !x.add([]int64{1}, []int64{1}) || x.whole() {
		t.Error("who takes and answers one by one gathers nothing")
	}
}
