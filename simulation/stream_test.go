package simulation

import (
	"fmt"
	"math"
	"testing"

	"tierscope/core"
)

// Two clients ask a server each, over and over, and every one of the four threads computes for 5 µs in a round, on two cores that take
// 40 µs to wake up. Who is written to runs where the writer does, once no other core is free: each pair has a core of its own, which is
// never idle, and a round takes 10 µs. Through channels a thread goes back to where it ran, and both cores fall asleep in turn.
// (Measured on Linux 6.18: 72,000 rounds of two pairs by sockets take 0.6 s, those of one pair 3 s.)
func TestWhoIsWrittenToRunsWhereTheWriterDoes(t *testing.T) {
	t.Parallel()
	const rounds, work = 2000, 5e-6
	for _, stream := range []bool{true, false} {
		m := core.Model{Name: "pairs", CPU: core.CPU{Cores: 2, WakeIdleCore: constant(40e-6)}}
		for pair := range 2 {
			asked, answered := fmt.Sprint("asked ", pair), fmt.Sprint("answered ", pair)
			for _, id := range []string{asked, answered} {
				m.Locks = append(m.Locks, core.Lock{ID: id, Kind: core.Channel, Capacity: core.Unbounded, Stream: stream})
			}
			for name, body := range map[string][]core.Fragment{
				"client": {cpuFragment("work", 1e3*work), syncOp("tell", asked, core.Send), syncOp("hear", answered, core.Receive)},
				"server": {syncOp("hear", asked, core.Receive), cpuFragment("work", 1e3*work), syncOp("tell", answered, core.Send)},
			} {
				g := core.Graph{ID: fmt.Sprint(name, pair), Entry: "rounds", Fragments: []core.Fragment{
					{ID: "rounds", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(rounds), Body: body[0].ID}}}}
				for i := range body {
					next := "rounds"
					if i+1 < len(body) {
						next = body[i+1].ID
					}
					body[i].Next = to(next)
				}
				g.Fragments = append(g.Fragments, body...)
				m.Graphs = append(m.Graphs, g)
				m.Pools = append(m.Pools, core.Pool{ID: g.ID, Graph: g.ID, Size: 1, Main: true})
			}
		}
		r, err := Run(t.Context(), m, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		took, _ := r.Find("T program mean")
		switch round := took.Estimate.Mean / rounds; {
		case stream && math.Abs(round/(2*work)-1) > .1:
			t.Errorf("a round by a stream takes %.3g µs, want %.3g", 1e6*round, 2e6*work)
		case !stream && round < 4*work:
			t.Errorf("a round by a channel takes %.3g µs, want much more than %.3g", 1e6*round, 2e6*work)
		}
	}
}
