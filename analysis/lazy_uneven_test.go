package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Four clients share a pool of three workers: each of the first three starts one as it brings its first task. The workers are there
// from the start in the model, and how many there are can be turned, whoever was first.
func TestAPoolThatSeveralThreadsStartIsThereFromTheStart(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(1, 64)
	main := s.thread("main", nil, 0)
	var clients, workers []*actor
	for range 4 {
		clients = append(clients, s.thread("client", main, 0))
	}
	for i, c := range clients {
		if i < 3 {
			workers = append(workers, s.thread("worker", c, c.now))
		}
		for k := range 6 {
			c.compute(10_000).does(trace.OpSend, "send", 1, 1, 10)
			w := workers[(i+k)%len(workers)]
			w.now = max(w.now, c.now)
			w.does(trace.OpReceive, "receive", 1, 1, 10).compute(1_000_000)
		}
		c.ends()
	}
	for _, w := range workers {
		w.hit(trace.OpReceive, "receive", false, 1, 0, 0) // and waits
		main.now = max(main.now, w.now)
	}
	main.ends()
	m, _ := s.build(t, trail.Options{})
	i := slices.IndexFunc(m.Pools, func(p core.Pool) bool { return p.ID == "worker" })
	if i < 0 || m.Pools[i].Size != 3 || m.Pools[i].Kind != core.FixedPool {
		t.Fatalf("pools %+v, want a fixed one of three workers", m.Pools)
	}
	if !slices.ContainsFunc(m.Parameters, func(p core.Parameter) bool { return len(p.Targets) > 0 && p.Targets[0].Path == "pools/worker/size" }) {
		t.Errorf("no parameter is how many workers there are: %v", m.ParameterNames())
	}
}
