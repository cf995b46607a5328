package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// A main thread computes for a while, tells another one and waits for its answer, which takes 1 µs, over and over. Both are woken up each
// round: 10 µs, and 80 on a core that has halted, which the other one's has if main computes for longer than 100 µs. Main itself waits for
// 11 or 81 µs.
func TestACoreThatHasHaltedTakesLongerToWakeUp(t *testing.T) {
	t.Parallel()
	const us, rounds = 1e-3 /* ms */, 2000
	for _, c := range []struct {
		adapts bool
		works  []float64 // µs, by turns
		round  float64   // µs on average, in the long run
	}{
		{false, []float64{50}, 50 + 10 + 1 + 10},
		{false, []float64{300}, 300 + 80 + 1 + 10},
		{false, []float64{50, 300}, (350 + 10 + 80 + 2*11) / 2},
		{true, []float64{50}, 50 + 10 + 1 + 10},
		{true, []float64{300}, 300 + 80 + 1 + 10},
		{true, []float64{50, 300}, (350 + 80 + 80 + 2*11) / 2},                 // for how long it looks is halved by each long pause
		{true, []float64{50, 50, 50, 50, 300}, (500 + 3*10 + 2*80 + 5*11) / 5}, // and doubled by the first short one
	} {
		s := answering(c.works, rounds)
		s.model.CPU.WakeIdleCore = constant(10e-6)
		s.model.CPU.Halt = &core.Halt{After: 100e-6, Wake: constant(70e-6), Adapts: c.adapts}
		if took := s.takes(t, nil) / rounds / us; math.Abs(took/c.round-1) > 0.02 {
			t.Errorf("%v µs, learnt: %v: a round takes %.1f µs, want %.1f", c.works, c.adapts, took, c.round)
		}
	}
}

// answering is a program of so many rounds in which the main thread computes for so many µs, by turns, and then waits for an answer.
func answering(works []float64, rounds int) *scripted {
	s := &scripted{model: core.Model{
		Name: "answering", CPU: core.CPU{Cores: 2, Policy: core.RoundRobin},
		Locks: []core.Lock{{ID: "asked", Kind: core.Channel, Capacity: 1}, {ID: "answered", Kind: core.Channel, Capacity: 1}},
	}}
	mean := 0.0
	for _, d := range works {
		mean += d * 1e-3 / float64(len(works))
	}
	n := int64(rounds)
	again := func(to string) []core.Edge {
		return []core.Edge{{To: to, Probability: float64(n-1) / float64(n), Count: n - 1}, {To: "end", Probability: 1 / float64(n), Count: 1, Last: true}}
	}
	const spawn, work, ask, get, mainEnd = 0, 1, 2, 3, 4
	const take, answer, give, end = 0, 1, 2, 3
	main, other := []core.Move{begin(spawn)}, []core.Move{}
	for k := range rounds {
		asked, answered := int64(2*k+1), int64(2*k+2)
		main = append(main, compute(work, int64(1e3*works[k%len(works)])), use(ask, 0, asked), use(get, 1, answered))
		other = append(other, use(take, 0, asked), compute(answer, 1e3), use(give, 1, answered))
	}
	s.pool("main", []core.Fragment{
		spawnFragment("spawn", "other", to("work")...), cpuFragment("work", mean, to("ask")...), syncFragment("ask", "asked", core.Send, to("get")...),
		syncFragment("get", "answered", core.Receive, again("work")...), cpuFragment("end", 0),
	}, append(main, visit(mainEnd))...)
	s.pool("other", []core.Fragment{
		syncFragment("take", "asked", core.Receive, to("answer")...), cpuFragment("answer", 1e-3, to("give")...),
		syncFragment("give", "answered", core.Send, again("take")...), cpuFragment("end", 0),
	}, append(other, visit(end))...)
	s.walks.Objects = []core.WalkObject{{Of: "asked", Monitor: -1}, {Of: "answered", Monitor: -1}}
	return s
}
