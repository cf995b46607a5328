package java

import (
	"tierscope/analysis/trace"
)

// enterBySelect lets requests enter where a thread learns of them. A server that
// waits for many connections at a time has a thread that asks a selector which of
// them have something to read, and hands each to a pool:
//
//	select (2 ready), send, send, select (nothing), select (1 ready), send, …
//
// The probabilities of such a graph say nothing of how often requests come. To
// the model every one is accepted by itself, directly before it is sent on:
//
//	accept, send, accept, send, accept, send, …
//
// What accepts the connections themselves is no source of requests then. selects
// are the sites of calls of selectors. Threads that ask a selector and send
// nothing are left as they are.
func enterBySelect(t *trace.Trace, selects map[int32]bool) {
	found := false
	for i := range t.Threads {
		th := &t.Threads[i]
		asks, sends := false, 0
		for _, r := range th.Records {
			asks = asks || r.Op == trace.OpAccept && selects[r.Site]
			if hands(&r) {
				sends++
			}
		}
		if asks && sends > 1 {
			th.Records = acceptEach(th.Records, selects)
			found = true
		}
	}
	for i := range t.Threads {
		rs := t.Threads[i].Records
		for k := range rs {
			if rs[k].Op == trace.OpAccept && (selects[rs[k].Site] && rs[k].Object != selected || found && !selects[rs[k].Site]) {
				rs[k].Op = trace.OpNetRead
			}
			if rs[k].Object == selected {
				rs[k].Object = 0
			}
		}
	}
}

// selected marks, while this file works, the accepts that it made.
const selected = ^uint64(0)

// hands reports whether a record is the begin of handing something to other
// threads.
func hands(r *trace.Record) bool {
	return !r.End && (r.Op == trace.OpSend || r.Op == trace.OpTrySend)
}

// acceptEach puts an accept before every send of a thread: the last call of the
// selector since the send before it, or one that takes no time. Other calls go,
// their time is part of the computation around them. All are made in one place: whether a
// thread found a request while it waited or in passing decides nothing about it.
func acceptEach(rs []trace.Record, selects map[int32]bool) []trace.Record {
	var out []trace.Record
	var call [2]trace.Record // of the selector, since the last send
	called, at, site := false, 0, int32(-1)
	for i := range rs {
		r := rs[i]
		switch {
		case r.Op == trace.OpAccept && selects[r.Site]:
			r.Object = selected
			if site < 0 {
				site = r.Site
			}
			if r.Site = site; r.End {
				call[1], called = r, true
			} else {
				call[0], at = r, len(out)
			}
			continue
		case r.Op == trace.OpAccept: // of the connection itself
			continue
		case hands(&r) && site >= 0:
			if !called { // several were ready at once
				at = len(out)
				call[0] = r
				if at > 0 {
					call[0].Time, call[0].CPU, call[0].Ready = out[at-1].Time, out[at-1].CPU, out[at-1].Ready
				}
				call[0].Op, call[0].Site, call[0].Object, call[0].Arg, call[0].Value = trace.OpAccept, site, selected, 0, 0
				call[1] = call[0]
				call[1].End = true
			}
			out = append(out[:at:at], append([]trace.Record{call[0], call[1]}, out[at:]...)...)
			called = false
		}
		out = append(out, r)
	}
	return out
}
