package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// answering is a server whose workers ask a database over a connection of their own, answer, and put things in order after that; what
// is the client's own is locked meanwhile, or not.
func answering(n int64, locked bool) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	dispatcher := s.thread("dispatcher", main, 0)
	workers := []*actor{s.thread("worker", main, 0), s.thread("worker", main, 0)}
	s.channel(50, 100)
	for id := uint64(9); id < 60; id++ {
		if id != 50 {
			s.trace.Objects = append(s.trace.Objects, trace.Object{ID: id, Kind: "conn", Capacity: -1, Site: -1})
		}
	}
	for k, w := range workers {
		w.does(trace.OpConnect, "dial", 40+uint64(k), 0, 1000)
	}
	for i := range uint64(n) {
		dispatcher.does(trace.OpAccept, "accept", 9, 1, 700_000).compute(20_000)
		if locked { // the client's, as long as there is one
			dispatcher.does(trace.OpLock, "enter", 1000+i, 0, 100).does(trace.OpUnlock, "leave", 1000+i, 0, 100)
		}
		dispatcher.does(trace.OpSend, "put", 50, 1, 1000)
		for _, a := range workers {
			a.now = max(a.now, dispatcher.now-20_000)
		}
		w := workers[i%2]
		w.does(trace.OpReceive, "take", 50, 1, 30_000)
		if locked {
			w.does(trace.OpLock, "lock", 1000+i, 0, 100)
		}
		w.does(trace.OpNetRead, "read", 10+i, 9, 1000).compute(100_000)
		w.does(trace.OpNetWrite, "ask", 40+i%2, 5, 1000).does(trace.OpNetRead, "told", 40+i%2, 5, 2000).compute(300_000)
		w.does(trace.OpNetWrite, "head", 10+i, 7, 1000).compute(200_000).does(trace.OpNetWrite, "body", 10+i, 7, 1000).compute(400_000)
		if locked {
			w.does(trace.OpUnlock, "unlock", 1000+i, 0, 100)
		}
		w.compute(100_000)
	}
	for _, a := range append(workers, dispatcher, main) {
		a.does(trace.OpExternal, "rest", 0, 0, 1000)
		a.ends()
	}
	s.trace.WorkStart, s.trace.WorkEnd = 1, s.trace.End
	return s
}

// A request is answered by the last write to its client, and what the worker computes after that nobody waits for. What it writes to others
// answers nobody. Before the client's own lock is free its request is not done.
func TestARequestEndsWithTheLastWriteToItsClient(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		locked bool
		want   [2]float64 // s
	}{{false, [2]float64{600e-6, 500e-6}}, {true, [2]float64{1000e-6, 100e-6}}} {
		m, _ := answering(30, c.locked).build(t, trail.Options{})
		sinks := map[string]bool{}
		for _, k := range m.Sinks {
			sinks[k.ID] = true
		}
		g := m.Graphs[slices.IndexFunc(m.Graphs, func(g core.Graph) bool { return strings.Contains(g.ID, "worker") })]
		answers, computes := 0, [2]float64{} // until then, and after that
		for _, f := range g.Fragments {
			switch {
			case f.Class == core.OutFragment && sinks[f.Out.To]:
				answers++
			case f.Class == core.CPUFragment:
				computes[min(answers, 1)] += f.Demand.Value
			}
		}
		if answers != 1 || math.Abs(computes[0]-c.want[0]) > 1e-9 || math.Abs(computes[1]-c.want[1]) > 1e-9 {
			t.Errorf("%d fragments answer, before them %.0f µs are computed and %.0f after; want one, and %v s: %+v", answers, 1e6*computes[0], 1e6*computes[1], c.want, g.Fragments)
		}
	}
}

// An answer is given piece by piece, each of which the worker waits for, and once more in vain. The request is done once, after that.
func TestARequestIsDoneAfterTheLoopThatAnswersIt(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	dispatcher, worker := s.thread("dispatcher", main, 0), s.thread("worker", main, 0)
	s.channel(50, 100)
	for i := range uint64(30) {
		dispatcher.does(trace.OpAccept, "accept", 9, 1, 20_000_000).compute(20_000).does(trace.OpSend, "put", 50, 1, 1000)
		worker.now = max(worker.now, dispatcher.now-20_000)
		worker.does(trace.OpReceive, "take", 50, 1, 30_000).does(trace.OpNetRead, "read", 100+i, 9, 1000).compute(100_000)
		for range 2 + i%3 {
			worker.does(trace.OpExternal, "part", 0, 0, 2_000_000).compute(50_000).does(trace.OpNetWrite, "piece", 100+i, 7, 1000)
		}
		worker.does(trace.OpExternal, "part", 0, 0, 2_000_000).compute(200_000)
	}
	for _, a := range []*actor{worker, dispatcher, main} {
		a.ends()
	}
	s.trace.WorkStart, s.trace.WorkEnd = 1, s.trace.End
	m, _ := s.build(t, trail.Options{})
	g := &m.Graphs[slices.IndexFunc(m.Graphs, func(g core.Graph) bool { return strings.Contains(g.ID, "worker") })]
	done := slices.IndexFunc(g.Fragments, func(f core.Fragment) bool { return strings.HasPrefix(f.ID, "done ") })
	if done < 0 || !slices.ContainsFunc(g.Fragments, func(f core.Fragment) bool { return f.Class == core.DelayFragment }) {
		t.Fatalf("no request is done, or no piece waited for: %+v", g.Fragments)
	}
	for f, n := &g.Fragments[done], 0; f.Class != core.FetchFragment && len(f.Next) > 0 && n < len(g.Fragments); n++ {
		if f.Class == core.DelayFragment {
			t.Errorf("after a request is done another piece of it is waited for: %+v", g.Fragments)
		}
		f = g.Fragment(f.Next[0].To)
	}
}
