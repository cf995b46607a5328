package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Who asks makes a channel, which the worker that has the answer closes. Two that are answered at
// the same time, and hear of it when both are, wait for an answer each: every question is
// followed by one wait.
func TestEachWaitsForTheEndOfItsOwnChannel(t *testing.T) {
	t.Parallel()
	const rounds, jobs = 6, 1
	s := newScript()
	s.channel(jobs, 4)
	main := s.thread("main", nil, 0)
	var users, workers []*actor
	for i := range 2 {
		users = append(users, s.thread("user", main, int64(i)))
		workers = append(workers, s.thread("worker", main, int64(10+i)))
	}
	for round := range rounds {
		id := func(i int) uint64 { return uint64(2 + 2*round + i) }
		for i, u := range users {
			u.compute(1000).makes("make", id(i), 0).does(trace.OpSend, "send", jobs, 0, 0)
		}
		for i, w := range workers {
			w.does(trace.OpReceive, "take", jobs, 1, users[i].now-w.now+10).compute(10_000).closes(id(i))
		}
		for i, u := range users {
			u.receives(id(i), workers[1].now+int64(100*(i+1))-u.now)
		}
	}
	main.does(trace.OpClose, "close", jobs, 0, users[1].now-main.now)
	for i, w := range workers {
		users[i].ends()
		w.does(trace.OpReceive, "take", jobs, 0, main.now-w.now+100).ends()
	}
	main.compute(1000).ends()
	m, _ := s.build(t, trail.Options{Threshold: -1})
	asks, waits := fragments(m, core.OutFragment), 0
	for _, f := range fragments(m, core.SyncFragment) {
		if f.Sync.Op != core.Receive {
			continue
		}
		if waits++; slices.ContainsFunc(f.Next, func(e core.Edge) bool { return e.To == f.ID }) {
			t.Errorf("%q waits for several answers: %+v", f.ID, f.Next)
		}
	}
	for _, f := range asks {
		if f.Out.To != "done" && len(f.Next) != 1 {
			t.Errorf("after %q comes one of %+v, want the wait for the answer", f.ID, f.Next)
		}
	}
	if len(asks) == 0 || waits != 1 {
		t.Errorf("%d sends and %d waits, want one wait", len(asks), waits)
	}
}
