package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// passes is an operation by which a thread sends or takes a thing.
func (a *actor) passes(op trace.Op, site string, channel, thing uint64, wall int64) *actor {
	a.hit(op, site, false, channel, 0, 0)
	a.now += wall
	a.hit(op, site, true, channel, 1, thing)
	return a
}

// dispatched are two clients that ask a dispatcher, which takes both requests and then passes the second one on, and the first one when the worker has
// done that. Each waits for its answer on a channel of its own, or on the same one.
func dispatched(own bool) *script {
	s := newScript()
	const requests, work = 1, 2
	s.channel(requests, 8)
	s.channel(work, 1)
	reply := func(k uint64) uint64 {
		if own {
			return 20 + k
		}
		return 20
	}
	s.channel(20, 2)
	s.channel(21, 2)
	main := s.thread("main", nil, 0)
	dispatcher, worker := s.thread("dispatch", main, 10), s.thread("work", main, 20)
	for k := range uint64(2) {
		client := s.thread("client", main, 30)
		client.now = 100 + 10*int64(k)
		client.passes(trace.OpSend, "ask", requests, 0x10+k, 5).passes(trace.OpReceive, "hear", reply(k), 0x30+k, 4000-2000*int64(k)).ends()
	}
	dispatcher.now = 90
	dispatcher.passes(trace.OpReceive, "take", requests, 0x10, 20).compute(5).passes(trace.OpReceive, "take", requests, 0x11, 20).compute(5)
	dispatcher.passes(trace.OpSend, "give", work, 0x21, 5).passes(trace.OpSend, "give", work, 0x20, 1500).does(trace.OpClose, "close", work, 0, 5).ends()
	worker.passes(trace.OpReceive, "get", work, 0x21, 150).compute(1800).passes(trace.OpSend, "answer", reply(1), 0x31, 5)
	worker.passes(trace.OpReceive, "get", work, 0x20, 5).compute(1800).passes(trace.OpSend, "answer", reply(0), 0x30, 5).ends()
	main.ends()
	return s
}

// A dispatcher that takes two requests and passes the second one on first passes each on as it takes it, into a queue without bound. Which is which shows in
// who gets the answers; where these are anybody's nothing shows.
func TestWhoHoldsWhatItTakesPassesItOnAtOnce(t *testing.T) {
	t.Parallel()
	passed := func(own bool) (values []uint64, at []int64, work trace.Object) {
		tr := &trail.Trail{Trace: dispatched(own).trace}
		normalise.Backlogs(tr)
		for _, r := range tr.Trace.Threads[1].Records {
			if r.End && r.Value != 0 {
				values, at = append(values, r.Value), append(at, r.Time)
			}
		}
		return values, at, tr.Trace.Objects[1]
	}
	values, at, work := passed(true)
	if !slices.Equal(values, []uint64{0x10, 0x20, 0x11, 0x21}) || !slices.IsSorted(at) || work.Capacity != -1 {
		t.Errorf("the dispatcher passes %x at %v, into %+v", values, at, work)
	}
	values, _, work = passed(false)
	if !slices.Equal(values, []uint64{0x10, 0x11, 0x21, 0x20}) || work.Capacity != 1 {
		t.Errorf("where nobody knows what it passes on the dispatcher passes %x, into %+v", values, work)
	}
}
