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

// closeByEach closes a queue where every one of its senders sends a message once, at the end, from where it sends nothing
// else, and the only receiver stops after the last of these; false: it is not so.
func closeByEach(t *trace.Trace, q *passed) bool {
	ends := q.countedEnds(t)
	if ends == nil {
		return false
	}
	values := valuesOf(t, ends)
	away := map[message]bool{}
	last := q.receives[len(q.receives)-1]
	for _, m := range q.receives {
		if m != last && values[result(t, m).Value] {
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
	i := slices.IndexFunc(q.sends, func(m message) bool { return result(t, m).Value == value })
	if i < 0 {
		return nil
	}
	site := recordOf(t, q.sends[i]).Site
	ended := map[int]bool{} // threads
	for _, m := range q.sends {
		switch {
		case ended[m.thread]:
			return nil // it goes on
		case recordOf(t, m).Site == site:
			ended[m.thread] = true
			ends = append(ends, m)
		}
	}
	peers, _ := peersOf(t, q)
	values := valuesOf(t, ends)
	other := func(m message) bool {
		return !ended[m.thread] || !peers[m.thread] || recordOf(t, m).Site != site && values[result(t, m).Value]
	}
	if len(ends) < 2 || len(ends) == len(q.sends) || slices.ContainsFunc(q.sends, other) {
		return nil
	}
	if len(values) > 1 && (values[0] || !q.isNoWork(t, values)) {
		return nil
	}
	return ends
}

func valuesOf(t *trace.Trace, ms []message) map[uint64]bool {
	values := map[uint64]bool{}
	for _, m := range ms {
		values[result(t, m).Value] = true
	}
	return values
}

// isNoWork reports whether the only receiver does next to nothing with messages of some values before it receives the next, and has work
// with others.
func (q *passed) isNoWork(t *trace.Trace, values map[uint64]bool) bool {
	var usual, ends []int64
	for i, m := range q.receives[:len(q.receives)-1] {
		work := recordOf(t, q.receives[i+1]).CPU - result(t, m).CPU
		if values[result(t, m).Value] {
			ends = append(ends, work)
		} else {
			usual = append(usual, work)
		}
	}
	return len(usual) > 0 && len(ends) > 0 && mean64(ends) <= sentinelShare*mean64(usual)
}

// closes puts a close in the place of a message.
func closes(t *trace.Trace, m message) {
	own(t, m.thread)
	for _, r := range []*trace.Record{recordOf(t, m), &t.Threads[m.thread].Records[m.record+1]} {
		r.Op, r.Arg, r.Value = trace.OpClose, 0, 0
	}
}
