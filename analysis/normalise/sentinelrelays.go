package normalise

import (
	"tierscope/analysis/trace"
)

// One message may end all threads of a pool, if each puts it, or one like it, back
// for the next one before it ends:
//
//	if (task == END) { queue.put(END); return; }
//
// Then there is one message too many, which nobody takes out, or somebody who
// cleans up when the pool has ended.

// relays takes the sends by which threads that receive from a queue put back the
// message that has ended them out of those to the queue, and returns them; nil
// if there is a thread that does otherwise.
func (q *passed) relays(t *trace.Trace) map[message]bool {
	if q.closed || len(q.receives) == 0 {
		return nil
	}
	relays := map[message]bool{}
	for i, m := range q.receives {
		if i+1 < len(q.receives) && q.receives[i+1].thread == m.thread {
			continue
		}
		rs := t.Threads[m.thread].Records
		back := message{m.thread, afterUnlocks(rs, m.record+2)}
		if t.Threads[m.thread].Ended == 0 || back.record >= len(rs) || rs[back.record].Op != trace.OpSend || rs[back.record].Object != q.object {
			return nil
		}
		relays[back] = true
	}
	var sends []message
	for _, m := range q.sends {
		if !relays[m] {
			sends = append(sends, m)
		}
		if !relays[m] && relaysIn(relays, m.thread) {
			return nil // it sends tasks as well
		}
	}
	if len(sends)+len(relays) < len(q.receives) {
		return nil
	}
	q.sends = sends
	return relays
}

// relaysIn reports whether a thread is one of those that put a message back.
func relaysIn(relays map[message]bool, thread int) bool {
	for m := range relays {
		if m.thread == thread {
			return true
		}
	}
	return false
}

// drain takes the receives of threads that take out only what is left when all
// others have received their last message out of those from a queue, and returns
// them.
func (q *passed) drain(t *trace.Trace) map[message]bool {
	first, last := map[int]int64{}, map[int]int64{}
	for _, m := range q.receives {
		at := recordOf(t, m).Time
		if _, ok := first[m.thread]; !ok {
			first[m.thread] = at
		}
		last[m.thread] = max(at, result(t, m).Time)
	}
	late := func(thread int) bool {
		for other, at := range last {
			if other != thread && first[thread] < at {
				return false
			}
		}
		return len(last) > 1
	}
	drained := map[message]bool{}
	var receives []message
	for _, m := range q.receives {
		if late(m.thread) {
			drained[m] = true
			continue
		}
		receives = append(receives, m)
	}
	q.receives = receives
	return drained
}
