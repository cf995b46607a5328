package cmd_test

import (
	"math"
	"slices"
	"testing"

	"tierscope/core"
	"tierscope/simulation"
)

// comesBack rebuilds m and reports a worker that differs, and a lock called
// by kind that is missing.
func comesBack(t *testing.T, m core.Model, tasks int, kinds ...core.LockKind) *core.Model {
	t.Helper()
	got := rebuilt(t, m, 7)
	compare(t, &m, got, tasks)
	var back []core.LockKind
	for _, l := range got.Locks {
		back = append(back, l.Kind)
	}
	slices.Sort(back)
	if !slices.Equal(back, kinds) {
		t.Errorf("locks came back as %v, want %v", back, kinds)
	}
	return got
}

// A thread that does not get the lock does something else.
func TestTriesSurviveTheRoundTrip(t *testing.T) {
	t.Parallel()
	const tasks = 1200
	try := func(op core.SyncOp) core.Fragment {
		f := locked("try", "L", op, edge("inside"))
		f.Sync.Timeout, f.Sync.OnTimeout = constant(0), "instead"
		return f
	}
	for _, c := range []struct {
		name        string
		lock        core.Lock
		enter, exit core.SyncOp
	}{
		{"mutex", core.Lock{ID: "L", Kind: core.Mutex}, core.Enter, core.Exit},
		{"write lock", core.Lock{ID: "L", Kind: core.RWLock}, core.Enter, core.Exit},
		{"channel of tokens", core.Lock{ID: "L", Kind: core.Channel, Capacity: 1}, core.Send, core.Receive},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			body := []core.Fragment{cpu("before", 2e-3, edge("try")), try(c.enter), cpu("inside", 1e-3, edge("exit")),
				locked("exit", "L", c.exit, edge("after")), cpu("after", 1e-3, edge("done")), cpu("instead", 3e-3, edge("done"))}
			if c.lock.Kind == core.RWLock { // or it would be known as a mutex
				body[4].Next = []core.Edge{edge("read")}
				body = append(body, locked("read", "L", core.EnterRead, edge("reading")), cpu("reading", 1e-4, edge("read end")),
					locked("read end", "L", core.ExitRead, edge("done")))
			}
			comesBack(t, pooled(4, 2, tasks, []core.Lock{c.lock}, body), tasks, c.lock.Kind)
		})
	}
}

// before puts fragments of the main thread between two of its own.
func before(m *core.Model, from, to string, fragments ...core.Fragment) {
	g := &m.Graphs[0]
	for i := range g.Fragments {
		if f := &g.Fragments[i]; f.ID == from {
			f.Next = []core.Edge{edge(fragments[0].ID)}
		}
	}
	fragments[len(fragments)-1].Next = []core.Edge{edge(to)}
	g.Fragments = append(g.Fragments, fragments...)
}

// Main counts every task up, a worker counts it down, main waits for zero.
func TestALatchSurvivesTheRoundTrip(t *testing.T) {
	t.Parallel()
	const tasks = 600
	m := pooled(3, 2, tasks, []core.Lock{{ID: "L", Kind: core.Latch}}, []core.Fragment{
		cpu("work", 1e-3, edge("count down")), locked("count down", "L", core.CountDown, edge("after")), cpu("after", 1e-4, edge("done"))})
	add := locked("add", "L", core.Add)
	add.Sync.N = 1
	before(&m, "make", "send", add)
	before(&m, "close", "join", locked("await", "L", core.Await))
	got := comesBack(t, m, tasks, core.Latch)
	has := map[core.SyncOp]bool{}
	for _, f := range got.Graphs[0].Fragments {
		if f.Sync != nil {
			has[f.Sync.Op] = true
		}
	}
	if !has[core.Add] || !has[core.Await] {
		t.Errorf("main does %v, want add and await among it", has)
	}
}

// Workers wait for a word that main says every millisecond, to however many
// wait then.
func TestAConditionSurvivesTheRoundTrip(t *testing.T) {
	t.Parallel()
	const tasks, workers = 200, 3
	wait := locked("wait", "C", core.Wait, edge("leave"))
	wait.Sync.Monitor = "M"
	m := pooled(workers, 2, tasks, []core.Lock{{ID: "M", Kind: core.Mutex}, {ID: "C", Kind: core.Condition}}, []core.Fragment{
		cpu("work", 1e-3, edge("enter")),
		locked("enter", "M", core.Enter, edge("wait")), wait,
		locked("leave", "M", core.Exit, edge("after")), cpu("after", 1e-4, edge("done"))})
	m.Queues[0].Capacity = tasks
	before(&m, "close", "join",
		core.Fragment{ID: "rounds", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(4 * tasks), Body: "rest"}},
	)
	m.Graphs[0].Fragments = append(m.Graphs[0].Fragments,
		core.Fragment{ID: "rest", Class: core.DelayFragment, Delay: constant(1e-3), Next: []core.Edge{edge("main enters")}},
		locked("main enters", "M", core.Enter, edge("notify")), locked("notify", "C", core.NotifyAll, edge("main leaves")),
		locked("main leaves", "M", core.Exit, edge("rounds")))
	comesBack(t, m, tasks, core.Condition, core.Mutex)
}

// A worker takes a permit from whichever of two channels has one, and puts it
// back there.
func TestASelectSurvivesTheRoundTrip(t *testing.T) {
	t.Parallel()
	const tasks = 1200
	choose := core.Fragment{ID: "choose", Class: core.SyncFragment, Sync: &core.Sync{Op: core.Select, Cases: []core.SelectCase{
		{Lock: "A", Op: core.Send, To: "with a"}, {Lock: "B", Op: core.Send, To: "with b"}}}}
	m := pooled(4, 2, tasks, []core.Lock{{ID: "A", Kind: core.Channel, Capacity: 1}, {ID: "B", Kind: core.Channel, Capacity: 1}}, []core.Fragment{
		cpu("before", 1e-3, edge("choose")), choose,
		cpu("with a", 1e-3, edge("return a")), locked("return a", "A", core.Receive, edge("after")),
		cpu("with b", 2e-3, edge("return b")), locked("return b", "B", core.Receive, edge("after")),
		cpu("after", 5e-4, edge("done"))})
	comesBack(t, m, tasks, core.Channel, core.Channel)
}

// The first worker that needs it prepares what all need, the others wait for
// it. When the trace is turned into a model, the fragment between is executed
// once, by whoever comes first.
func TestAOnceSurvivesTheRoundTrip(t *testing.T) {
	t.Parallel()
	const tasks = 600
	fixed := func(id string, seconds float64, to core.Edge) core.Fragment {
		f := cpu(id, seconds, to)
		f.Demand = constant(seconds) // one execution of prepare is no sample of a law
		return f
	}
	first := locked("do", "L", core.Do, edge("prepare"))
	first.Sync.OnTimeout = "after"
	m := pooled(4, 2, tasks, []core.Lock{{ID: "L", Kind: core.Once}}, []core.Fragment{
		fixed("before", 1e-4, edge("do")), first, fixed("prepare", 0.2, edge("prepared")),
		locked("prepared", "L", core.Done, edge("after")), fixed("after", 1e-3, edge("done"))})
	got := comesBack(t, m, tasks, core.Once)
	for _, model := range []*core.Model{&m, got} {
		r, err := simulation.Run(t.Context(), *model, nil, simulation.Options{Replications: 3})
		if err != nil {
			t.Fatal(err)
		}
		// 0.2 s on one core, then 600 × 1.1 ms on two.
		if T, ok := r.Find("T program mean"); !ok || math.Abs(T.Estimate.Mean-0.53) > 0.01 {
			t.Errorf("makespan %+v of %q, want 0.53 ± 0.01 s", T.Estimate, model.Name)
		}
	}
}
