package native

import (
	"slices"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// testdata/programs/c/blocks.c, stripped, with 2 workers and a stock of 5 buffers: the model has a pool of two, a queue, and
// a semaphore of 5 permits that the third argument sets; the promises of the blocks are tokens, of which none is lost.
func TestAPipelineWithAStockAndPromisesIsModelled(t *testing.T) {
	t.Parallel()
	exe := compiled(t, "cc", "blocks.c", "-O2", "-s", "-pthread", "-lm")
	args := []string{"150", "2", "5"}
	_, tr, err := recordedRun(t, exe, args)
	if err != nil {
		t.Fatal(err)
	}
	tr.Cores = 2
	m, _, err := analysis.Build(trail.Input{Workload: workload(exe, args...), Trace: tr}, trail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(m.Pools, func(p core.Pool) bool { return p.Size == 2 }) {
		t.Errorf("no pool has 2 threads: %+v", m.Pools)
	}
	if !slices.ContainsFunc(m.Locks, func(l core.Lock) bool { return l.Kind == core.Semaphore && l.Permits == 5 }) {
		t.Errorf("no semaphore of 5 permits: %+v", m.Locks)
	}
	if len(m.Queues) == 0 {
		t.Error("no queue of tasks")
	}
	tokens := began(tr, trace.OpSend)
	if tokens != 150 || began(tr, trace.OpReceive) != 150 {
		t.Errorf("%d promises were kept and %d needed, want 150", tokens, began(tr, trace.OpReceive))
	}
}
