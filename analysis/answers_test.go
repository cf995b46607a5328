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

// answering is a server whose workers ask a database over a connection of their own, answer, and put things in order after that.
func answering(n int64) *script {
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
		dispatcher.does(trace.OpAccept, "accept", 9, 1, 9_000_000).compute(20_000).does(trace.OpSend, "put", 50, 1, 1000)
		for _, a := range workers {
			a.now = max(a.now, dispatcher.now-20_000)
		}
		w := workers[i%2]
		w.does(trace.OpReceive, "take", 50, 1, 30_000).does(trace.OpNetRead, "read", 10+i, 9, 1000).compute(100_000)
		w.does(trace.OpNetWrite, "ask", 40+i%2, 5, 1000).does(trace.OpNetRead, "told", 40+i%2, 5, 2000).compute(300_000)
		w.does(trace.OpNetWrite, "head", 10+i, 7, 1000).compute(200_000).does(trace.OpNetWrite, "body", 10+i, 7, 1000).compute(500_000)
	}
	for _, a := range append(workers, dispatcher, main) {
		a.does(trace.OpExternal, "rest", 0, 0, 1000)
		a.ends()
	}
	s.trace.WorkStart, s.trace.WorkEnd = 1, s.trace.End
	return s
}

// A request is answered by the last write to its client, and what the worker computes after that nobody waits for. What it writes to others
// answers nobody.
func TestARequestEndsWithTheLastWriteToItsClient(t *testing.T) {
	t.Parallel()
	m, _ := answering(30).build(t, trail.Options{})
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
	if answers != 1 || math.Abs(computes[0]-600e-6) > 1e-9 || math.Abs(computes[1]-500e-6) > 1e-9 {
		t.Errorf("%d fragments answer, before them %.0f µs are computed and %.0f after; want one, 600 and 500: %+v", answers, 1e6*computes[0], 1e6*computes[1], g.Fragments)
	}
}
