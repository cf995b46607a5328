package java

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
)

// A thread asks a selector (at sites 1 and 2) and hands what is ready to executor 1: two at
// a time, after a call in vain, one. To the model it accepts three requests, each
// directly before it hands it on, and in one place; the calls take no other place. The accepts of
// the thread that only takes connections are no requests.
func TestEveryRequestThatASelectorTellsOfIsAcceptedByItself(t *testing.T) {
	t.Parallel()
	poller := &tape{thread: trace.Thread{ID: 2}}
	ask := func(site int32) {
		poller.does(trace.OpAccept, 0, 2)
		for i := len(poller.thread.Records) - 2; i < len(poller.thread.Records); i++ {
			poller.thread.Records[i].Site = site
		}
	}
	ask(1)
	poller.does(trace.OpSend, 1, 1).does(trace.OpSend, 1, 1)
	ask(1)
	ask(2)
	poller.does(trace.OpSend, 1, 1)
	ask(1)
	acceptor := &tape{thread: trace.Thread{ID: 3}}
	acceptor.does(trace.OpAccept, 0, 1).does(trace.OpAccept, 0, 1)
	tr := &trace.Trace{Threads: []trace.Thread{poller.thread, acceptor.thread}}
	enterBySelect(tr, map[int32]bool{1: true, 2: true})
	list := func(th *trace.Thread) (ops []string) {
		last := int64(0)
		for _, r := range th.Records {
			if r.Time < last {
				t.Errorf("%s at %d ns comes after %d ns", r.Op, r.Time, last)
			}
			if r.Op == trace.OpAccept && r.Site != 1 {
				t.Errorf("an accept at site %d, want 1", r.Site)
			}
			if last = r.Time; !r.End {
				ops = append(ops, r.Op.String())
			}
		}
		return ops
	}
	if got, want := list(&tr.Threads[0]), []string{"accept", "send", "accept", "send", "accept", "send"}; !slices.Equal(got, want) {
		t.Errorf("poller: %q, want %q", got, want)
	}
	if got, want := list(&tr.Threads[1]), []string{"net-read", "net-read"}; !slices.Equal(got, want) {
		t.Errorf("acceptor: %q, want %q", got, want)
	}
}
