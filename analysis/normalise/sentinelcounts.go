package normalise

import (
	"slices"

	"tierscope/analysis/trace"
)

// Who receives from several threads may count those that have told it that they end, and go on to something else after the last:
//
//	sender: …, send, send end     receiver: open = senders; for open > 0 { receive; if end: open−− else: work }; …
//
// With another number of senders there are as many such messages. Each of them closes the queue, which is closed when the last one
// has, and nobody receives them.

// closeByEach closes a queue where every one of its senders sends the same message once, at the end, from where it sends nothing
// else, and the only receiver stops after the last of these; false: it is not so.
func closeByEach(t *trace.Trace, q *passed) bool {
	ends := q.countedEnds(t)
	if ends == nil {
		return false
	}
	value := result(t, ends[0]).Value
	away := map[message]bool{}
	last := q.receives[len(q.receives)-1]
	for _, m := range q.receives {
		if m != last && result(t, m).Value == value {
			away[m] = true
		}
	}
	findClosed(t, []message{last})
	for _, m := range ends {
		closes(t, m)
	}
	drop(t, last.thread, away)
	return true
}

// countedEnds returns the message by which each sender says that it ends; nil if there are none.
func (q *passed) countedEnds(t *trace.Trace) (ends []message) {
	if q.closed || len(q.sends) == 0 || len(q.sends) != len(q.receives) {
		return nil
	}
	receiver := q.receives[0].thread
	value := result(t, q.receives[len(q.receives)-1]).Value
	if value == 0 || slices.ContainsFunc(q.receives, func(m message) bool { return m.thread != receiver || !result(t, m).End }) {
		return nil
	}
	site := int32(-1)
	ended := map[int]bool{} // threads
	for _, m := range q.sends {
		switch is := result(t, m).Value == value; {
		case ended[m.thread], is && site >= 0 && recordOf(t, m).Site != site:
			return nil // it goes on, or ends in another way
		case is:
			site, ended[m.thread] = recordOf(t, m).Site, true
			ends = append(ends, m)
		}
	}
	peers, _ := peersOf(t, q)
	other := func(m message) bool {
		return !ended[m.thread] || !peers[m.thread] || recordOf(t, m).Site == site && result(t, m).Value != value
	}
	if len(ends) < 2 || len(ends) == len(q.sends) || slices.ContainsFunc(q.sends, other) {
		return nil
	}
	return ends
}

// closes puts a close in the place of a message.
func closes(t *trace.Trace, m message) {
	own(t, m.thread)
	for _, r := range []*trace.Record{recordOf(t, m), &t.Threads[m.thread].Records[m.record+1]} {
		r.Op, r.Arg, r.Value = trace.OpClose, 0, 0
	}
}
