package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// polling is a program whose workers ask their queue with a time limit of 2 ms until main
// has sent all, each piece 3 ms after the one before: sometimes they are told that there is nothing.
func polling() *script {
	s := newScript()
	s.channel(1, core.Unbounded)
	main := s.thread("main", nil, 0)
	workers := []*actor{s.thread("worker", main, 0), s.thread("worker", main, 0)}
	for range 8 {
		main.compute(3_000_000).does(trace.OpSend, "send", 1, 1, 10)
	}
	for _, w := range workers {
		for range 4 {
			w.does(trace.OpReceive, "receive", 1, 0, 2_000_000).does(trace.OpReceive, "receive", 1, 0, 2_000_000).does(trace.OpReceive, "receive", 1, 1, 1_000_000).compute(1_000_000)
		}
		w.does(trace.OpReceive, "receive", 1, 0, 2_000_000)
		w.ends()
	}
	main.does(trace.OpJoin, "join", 0, 0, 2_000_000)
	main.ends()
	return s
}

// To the model a worker waits once for each piece, until the queue is closed behind the last
// of them, and then sleeps for what was left of its time limit: the last piece is sent at 24 ms, and
// the last receive of each worker lasts from 24 to 26 ms.
func TestReceivesInVainAreOneWait(t *testing.T) {
	t.Parallel()
	in := polling().trace
	before := len(in.Threads[1].Records)
	out := normalise.WaitOnce(in)
	if len(in.Threads[1].Records) != before {
		t.Error("the trace that was given has changed")
	}
	var ops []string
	for _, r := range out.Threads[1].Records {
		if !r.End {
			ops = append(ops, r.Op.String())
		}
	}
	if want := []string{"receive", "receive", "receive", "receive", "receive", "sleep"}; !slices.Equal(ops, want) {
		t.Errorf("a worker does %q, want %q", ops, want)
	}
	if r := out.Threads[1].Records[1]; r.Arg != 1 || r.Time != 5_000_000 {
		t.Errorf("the first receive ends with %+v, want a piece at 5 ms", r)
	}
	rs := out.Threads[1].Records
	if slept := rs[len(rs)-1].Time - rs[len(rs)-2].Time; slept < 1_999_000 || slept > 2_000_000 {
		t.Errorf("it sleeps for %d ns, want 2 ms", slept)
	}
	rs = out.Threads[0].Records
	if !slices.ContainsFunc(rs, func(r trace.Record) bool { return r.Op == trace.OpClose && r.Time > 24_000_000 && r.Time < 24_001_000 }) {
		t.Error("main does not close the queue when it has sent all")
	}
	m, _ := polling().build(t, trail.Options{Threshold: -1})
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Class == core.NoFetchFragment {
				return
			}
		}
	}
	t.Error("no thread of the model finds the queue closed")
}

// A queue that the program closes, as Go's channels are, keeps its receives, and so does one
// whose threads go on after a receive in vain.
func TestReceivesFromAClosedQueueAreLeftAlone(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(1, core.Unbounded)
	main := s.thread("main", nil, 0)
	main.does(trace.OpSend, "send", 1, 1, 10).does(trace.OpClose, "close", 1, 0, 10)
	w := s.thread("worker", main, 0)
	w.does(trace.OpReceive, "receive", 1, 1, 10).does(trace.OpReceive, "receive", 1, 0, 10).does(trace.OpReceive, "receive", 1, 0, 10)
	w.ends()
	main.ends()
	if got := len(normalise.WaitOnce(s.trace).Threads[1].Records); got != 6 {
		t.Errorf("%d records of the worker, want all 6", got)
	}
}
