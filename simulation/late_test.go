package simulation

import (
	"context"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// A waiter of a barging lock that was woken, but whose timeout fires before it
// gets a core to compete on, takes the way of a timeout, and its next operation
// on a lock is a fresh one.
//
// On two cores with long slices a holds L until 10 ms and computes until 110 ms, as c does
// from 2 ms on; b asks for L at 1 ms, is woken at 10 ms, and gives up at 16 ms, still without
// a core.
func TestAWokenWaiterThatTimesOutBeforeItRunsHasFailed(t *testing.T) {
	t.Parallel()
	enter := func(timeout core.Distribution, next, late string) core.Fragment {
		return core.Fragment{Class: core.SyncFragment, Sync: &core.Sync{Lock: "L", Op: core.Enter, Timeout: timeout, OnTimeout: late}, Next: to(next)}
	}
	exit := core.Fragment{Class: core.SyncFragment, Sync: &core.Sync{Lock: "L", Op: core.Exit}}
	named := func(id string, f core.Fragment, next ...string) core.Fragment {
		f.ID = id
		if len(next) > 0 {
			f.Next = to(next[0])
		}
		return f
	}
	compute := func(seconds float64) core.Fragment {
		return core.Fragment{Class: core.CPUFragment, Demand: constant(seconds)}
	}
	m := core.Model{
		Name:  "late",
		CPU:   core.CPU{Cores: 2, Policy: core.RoundRobin, Quantum: constant(10)},
		Locks: []core.Lock{{ID: "L", Kind: core.Mutex, Fairness: core.Barging}},
		Pools: []core.Pool{{ID: "a", Graph: "a", Size: 1}, {ID: "b", Graph: "b", Size: 1}, {ID: "c", Graph: "c", Size: 1}},
		Graphs: []core.Graph{
			{ID: "a", Entry: "enter", Fragments: []core.Fragment{
				named("enter", enter(core.Distribution{}, "hold", "")), named("hold", compute(0.010), "exit"),
				named("exit", exit, "more"), named("more", compute(0.100)),
			}},
			{ID: "b", Entry: "sleep", Fragments: []core.Fragment{
				named("sleep", core.Fragment{Class: core.DelayFragment, Delay: constant(0.001)}, "enter"),
				named("enter", enter(constant(0.015), "got", "missed")),
				named("got", compute(0.001), "exit"), named("exit", exit),
				named("missed", compute(0.001), "again"),
				named("again", enter(constant(1), "got", "lost")), named("lost", compute(0.001)),
			}},
			{ID: "c", Entry: "sleep", Fragments: []core.Fragment{
				named("sleep", core.Fragment{Class: core.DelayFragment, Delay: constant(0.002)}, "compute"), named("compute", compute(0.108)),
			}},
		},
	}
	r := mustCompile(t, m).replica(1, 0, 0, nil)
	r.advance(context.Background(), des.Second)
	visits := map[string]int64{}
	for i := range r.fragments {
		if f := &r.fragments[i]; r.graphs[f.graph].id == "b" {
			visits[f.id] = r.steps[i].count
		}
	}
	if visits["missed"] != 1 || visits["got"] != 1 || visits["lost"] != 0 {
		t.Errorf("visits of b %v: want missed once (the timeout), then got once (a free lock), lost never; defect %q", visits, r.defect)
	}
}
