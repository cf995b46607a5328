package simulation

import (
	"math"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// Of a lock that there are several of, each has a condition variable of its own: who waits leaves the one that it holds, and is told by
// whoever holds the same.
func TestAConditionBelongsToTheCopyOfItsLock(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lock core.Lock
		of   core.Scope // of the condition
		want float64    // s
	}{
		"one lock":             {core.Lock{}, core.PerProgram, .005},
		"stripes, one used":    {core.Lock{Instances: 2, Weights: []float64{1, 0}}, core.PerProgram, .005},
		"stripes, of the task": {core.Lock{Instances: 2, Weights: []float64{0, 1}}, core.PerTask, .005},
		"a lock for each":      {core.Lock{Scope: core.PerThread}, core.PerThread, .010},
	} {
		c.lock.ID, c.lock.Kind = "L", core.Mutex
		m := threads(4, 4, syncOp("enter", "L", core.Enter, "wait"),
			core.Fragment{ID: "wait", Class: core.SyncFragment, Sync: &core.Sync{Lock: "C", Op: core.Wait, Monitor: "L", Timeout: constant(.010), OnTimeout: "exit"}, Next: to("exit")},
			syncOp("exit", "L", core.Exit))
		m.Locks = []core.Lock{c.lock, {ID: "C", Kind: core.Condition, Scope: c.of}}
		m.Pools = append(m.Pools, core.Pool{ID: "other", Graph: "h", Size: 1})
		m.Graphs = append(m.Graphs, core.Graph{ID: "h", Entry: "nap", Fragments: []core.Fragment{sleep("nap", .005, "enter"),
			syncOp("enter", "L", core.Enter, "tell"), syncOp("tell", "C", core.NotifyAll, "exit"), syncOp("exit", "L", core.Exit)}})
		p := mustCompile(t, m)
		r := p.replica(1, 0, 0, nil)
		r.advance(t.Context(), des.Never)
		if o := r.observe(); len(o.Warnings) > 0 || !o.Ended || math.Abs(o.Makespan-c.want) > 5e-9 {
			t.Errorf("%s: T = %v s (ended %t, warnings %q), want %v s", name, o.Makespan, o.Ended, o.Warnings, c.want)
		}
	}
}
