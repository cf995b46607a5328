package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// round lets a thread start two searchers, of whom one asks first whether it is told to stop, and so makes the channel that
// it asks, as context.Context.Done does. The other one finds something and says so, and is the first that asks if swapped.
func (a *actor) round(done, found uint64, swapped bool) {
	a.makes("found", found, 0)
	var ws []*actor
	for range 2 {
		a.compute(1_000).does(trace.OpAdd, "add", 99, 1, 0)
		ws = append(ws, a.s.thread("search", a, a.now))
	}
	first, finder := ws[0], ws[1]
	maker := first
	if swapped {
		maker = finder
	}
	maker.makes("lazily", done, 0)
	for _, w := range ws {
		for range 5 {
			w.does(trace.OpTryReceive, "poll", done, 0, 0).compute(100_000)
		}
	}
	finder.does(trace.OpSend, "tell", found, 1, 0).does(trace.OpDone, "ends", 99, 0, 0).ends()
	a.does(trace.OpReceive, "receive", found, 1, finder.now-a.now).does(trace.OpClose, "cancel", done, 0, 0)
	first.now = max(first.now, a.now)
	first.does(trace.OpTryReceive, "poll", done, 2, 0).does(trace.OpDone, "ends", 99, 0, 0).ends()
	a.does(trace.OpWaitGroup, "wait", 99, 0, first.now-a.now+1_000)
}

// A channel that whoever asks first makes is one of the call that started all who ask: after it was closed in one round, those
// of the next do not find it closed.
func TestAChannelThatWhoAsksFirstMakesBelongsToTheCall(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	for i := range uint64(10) {
		main.round(100+2*i, 101+2*i, i%2 == 0)
	}
	main.ends()
	m, _ := s.build(t, trail.Options{})
	of := scopes(m)
	if len(of) != 2 {
		t.Fatalf("locks and queues: %v, want two", of)
	}
	for id, scope := range of {
		if scope != core.PerCall {
			t.Errorf("%s has the scope %q, want %q", id, scope, core.PerCall)
		}
	}
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Sync != nil && f.Sync.Op == core.Make && g.ID != "main" {
				t.Errorf("a thread of pool %s makes a channel, want main alone", g.ID)
			}
		}
	}
}

// Channels that a thread makes for others that were started beside it, before it made the first, are none of a call: who started them all
// made none of them at a time of its own.
func TestChannelsOfThreadsThatWereStartedOnceStayWhereTheyAreMade(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	a, b := s.thread("first", main, 1_000), s.thread("second", main, 2_000)
	for i := range uint64(10) {
		a.compute(100_000).makes("make", 10+i, 1).does(trace.OpSend, "send", 10+i, 1, 0)
		b.now = max(b.now, a.now)
		b.does(trace.OpReceive, "receive", 10+i, 1, 0).compute(100_000)
	}
	a.ends()
	b.ends()
	main.now = b.now
	main.ends()
	tr := &trail.Trail{Trace: s.trace}
	normalise.LazyMakes(tr)
	if r := tr.Trace.Threads[main.id].Records; slices.ContainsFunc(r, func(r trace.Record) bool { return r.Op == trace.OpMake }) {
		t.Errorf("main makes channels: %+v", r)
	}
}

// Threads that nobody in the recording started have nobody in common: what one of them makes for the other stays where it is made, and what
// others in the recording make is no matter to it.
func TestWhatStrangersShareStaysWhereItIsMade(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	main.does(trace.OpAdd, "add", 99, 1, 0)
	stranger := s.thread("search", nil, 1_000)
	other := s.thread("search", nil, 1_000)
	stranger.makes("lazily", 100, 0).does(trace.OpTryReceive, "poll", 100, 0, 0)
	other.does(trace.OpTryReceive, "poll", 100, 0, 0)
	worker := s.thread("search", main, 2_000)
	second := s.thread("search", main, 2_500)
	worker.now, second.now = 3_000, 3_500
	worker.makes("lazily", 101, 0).does(trace.OpTryReceive, "poll", 101, 0, 0)
	second.does(trace.OpTryReceive, "poll", 101, 0, 0)
	tr := &trail.Trail{Trace: s.trace}
	normalise.LazyMakes(tr)
	for _, th := range []*actor{stranger, worker} {
		if r := tr.Trace.Threads[th.id].Records; !slices.ContainsFunc(r, func(r trace.Record) bool { return r.Op == trace.OpMake }) {
			t.Errorf("thread %d makes nothing any more: %+v", th.id, r)
		}
	}
}
