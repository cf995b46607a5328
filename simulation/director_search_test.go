package simulation

import (
	"testing"

	"tierscope/core"
)

// Two threads search, a round of 1 ms after each look whether it is over. In the recording, on two cores, both had done four rounds when the second one
// found what they look for and told main, which ended the search of the first one, in its fifth. On one core, which nobody leaves for 20 ms, the
// first thread does the rounds of both by turns, until it has done the fourth of the second one, but for the first, for which that still has to get
// the core.
func TestWhatSeveralLookForIsFoundAfterAsMuchWork(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "search", CPU: core.CPU{Cores: 2, Policy: core.RoundRobin, Quantum: constant(20e-3)},
		Locks: []core.Lock{{ID: "stop", Kind: core.Channel}, {ID: "found", Kind: core.Channel}},
	}}
	const spawn, hear, stop, join = 0, 1, 2, 3
	s.pool("main", []core.Fragment{
		spawnFragment("spawn", "searcher", to("hear")...), syncFragment("hear", "found", core.Receive, to("stop")...),
		syncFragment("stop", "stop", core.Close, to("join")...), joinFragment("join", "searcher"),
	}, core.Move{Fragment: spawn, Object: -1, Amount: 2}, use(hear, 1, 1), use(stop, 0, 0), visit(join))
	const look, round, tell = 0, 1, 2
	see := syncFragment("look", "stop", core.Receive)
	see.Sync.Timeout, see.Sync.OnTimeout = constant(0), "round"
	var rounds []core.Move
	for range 4 {
		rounds = append(rounds, use(look, 0, 0), compute(round, ms))
	}
	s.team("searcher", []core.Fragment{
		see, cpuFragment("round", 1, core.Edge{To: "look", Probability: 0.875, Count: 7}, core.Edge{To: "tell", Probability: 0.125, Count: 1}), syncFragment("tell", "found", core.Send),
	}, append(rounds[:8:8], use(look, 0, 0)), append(rounds[:8:8], use(tell, 1, 1)))
	s.walks.Objects = []core.WalkObject{{Of: "stop", Monitor: -1}, {Of: "found", Monitor: -1}}
	s.takesOf(t, "cpu/cores", map[float64]float64{2: 5, 1: 7})
}
