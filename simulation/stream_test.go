package simulation

import (
	"fmt"
	"math"
	"strings"
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

// Two threads wait for an answer, a before b, each by a connection of its own, which are one channel of the model. The first answer, after
// 1 ms, is b's; a gets its own after 10 ms and computes for 5 more.
func TestEachConnectionHasItsOwnAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stream bool
		takes  float64 // ms
	}{{true, 15}, {false, 10}} {
		s := &scripted{model: core.Model{Name: "connections", CPU: core.CPU{Cores: 4},
			Locks: []core.Lock{{ID: "answers", Kind: core.Channel, Capacity: core.Unbounded, Stream: c.stream}}}}
		s.walks.Objects = []core.WalkObject{{Of: "answers"}, {Of: "answers"}}
		s.pool("main", []core.Fragment{
			spawnFragment("start a", "a", to("start b")...), spawnFragment("start b", "b", to("early")...),
			cpuFragment("early", 1, to("tell b")...), syncFragment("tell b", "answers", core.Send, to("late")...),
			cpuFragment("late", 9, to("tell a")...), syncFragment("tell a", "answers", core.Send, to("join a")...),
			{ID: "join a", Class: core.JoinFragment, Join: &core.Join{Pool: "a"}, Next: to("join b")},
			{ID: "join b", Class: core.JoinFragment, Join: &core.Join{Pool: "b"}},
		}, begin(0), begin(1), compute(2, ms), use(3, 1, 2), compute(4, 9*ms), use(5, 0, 1), visit(6), visit(7))
		s.pool("a", []core.Fragment{syncFragment("hear", "answers", core.Receive, to("work")...), cpuFragment("work", 5)}, use(0, 0, 1), compute(1, 5*ms))
		s.pool("b", []core.Fragment{cpuFragment("before", .1, to("hear")...), syncFragment("hear", "answers", core.Receive)}, compute(0, ms/10), use(1, 1, 2))
		if took := s.takes(t, nil); math.Abs(took-c.takes) > .01 {
			t.Errorf("by a stream: %v; it takes %v ms, want %v", c.stream, took, c.takes)
		}
	}
}

// A channel of three places that is nearly always full has nearly three items; in one without a limit there are more.
// Neither is busy: a store of idle connections is full when nobody needs one.
func TestAChannelHasItemsAndNoUtilization(t *testing.T) {
	t.Parallel()
	for _, capacity := range []int{3, core.Unbounded} {
		m := core.Model{Name: "full", CPU: core.CPU{Cores: 2}, Locks: []core.Lock{{ID: "L", Kind: core.Channel, Capacity: capacity}}}
		for id, body := range map[string][]core.Fragment{
			"sender":   {cpuFragment("work", .1), syncOp("send", "L", core.Send, "rounds")},
			"receiver": {cpuFragment("work", 1), syncOp("receive", "L", core.Receive, "rounds")},
		} {
			body[0].Next = to(body[1].ID)
			m.Pools = append(m.Pools, core.Pool{ID: id, Graph: id, Size: 1, Main: true})
			m.Graphs = append(m.Graphs, core.Graph{ID: id, Entry: "rounds", Fragments: append([]core.Fragment{
				{ID: "rounds", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(500), Body: "work"}}}, body...)})
		}
		r, err := Run(t.Context(), m, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if u, ok := r.Find("U lock/L mean"); ok {
			t.Errorf("a channel of capacity %d is busy %v", capacity, u.Estimate.Mean)
		}
		n, ok := r.Find("N lock/L mean")
		if bounded := n.Estimate.Mean <= 3; !ok || !(n.Estimate.Mean > 2.7) || bounded != (capacity == 3) {
			t.Errorf("in a channel of capacity %d there are %v items", capacity, n.Estimate.Mean)
		}
		if of, u := r.Busiest(); strings.HasPrefix(of, "lock/") {
			t.Errorf("%s is the busiest resource, %v", of, u)
		}
	}
}
