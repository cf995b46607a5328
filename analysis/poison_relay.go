package analysis

import "slices"

// One message may end all threads of a pool, if each puts it back for the next one before it
// ends:
//
//	if (task == END) { queue.put(END); return; }
//
// relayed returns the trace as if a message had been sent for each thread, where there is
// such a queue: nobody has received the last one.
func relayed(t *Trace) *Trace {
	out := *t
	out.Threads = slices.Clone(t.Threads)
	changed := false
	for _, q := range out.queues() {
		if relays := q.relays(&out); relays != nil {
			out.sendEach(q, relays)
			changed = true
		}
	}
	if !changed {
		return t
	}
	return &out
}

// relays returns the sends by which threads put back the message that has ended them; nil if
// there is a thread that does otherwise.
func (q *passed) relays(t *Trace) map[message]bool {
	if q.closed || len(q.sends) != len(q.receives)+1 || len(q.receives) == 0 {
		return nil
	}
	found := map[message]bool{}
	for i, m := range q.receives {
		if i+1 < len(q.receives) && q.receives[i+1].thread == m.thread {
			continue
		}
		back := message{m.thread, m.record + 2}
		rs := t.Threads[m.thread].Records
		if t.Threads[m.thread].Ended == 0 || back.record >= len(rs) || rs[back.record].Op != OpSend || rs[back.record].Object != q.object ||
			t.result(back).Value != t.result(m).Value {
			return nil
		}
		found[back] = true
	}
	past := len(q.sends) - len(found)
	if past < 1 {
		return nil
	}
	for i, m := range q.sends {
		if relays := found[m]; relays != (i >= past) || !relays && relaysIn(found, m.thread) {
			return nil // something was sent after the first of them, or by one of the threads before
		}
	}
	return found
}

// relaysIn reports whether a thread is one of those that put the message back.
func relaysIn(relays map[message]bool, thread int) bool {
	for m := range relays {
		if m.thread == thread {
			return true
		}
	}
	return false
}

// sendEach puts as many messages in the place of the one that was put back as there are
// threads that did.
func (t *Trace) sendEach(q *passed, relays map[message]bool) {
	first := q.sends[len(q.sends)-len(relays)-1]
	rs := t.Threads[first.thread].Records
	pair := rs[first.record : first.record+2]
	with := slices.Clone(rs[:first.record+2])
	for range len(relays) - 1 {
		with = append(with, pair...)
	}
	t.Threads[first.thread].Records = append(with, rs[first.record+2:]...)
	for i := range t.Threads {
		t.drop(i, relays)
	}
}
