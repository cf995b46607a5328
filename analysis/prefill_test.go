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

// Two workers share three tokens that startup put into a channel. One of them is in the middle of a task when the work phase
// begins, and has one: it gives it back before it takes the next task. There are three in the model too.
func TestWhatAWorkerHoldsWhenWorkBeginsIsGivenBack(t *testing.T) {
	t.Parallel()
	const jobs, tokens = 1, 2
	s := newScript()
	s.channel(jobs, 16)
	s.channel(tokens, 4)
	s.trace.WorkStart, s.trace.WorkEnd = 1_000_000, 9_000_000
	main := s.thread("main", nil, 0)
	workers := []*actor{s.thread("worker", main, 10), s.thread("worker", main, 20)}
	for range 3 {
		main.does(trace.OpSend, "fill", tokens, 1, 0)
	}
	main.now = 950_000
	for i := 0; main.now < s.trace.WorkEnd; i++ {
		main.does(trace.OpAccept, "accept", 7, 0, 90_000).compute(10_000).does(trace.OpSend, "send", jobs, 1, 0)
		if i == 0 {
			main.now -= 101_000
		}
		w := workers[i%2]
		w.now = max(w.now, main.now)
		w.does(trace.OpReceive, "receive", jobs, 1, 0).does(trace.OpReceive, "take", tokens, 1, 2_000).compute(160_000).does(trace.OpSend, "give back", tokens, 1, 0)
	}
	for _, a := range append(workers, main) {
		a.ends()
	}
	m, _ := s.build(t, trail.Options{})
	puts := 0.0
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Class == core.LoopFragment && g.ID == "startup" {
				puts += f.Loop.Count.Expectation()
			}
		}
	}
	if puts != 3 {
		t.Errorf("%g tokens are there when the model begins, want 3", puts)
	}
}
