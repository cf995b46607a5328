package normalise

import (
	"cmp"
	"maps"
	"slices"

	"tierscope/analysis/trace"
)

// sentinelShare is how much of the usual work a message may cause that only
// says "end". Convention, sensitivity none.
const sentinelShare = 0.05

// endCost is what it may take a thread to end besides, in ns of CPU. Measured: 60 µs
// for one of a JVM; this is thrice as much.
const endCost = 200_000

// CloseSentinels returns the trace with queues closed that are not closed by
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
func CloseSentinels(t *trace.Trace) *trace.Trace {
	out := *t
	out.Threads = slices.Clone(t.Threads)
	for closeOne(&out) {
		t = &out
	}
	return t
}

// closeOne closes one queue that is not closed yet; false: there is none.
func closeOne(t *trace.Trace) bool {
	for _, q := range queues(t) {
		q.receives = q.gets(t)
		away := q.drain(t)
		relays := q.relays(t)
		ends := q.sentinels(t, relays)
		if ends == nil && closeByEach(t, q) {
			return true
		}
		if ends == nil {
			continue
		}
		maps.Copy(away, relays)
		if !closeByJoiner(t, q, ends, away) {
			closeAt(t, q, ends, away)
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
	closed   bool      // or closed by whoever ends a connection
}

// queues lists the objects that are sent to and received from.
func queues(t *trace.Trace) []*passed {
	by := map[uint64]*passed{}
	var order []*passed
	streams := map[uint64]bool{} // they have an end of their own
	for _, o := range t.Objects {
		streams[o.ID] = o.Kind == trace.Stream
	}
	for i := range t.Threads {
		for k := range t.Threads[i].Records {
			r := &t.Threads[i].Records[k]
			if r.End || r.Op != trace.OpSend && r.Op != trace.OpReceive && r.Op != trace.OpClose {
				continue
			}
			q := by[r.Object]
			if q == nil {
				q = &passed{object: r.Object, closed: streams[r.Object]}
				by[r.Object] = q
				order = append(order, q)
			}
			switch r.Op {
			case trace.OpSend:
				q.sends = append(q.sends, message{i, k})
			case trace.OpReceive:
				q.receives = append(q.receives, message{i, k})
			default:
				q.closed = true
			}
		}
	}
	for _, q := range order {
		slices.SortStableFunc(q.sends, func(a, b message) int { return cmp.Compare(recordOf(t, a).Time, recordOf(t, b).Time) })
	}
	return order
}

func recordOf(t *trace.Trace, m message) *trace.Record { return &t.Threads[m.thread].Records[m.record] }

// sentinels returns the last receive of every receiving thread if it told the
// thread to end; nil if not. Each thread needs a message of its own unless all
// put one back.
func (q *passed) sentinels(t *trace.Trace, relays map[message]bool) []message {
	if q.closed || len(q.receives) == 0 || len(q.sends)+len(relays) < len(q.receives) {
		return nil
	}
	var lasts []message
	for i, m := range q.receives {
		if r := result(t, m); !r.End || r.Arg != 1 {
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
	if len(lasts) == 1 && q.answers(t) {
		return nil
	}
	if tail := q.tail(len(lasts)); !q.oneTells(t, tail, lasts, relays) || q.lastOfMany(t, tail[0]) ||
		!q.ofItsOwn(t, tail) && !q.endsAtOnce(t) {
		return nil
	}
	return lasts
}

// gets are the receives without those that got nothing, as their time was up, of threads that get something later.
func (q *passed) gets(t *trace.Trace) (got []message) {
	later := map[int]bool{} // threads
	for _, m := range slices.Backward(q.receives) {
		if vain := inVain(t, m); !vain || !later[m.thread] {
			got = append(got, m)
			later[m.thread] = later[m.thread] || !vain
		}
	}
	slices.Reverse(got)
	return got
}

// answers reports whether the thread that receives has sent something before each message: they are replies, the last
// one too.
func (q *passed) answers(t *trace.Trace) bool {
	from := 0
	for _, m := range q.receives {
		if !slices.ContainsFunc(t.Threads[m.thread].Records[from:m.record], func(r trace.Record) bool { return r.Op == trace.OpSend }) {
			return false
		}
		from = m.record
	}
	return true
}

// ofItsOwn reports whether the messages of the tail are sent where no others are:
// whatever it takes the threads that get them to end, they are no tasks.
func (q *passed) ofItsOwn(t *trace.Trace, tail []message) bool {
	before := q.sends[:len(q.sends)-len(tail)]
	return len(before) > 0 && !slices.ContainsFunc(tail, func(m message) bool {
		return slices.ContainsFunc(before, func(o message) bool { return recordOf(t, o).Site == recordOf(t, m).Site })
	})
}

// endsAtOnce reports whether threads do next to nothing after their last receive, and
// not what they do with a task.
func (q *passed) endsAtOnce(t *trace.Trace) bool {
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
			usual = append(usual, recordOf(t, q.receives[i+1]).CPU-rs[m.record+1].CPU)
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
	return len(usual) > 0 && float64(slices.Max(after)) <= max(sentinelShare*mean64(usual), endCost)
}

// tail returns the messages that are sent after those that the receivers go on
// after; so many receivers have ended.
func (q *passed) tail(ended int) []message { return q.sends[len(q.receives)-ended:] }

// oneTells reports whether the messages of the tail come from one thread that
// does nothing else meanwhile but compute, or does what it wants if its receivers put
// something back, which tells the message from a task; and the last messages that they get
// are of these.
func (q *passed) oneTells(t *trace.Trace, tail, lasts []message, relays map[message]bool) bool {
	values := map[uint64]bool{}
	for i, m := range tail {
		if m.thread != tail[0].thread || len(relays) == 0 && i > 0 && m.record != tail[i-1].record+2 {
			return false
		}
		values[result(t, m).Value] = true
	}
	for m := range relays {
		values[result(t, m).Value] = true
	}
	return len(tail) > 0 && !slices.ContainsFunc(lasts, func(m message) bool { return !values[result(t, m).Value] })
}

// lastOfMany reports whether a message is just the last one of several threads that
// send theirs from the same place; if it is to end a thread, others send it too.
func (q *passed) lastOfMany(t *trace.Trace, last message) bool {
	value, many := result(t, last).Value, false
	for _, m := range q.sends {
		if m.thread == last.thread || recordOf(t, m).Site != recordOf(t, last).Site {
			continue
		}
		if v := result(t, m).Value; v == value && v != 0 {
			return false
		}
		many = true
	}
	return many
}

// afterUnlocks returns the record from k on with which a thread goes on when it has
// released the locks under which it has received something.
func afterUnlocks(rs []trace.Record, k int) int {
	for k+1 < len(rs) && (rs[k].Op == trace.OpUnlock || rs[k].Op == trace.OpRUnlock) {
		k += 2
	}
	return k
}

// A thread may do something else with such a message than with a task, such as
// pass it on, if that takes no time. endsAfter reports whether from a record on there is at most the end.
func endsAfter(rs []trace.Record, from int) bool {
	for i := from; i < len(rs); i++ {
		if rs[i].Op != trace.OpThreadEnd {
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
func closeAt(t *trace.Trace, q *passed, lasts []message, away map[message]bool) {
	findClosed(t, lasts)
	tail := q.tail(len(lasts))
	for _, m := range tail[1:] {
		away[m] = true
	}
	closes(t, tail[0])
	for i := range t.Threads {
		drop(t, i, away)
	}
}

// findClosed makes some receives such as find the queue closed.
func findClosed(t *trace.Trace, receives []message) {
	for _, m := range receives {
		own(t, m.thread)
		r := &t.Threads[m.thread].Records[m.record+1]
		r.Arg, r.Value = 0, 0
	}
}
