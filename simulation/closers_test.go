package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// Each of three threads works for 10 ms under a lock, sends what came of it and closes the channel: three of the program are
// one in the model. The last one closes it, after 30 ms; if the first did, the second would send to a closed one after 20 ms.
// With five threads it is after 50 ms. Main receives once more than there are threads, which the close ends.
func TestWhatEachThreadOfAPoolClosesIsClosedByTheLast(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 3, 5} {
		receives := core.Fragment{ID: "results", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(float64(size + 1)), Body: "receive"}}
		m := core.Model{
			Name: "sources", CPU: core.CPU{Cores: 2},
			Locks: []core.Lock{{ID: "turn", Kind: core.Mutex}, {ID: "out", Kind: core.Channel, Capacity: 2}},
			Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}, {ID: "sources", Graph: "sources", Kind: core.SpawnPool, Size: size}},
			Graphs: []core.Graph{
				{ID: "main", Entry: "start", Fragments: []core.Fragment{
					spawnFragment("start", "sources", to("results")...), receives, syncFragment("receive", "out", core.Receive, to("results")...),
				}},
				{ID: "sources", Entry: "take", Fragments: []core.Fragment{
					syncFragment("take", "turn", core.Enter, to("work")...), cpuFragment("work", 10, to("send")...), syncFragment("send", "out", core.Send, to("give")...),
					syncFragment("give", "turn", core.Exit, to("close")...), syncFragment("close", "out", core.Close),
				}},
			},
		}
		took, _ := run(t, m, nil, Options{}).Find("T program mean")
		if want := 10e-3 * float64(size); math.Abs(took.Estimate.Mean-want) > 1e-9 {
			t.Errorf("%d threads: the program takes %v s, want %v", size, took.Estimate.Mean, want)
		}
	}
}

// Where only one of several threads closes a channel, that one does.
func TestWhatOneOfSeveralThreadsClosesIsClosedAtOnce(t *testing.T) {
	t.Parallel()
	m := core.Model{
		Name: "first", CPU: core.CPU{Cores: 2},
		Locks: []core.Lock{{ID: "told", Kind: core.Once}, {ID: "out", Kind: core.Channel}},
		Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}, {ID: "finders", Graph: "finders", Kind: core.SpawnPool, Size: 2}},
		Graphs: []core.Graph{
			{ID: "main", Entry: "start", Fragments: []core.Fragment{spawnFragment("start", "finders", to("wait")...), syncFragment("wait", "out", core.Receive)}},
			{ID: "finders", Entry: "work", Fragments: []core.Fragment{
				cpuFragment("work", 10, to("first")...),
				{ID: "first", Class: core.SyncFragment, Sync: &core.Sync{Lock: "told", Op: core.Do, OnTimeout: "over"}, Next: to("close")},
				syncFragment("close", "out", core.Close, to("done")...), syncFragment("done", "told", core.Done, to("over")...),
				cpuFragment("over", 5),
			}},
		},
	}
	took, _ := run(t, m, nil, Options{}).Find("T program mean")
	if math.Abs(took.Estimate.Mean-10e-3) > 1e-9 {
		t.Errorf("the program takes %v s, want 10 ms, when the first has closed the channel", took.Estimate.Mean)
	}
}

// Who starts threads and works with them may be alone: it meets at a barrier for one more than there are in the pool, of none or
// more, and waits for the end of all of them. Each has 10 ms to do and a core.
func TestNobodyNeedBeStarted(t *testing.T) {
	t.Parallel()
	for _, size := range []int{2, 1, 0} {
		m := core.Model{
			Name: "crew", CPU: core.CPU{Cores: 4},
			Locks: []core.Lock{{ID: "meet", Kind: core.Barrier, Parties: 3}},
			Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}, {ID: "crew", Graph: "crew", Kind: core.SpawnPool, Size: 2}},
			Graphs: []core.Graph{
				{ID: "main", Entry: "start", Fragments: []core.Fragment{
					spawnFragment("start", "crew", to("work")...), cpuFragment("work", 10, to("meet")...), syncFragment("meet", "meet", core.Await, to("join")...),
					{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "crew"}},
				}},
				{ID: "crew", Entry: "work", Fragments: []core.Fragment{cpuFragment("work", 10, to("meet")...), syncFragment("meet", "meet", core.Await)}},
			},
		}
		less, err := m.With(map[string]float64{"pools/crew/size": float64(size), "locks/meet/parties": float64(size + 1)})
		if err != nil {
			t.Fatal(err)
		}
		took, _ := run(t, less, nil, Options{}).Find("T program mean")
		if want := 10e-3; math.Abs(took.Estimate.Mean-want) > 1e-9 {
			t.Errorf("%d in the pool: the program takes %v s, want %v", size, took.Estimate.Mean, want)
		}
	}
}
