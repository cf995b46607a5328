package simulation

import (
	"regexp"
	"strings"
	"testing"

	"tierscope/core"
)

// philosophers is a model of n threads of which each takes lock i and then lock i+1, at once, and
// of a pool that has nothing to do with them and goes round for ever.
func philosophers(n int) core.Model {
	m := core.Model{Name: "philosophers", CPU: core.CPU{Cores: 1}}
	fork := func(i int) string { return "fork" + decimal(i%n) }
	for i := range n {
		m.Locks = append(m.Locks, core.Lock{ID: fork(i), Kind: core.Mutex})
		id := "p" + decimal(i)
		m.Graphs = append(m.Graphs, core.Graph{ID: id, Entry: "left", Fragments: []core.Fragment{
			syncOp("left", fork(i), core.Enter, "reach"), sleep("reach", .01, "right"), syncOp("right", fork(i+1), core.Enter, "eat"),
			sleep("eat", .01, "putRight"), syncOp("putRight", fork(i+1), core.Exit, "putLeft"), syncOp("putLeft", fork(i), core.Exit, "left"),
		}})
		m.Pools = append(m.Pools, core.Pool{ID: id, Graph: id, Size: 1})
	}
	m.Graphs = append(m.Graphs, core.Graph{ID: "ticker", Entry: "tick", Fragments: []core.Fragment{sleep("tick", .001, "work"), cpu("work", .0001, "tick")}})
	m.Pools = append(m.Pools, core.Pool{ID: "ticker", Graph: "ticker", Size: 1})
	return m
}

// All take their left fork and wait for the right one for ever (Dijkstra's dining philosophers), while
// another thread goes on: the run says who waits for whom.
func TestACycleOfThreadsBesideOthersThatRunIsADeadlock(t *testing.T) {
	t.Parallel()
	r := run(t, philosophers(3), nil, Options{Replications: 2, Duration: 1, Warmup: -1})
	want := `deadlock: thread n of pool "p0" waits at "right" for lock "fork1" ← thread n of pool "p1" waits at "right" for lock "fork2" ← thread n of pool "p2" waits at "right" for lock "fork0"`
	if got := regexp.MustCompile(`thread \d`).ReplaceAllString(r.Halted, "thread n"); got != want {
		t.Errorf("halted %q, want %q", got, want)
	}
}

// With a timeout somebody gives up in the end: no deadlock.
func TestACycleThatATimeoutEndsIsNoDeadlock(t *testing.T) {
	t.Parallel()
	m := philosophers(3)
	m.Graphs[0].Fragments[2].Sync.Timeout = constant(10)
	m.Graphs[0].Fragments[2].Sync.OnTimeout = "putLeft"
	r := run(t, m, nil, Options{Replications: 2, Duration: 1, Warmup: -1})
	if r.Halted != "" {
		t.Errorf("halted %q, want none", r.Halted)
	}
}

// A program whose main thread waits behind two threads in a cycle never ends, although a ticker goes on.
func TestAProgramWhoseMainThreadWaitsForACycleEnds(t *testing.T) {
	t.Parallel()
	m := philosophers(2)
	m.Graphs = append(m.Graphs, core.Graph{ID: "main", Entry: "later", Fragments: []core.Fragment{sleep("later", 1, "enter"), syncOp("enter", "fork0", core.Enter, "exit"), syncOp("exit", "fork0", core.Exit)}})
	m.Pools = append(m.Pools, core.Pool{ID: "main", Graph: "main", Size: 1, Main: true})
	r := run(t, m, nil, Options{Replications: 2})
	if !strings.Contains(r.Halted, "threads that wait for them: 1") || len(r.Warnings) == 0 {
		t.Errorf("halted %q", r.Halted)
	}
}
