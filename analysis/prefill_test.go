package analysis

import (
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// A server bounds its requests by a channel of two, of which one is full when the work phase begins: the request that put that
// there is under way, and takes it out after. It is left out of the model, so what it holds is not in the channel. Where the
// program put it there to be used, by a thread that does not take it back, it is.
func TestWhatARequestHoldsWhenWorkBeginsIsNotLeftThere(t *testing.T) {
	t.Parallel()
	for by, want := range map[string]int{"a request": 0, "startup": 1} {
		s := newScript()
		s.channel(1, 2)
		s.trace.WorkStart, s.trace.WorkEnd = 1_000_000, 9_000_000
		main := s.thread("main", nil, 0)
		if by == "startup" {
			main.does(trace.OpSend, "fill", 1, 1, 0)
		}
		main.now = 900_000
		for i := range uint64(6) {
			main.does(trace.OpAccept, "accept", 7, 0, 10)
			a := s.thread("serve", main, main.now)
			for a.now < s.trace.WorkEnd {
				a.does(trace.OpNetRead, "read", 100+i, 0, 10_000).does(trace.OpSend, "enter", 1, 1, 0).compute(150_000)
				a.does(trace.OpReceive, "leave", 1, 1, 0).does(trace.OpNetWrite, "write", 100+i, 0, 0)
				a.now += 1_000_000
			}
			a.ends()
			main.now = 1_100_000 + int64(i)*200_000
		}
		main.now = s.trace.WorkEnd + 1000
		main.ends()
		m, _ := s.build(t, trail.Options{})
		fills := 0
		for _, f := range fragments(m, core.SyncFragment) {
			if f.Sync.Op == core.Send && f.Origin.Function == "" {
				fills++
			}
		}
		if fills != want {
			t.Errorf("what %s put there: %d times put there at the start of the model, want %d", by, fills, want)
		}
	}
}
