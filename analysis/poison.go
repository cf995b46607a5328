package analysis

import (
	"cmp"
	"maps"
	"slices"
)

// poisonShare is how much of the usual work a message may cause that only
// says "end".
const poisonShare = 0.05

// endCost is what it may take a thread to end besides, in ns of CPU: 60 µs for
// one of a JVM.
const endCost = 200_000

// closePoisoned returns the trace with queues closed that are not closed by
// the program, because the language has no such thing or it is not used: at the
// end as many messages are sent as there are threads, each tells one thread to
// end.
//
//	send, send, …, end, end          worker: receive, work, receive, work, …, receive (end)
//
// To the graph these would be tasks, as many as there were threads in the run,
// each an end of a thread with some probability. They become one close, and the
// last receive of each thread finds the queue closed (c_in with nofetch: Tarvo &
// Reiss 2014, §4.3.1).
func closePoisoned(t *Trace) *Trace {
	out := *t
	out.Threads = slices.Clone(t.Threads)
	for out.closeOne() {
		t = &out
	}
	return t
}

// closeOne closes one queue that is not closed yet; false: there is none.
func (t *Trace) closeOne() bool {
	for _, q := range t.queues() {
		away := q.drain(t)
		relays := q.relays(t)
		ends := q.poisoned(t, relays)
		if ends == nil {
			continue
		}
		maps.Copy(away, relays)
		if !t.closeByJoiner(q, ends, away) {
			t.closeAt(q, ends, away)
		}
		return true
	}
	return false
}

// message is the start of a send or receive in the records of a thread.
type message struct{ thread, record int }

// passed is what went through a queue.
type passed struct {
	object   uint64
	sends    []message // in order of time
	receives []message // of each thread in its order
	closed   bool
}

// queues lists the objects that are sent to and received from.
func (t *Trace) queues() []*passed {
	by := map[uint64]*passed{}
	var order []*passed
	for i := range t.Threads {
		for k := range t.Threads[i].Records {
			r := &t.Threads[i].Records[k]
			if r.End || r.Op != OpSend && r.Op != OpReceive && r.Op != OpClose {
				continue
			}
			q := by[r.Object]
			if q == nil {
				q = &passed{object: r.Object}
				by[r.Object] = q
				order = append(order, q)
			}
			switch r.Op {
			case OpSend:
				q.sends = append(q.sends, message{i, k})
			case OpReceive:
				q.receives = append(q.receives, message{i, k})
			default:
				q.closed = true
			}
		}
	}
	for _, q := range order {
		slices.SortStableFunc(q.sends, func(a, b message) int { return cmp.Compare(t.at(a).Time, t.at(b).Time) })
	}
	return order
}

func (t *Trace) at(m message) *Record { return &t.Threads[m.thread].Records[m.record] }

// poisoned returns the last receive of every receiving thread if it told the
// thread to end; nil if not. Each thread needs a message of its own unless all
// put one back.
func (q *passed) poisoned(t *Trace, relays map[message]bool) []message {
	if q.closed || len(q.receives) == 0 || len(q.sends)+len(relays) < len(q.receives) {
		return nil
	}
	var lasts []message
	for i, m := range q.receives {
		if r := t.result(m); !r.End || r.Arg != 1 {
			return nil
		}
		if i+1 < len(q.receives) && q.receives[i+1].thread == m.thread {
			continue
		}
		if t.Threads[m.thread].Ended == 0 {
			return nil
		}
		lasts = append(lasts, m)
	}
	if tail := q.tail(len(lasts)); !q.oneTells(t, tail, lasts, relays) || q.lastOfMany(t, tail[0]) ||
		!q.ofItsOwn(t, tail) && !q.endsAtOnce(t) {
		return nil
	}
	return lasts
}

// ofItsOwn reports whether the messages of the tail are sent where no others are:
// whatever it takes the threads that get them to end, they are no tasks.
func (q *passed) ofItsOwn(t *Trace, tail []message) bool {
	before := q.sends[:len(q.sends)-len(tail)]
	return len(before) > 0 && !slices.ContainsFunc(tail, func(m message) bool {
		return slices.ContainsFunc(before, func(o message) bool { return t.at(o).Site == t.at(m).Site })
	})
}

// endsAtOnce reports whether threads do next to nothing after their last receive, and
// not what they do with a task.
func (q *passed) endsAtOnce(t *Trace) bool {
	var usual, after []int64
	next := map[int32]bool{} // where threads go on with a task
	for i, m := range q.receives[:len(q.receives)-1] {
		rs := t.Threads[m.thread].Records
		if k := afterUnlocks(rs, m.record+2); q.receives[i+1].thread == m.thread && k < len(rs) {
			next[rs[k].Site] = true
		}
	}
	for i, m := range q.receives {
		rs := t.Threads[m.thread].Records
		if i+1 < len(q.receives) && q.receives[i+1].thread == m.thread {
			usual = append(usual, t.at(q.receives[i+1]).CPU-rs[m.record+1].CPU)
			continue
		}
		if k := afterUnlocks(rs, m.record+2); !endsAfter(rs, k) && next[rs[k].Site] {
			return false
		}
		work := rs[len(rs)-1].CPU - rs[m.record+1].CPU
		if m.record+2 == len(rs) { // its end is not recorded: elapsed time has to do
			work = t.Threads[m.thread].Ended - rs[m.record+1].Time
		}
		after = append(after, work)
	}
	return len(usual) > 0 && float64(slices.Max(after)) <= max(poisonShare*mean64(usual), endCost)
}

// tail returns the messages that are sent after those that the receivers go on
// after; so many receivers have ended.
func (q *passed) tail(ended int) []message { return q.sends[len(q.receives)-ended:] }

// oneTells reports whether the messages of the tail come from one thread that
// does nothing else meanwhile but compute, or does what it wants if its receivers put
// something back, which tells the message from a task; and the last messages that they get
// are of these.
func (q *passed) oneTells(t *Trace, tail, lasts []message, relays map[message]bool) bool {
	values := map[uint64]bool{}
	for i, m := range tail {
		if m.thread != tail[0].thread || len(relays) == 0 && i > 0 && m.record != tail[i-1].record+2 {
			return false
		}
		values[t.result(m).Value] = true
	}
	for m := range relays {
		values[t.result(m).Value] = true
	}
	return len(tail) > 0 && !slices.ContainsFunc(lasts, func(m message) bool { return !values[t.result(m).Value] })
}

// lastOfMany reports whether a message is just the last one of several threads that
// send theirs from the same place; if it is to end a thread, others send it too.
func (q *passed) lastOfMany(t *Trace, last message) bool {
	value, many := t.result(last).Value, false
	for _, m := range q.sends {
		if m.thread == last.thread || t.at(m).Site != t.at(last).Site {
			continue
		}
		if v := t.result(m).Value; v == value && v != 0 {
			return false
		}
		many = true
	}
	return many
}

// afterUnlocks returns the record from k on with which a thread goes on when it has
// released the locks under which it has received something.
func afterUnlocks(rs []Record, k int) int {
	for k+1 < len(rs) && (rs[k].Op == OpUnlock || rs[k].Op == OpRUnlock) {
		k += 2
	}
	return k
}

// A thread may do something else with such a message than with a task, such as
// pass it on, if that takes no time. endsAfter reports whether from a record on there is at most the end.
func endsAfter(rs []Record, from int) bool {
	for i := from; i < len(rs); i++ {
		if rs[i].Op != OpThreadEnd {
			return false
		}
	}
	return true
}

func mean64(v []int64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x)
	}
	return sum / float64(len(v))
}

// closeAt puts a close in the place of the first message that ends a thread, takes
// the others and what else has to go away out, and lets the last receives find the close.
func (t *Trace) closeAt(q *passed, lasts []message, away map[message]bool) {
	t.findClosed(lasts)
	tail := q.tail(len(lasts))
	for _, m := range tail[1:] {
		away[m] = true
	}
	t.own(tail[0].thread)
	for _, r := range []*Record{t.at(tail[0]), &t.Threads[tail[0].thread].Records[tail[0].record+1]} {
		r.Op, r.Arg, r.Value = OpClose, 0, 0
	}
	for i := range t.Threads {
		t.drop(i, away)
	}
}

// findClosed makes some receives such as find the queue closed.
func (t *Trace) findClosed(receives []message) {
	for _, m := range receives {
		t.own(m.thread)
		r := &t.Threads[m.thread].Records[m.record+1]
		r.Arg, r.Value = 0, 0
	}
}
