package analysis

import (
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// answersUntilClosed is a program whose clients send so many questions each over a channel of their own, or all over one,
// and close it, and whose servers answer until they find it closed. A question carries nothing.
func answersUntilClosed(questions ...int) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	var clients, servers []*actor
	for i := range questions {
		s.trace.Objects = append(s.trace.Objects, trace.Object{ID: uint64(i + 1), Kind: "chan", Capacity: 8, Site: s.site("main.main", "make")})
	}
	for range questions {
		clients, servers = append(clients, s.thread("client", main, 0)), append(servers, s.thread("server", main, 0))
	}
	for i, n := range questions {
		c, at := clients[i], servers[i]
		for range n {
			c.does(trace.OpSleep, "think", 0, 0, 1_000_000).does(trace.OpSend, "send", uint64(i+1), 1, 0)
			at.does(trace.OpReceive, "receive", uint64(i+1), 1, c.now-at.now).compute(100_000)
		}
		c.does(trace.OpClose, "close", uint64(i+1), 0, 0).ends()
		at.does(trace.OpReceive, "receive", uint64(i+1), 0, max(c.now-at.now, 10)).ends()
		main.now = max(main.now, at.now)
	}
	main.compute(1000).ends()
	return s
}

// Who receives until its channel is closed goes round as often as there is something, whatever the recorded run had.
func TestALoopUntilAChannelIsClosedCountsNothing(t *testing.T) {
	t.Parallel()
	for _, questions := range [][]int{{20}, {20, 30, 10}} {
		m, _ := answersUntilClosed(questions...).build(t, trail.Options{Threshold: -1})
		ends := 0
		for _, g := range m.Graphs {
			for _, f := range g.Fragments {
				if g.ID == "server" && f.Class == core.LoopFragment {
					t.Errorf("%v questions: the servers count %+v", questions, f.Loop)
				}
				if f.Sync == nil || f.Sync.Op != core.Select {
					continue
				}
				ends++
				if cs := f.Sync.Cases; len(cs) != 1 || cs[0].Closed == "" || cs[0].Closed == cs[0].To {
					t.Errorf("%v questions: %q takes one of %+v", questions, f.ID, cs)
				}
			}
		}
		if ends != 1 {
			t.Errorf("%v questions: nobody finds a channel closed: %+v", questions, m.Graphs)
		}
	}
}
