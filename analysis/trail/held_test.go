package trail

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// A thread takes permits that others give back, and between them enters a lock and leaves it: it holds the lock meanwhile, and never
// the permits, of which it would hold ever more.
func TestWhatAThreadNeverGivesBackItDoesNotHold(t *testing.T) {
	t.Parallel()
	permits, lock := &Resource{ID: "permits", Kind: core.Semaphore}, &Resource{ID: "lock", Kind: core.Mutex}
	step := func(op trace.Op, on *Resource, object uint64) Step {
		return Step{Node: &Node{Op: op, Class: core.SyncFragment}, Lock: on, Object: object, Result: 1}
	}
	q := &Sequence{}
	for range 3 {
		q.Steps = append(q.Steps, step(trace.OpAcquire, permits, 1), step(trace.OpLock, lock, 2), step(trace.OpUnlock, lock, 2))
	}
	q.Steps = append(q.Steps, step(trace.OpLock, lock, 2), step(trace.OpAcquire, permits, 1), step(trace.OpRelease, permits, 1), step(trace.OpUnlock, lock, 2))
	var held [][]string
	q.Held(func(_ int, locks []*Resource) {
		var ids []string
		for _, l := range locks {
			ids = append(ids, l.ID)
		}
		held = append(held, ids)
	})
	want := [][]string{nil, nil, {"lock"}, nil, nil, {"lock"}, nil, nil, {"lock"}, nil, {"lock"}, {"lock", "permits"}, {"lock"}}
	if !slices.EqualFunc(held, want, slices.Equal) {
		t.Errorf("held before each step: %q, want %q", held, want)
	}
}
