package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Main has a hundred tasks. Before the first, the second and the third it starts
// a worker; there are no more than three:
//
//	for range 100 { if n < size { n++; go worker() }; work <- task }
//
// The pool has three threads from the start, not one for every 33rd task, and
// its size is what an analyst may turn. No work is divided by it.
func TestAPoolThatGrowsWithTheWorkHasItsSizeFromTheStart(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(1, 4)
	main := s.thread("main", nil, 0)
	var ws []*actor
	for i := range 100 {
		main.compute(10_000)
		if i < 3 {
			ws = append(ws, s.thread("worker", main, main.now))
		}
		main.does(trace.OpSend, "send", 1, 1, 0)
		w := ws[i%len(ws)]
		w.now = max(w.now, main.now)
		w.does(trace.OpReceive, "receive", 1, 1, 0).compute(1_000_000)
	}
	for _, w := range ws {
		w.hit(trace.OpReceive, "receive", false, 1, 0, 0) // and waits
		main.now = max(main.now, w.now)
	}
	main.ends()
	m, _ := s.build(t, trail.Options{})
	spawns := 0
	for _, f := range m.Graphs[0].Fragments {
		if f.Spawn == nil {
			continue
		}
		spawns++
		if !f.Spawn.Count.IsZero() {
			t.Errorf("the fragment %s starts %v threads, want the whole pool", f.ID, f.Spawn.Count)
		}
		if entry := m.Graphs[0].Fragment(m.Graphs[0].Entry); entry.Next[0].To != f.ID {
			t.Errorf("main begins with %s, want %s", entry.Next[0].To, f.ID)
		}
	}
	if spawns != 1 {
		t.Errorf("%d fragments start workers, want one", spawns)
	}
	i := slices.IndexFunc(m.Parameters, func(p core.Parameter) bool { return p.Name == "worker-threads" })
	if i < 0 {
		t.Fatalf("the size of the pool is no parameter: %v", m.Parameters)
	}
	if p := m.Parameters[i]; p.Default != 3 || len(p.Targets) != 1 || p.Targets[0].Path != "pools/worker/size" {
		t.Errorf("the size of the pool is %v and drives %v, want 3 and nothing but the pool", p.Default, p.Targets)
	}
}
