package analysis

import (
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Transactions come and go, and a thread that meets a row of another one's waits for that to
// end, at a condition of its own. Nobody's task has it: the wait is as long as in the run.
func TestAWaitForAnotherThreadsObjectIsAsLongAsItWas(t *testing.T) {
	t.Parallel()
	s := newScript()
	made := s.site("main.main", "begin")
	main := s.thread("main", nil, 0)
	ws := []*actor{s.thread("worker", main, 10), s.thread("worker", main, 20), s.thread("worker", main, 30)}
	object := uint64(0)
	begin := func() uint64 {
		object += 2
		s.trace.Objects = append(s.trace.Objects, trace.Object{ID: object, Kind: "mutex", Site: made}, trace.Object{ID: object + 1, Kind: "cond", Site: made, Parent: object})
		return object
	}
	wait := func(w *actor, lock uint64, ns int64) {
		w.does(trace.OpLock, "meet", lock, 0, 10).does(trace.OpCondWait, "wait", lock+1, 0, ns).does(trace.OpUnlock, "met", lock, 0, 10)
	}
	end := func(w *actor, lock uint64) {
		w.compute(100_000).does(trace.OpLock, "end", lock, 0, 10).does(trace.OpBroadcast, "tell", lock+1, 0, 10).does(trace.OpUnlock, "ended", lock, 0, 10)
	}
	for n := range 8 { // the last waits for the second, which waits for the first
		at := int64(1_000 + n*1_000_000)
		w := []*actor{ws[n%3], ws[(n+1)%3], ws[(n+2)%3]}
		for _, w := range w {
			w.now = at
		}
		first, second := begin(), begin()
		wait(w[2], second, 800_000)
		wait(w[1], first, 400_000)
		w[0].compute(200_000)
		end(w[0], first)
		end(w[1], second)
	}
	for _, w := range ws {
		w.ends()
		main.now = max(main.now, w.now)
	}
	main.does(trace.OpJoin, "join", 0, 0, 10).ends()
	m, _ := s.build(t, trail.Options{})
	delays := 0
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Class == core.DelayFragment {
				delays++
			}
			if f.Sync != nil && (f.Sync.Op == core.Wait || f.Sync.Op == core.NotifyAll) {
				t.Errorf("%s is left in the model", f.ID)
			}
		}
	}
	if delays == 0 {
		t.Error("nobody waits in the model")
	}
}
