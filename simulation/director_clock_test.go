package simulation

import (
	"testing"

	"tierscope/core"
)

// crew is two threads that compute, look for 2 ms whether they should end, and compute again: the first for 0 and 6 ms,
// the second for 4 and 3 ms. The first ends both when it is ready, after 8 ms; or the main thread does, by the clock.
func crew(byClock bool) *scripted {
	s := &scripted{model: core.Model{
		Name: "crew", CPU: core.CPU{Cores: 2},
		Locks: []core.Lock{{ID: "stop", Kind: core.Channel}},
	}}
	const spawn, rest, stop, join = 0, 1, 2, 3
	const before, look, after, over, tell = 0, 1, 2, 3, 4
	see := syncFragment("look", "stop", core.Receive, to("over")...)
	see.Sync.Timeout, see.Sync.OnTimeout = constant(2e-3), "after"
	graph := []core.Fragment{cpuFragment("before", 2, to("look")...), see, cpuFragment("after", 4.5), cpuFragment("over", 0)}
	main := []core.Fragment{{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "crew", Count: constant(2)}, Next: to("rest")},
		{ID: "rest", Class: core.DelayFragment, Delay: constant(8e-3), Next: to("stop")}, syncFragment("stop", "stop", core.Close, to("join")...), joinFragment("join", "crew")}
	moves := []core.Move{compute(spawn, 2), compute(rest, 8*ms), use(stop, 0, 0), visit(join)}
	first := []core.Move{visit(before), use(look, 0, 0), compute(after, 6*ms)}
	if !byClock {
		main[1].Next, moves = to("join"), []core.Move{compute(spawn, 2), compute(rest, 8*ms), visit(join)}
		graph[2].Next = []core.Edge{{To: "tell", Probability: 0.5}, {To: "over", Probability: 0.5}}
		graph, first = append(graph, syncFragment("tell", "stop", core.Close)), append(first, use(tell, 0, 0))
	}
	s.pool("main", main, moves...)
	s.team("crew", graph, first, []core.Move{compute(before, 4*ms), use(look, 0, 0), compute(after, 3*ms), visit(over)})
	if byClock {
		s.walks.Threads[2].Moves = s.walks.Threads[2].Moves[:3]
	}
	s.walks.Objects = []core.WalkObject{{Of: "stop", Monitor: -1}}
	return s
}

// Who ends the others when enough is done comes behind what was done before: a second thread that is late works on, 8 + 2 + 3 ms.
func TestWhatIsEndedWhenEnoughIsDoneIsDoneBefore(t *testing.T) {
	t.Parallel()
	crew(false).takesOf(t, "graphs/crew/fragments/before/scale", map[float64]float64{1: 9, 1.6: 11.4, 2: 13})
}

// By the clock it would find that it should end, and walks do not say what a thread does then.
func TestTheClockEndsWhoIsLate(t *testing.T) {
	t.Parallel()
	s := crew(true)
	s.takesOf(t, "graphs/crew/fragments/before/scale", map[float64]float64{1: 9})
	r, err := Run(t.Context(), s.model, map[string]float64{"graphs/crew/fragments/before/scale": 1.6}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Director != AsProbabilities {
		t.Errorf("the answer is by %q", r.Director)
	}
}
