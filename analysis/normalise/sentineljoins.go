package normalise

import (
	"slices"

	"tierscope/analysis/trace"
)

// Where several threads send to a queue, the message that ends its receiver is
// one that every sender sends when it ends, and that the receiver counts, or
// one by the last of them:
//
//	sender: …, send, send end     receiver: receive, work, …, receive end, receive end (the last: it ends)
//
// Which sender is the last is chance. Who waits for the senders knows better:
// after that the queue is closed.

// closeByJoiner closes the queue where a thread has waited for all of the
// threads that send the message upon which the receivers end, and takes out what has
// to go away besides; false: there is only one such thread, or none that waits for them.
func closeByJoiner(t *trace.Trace, q *passed, lasts []message, away map[message]bool) bool {
	value := result(t, lasts[0]).Value
	peers, ids := peersOf(t, q)
	if len(peers) < 2 || value == 0 {
		return false
	}
	joiner, at := joinOf(t, ids, q)
	if joiner < 0 {
		return false
	}
	closing := q.sends[len(q.sends)-1]
	mark := trace.Record{Op: trace.OpClose, Object: q.object, Site: recordOf(t, closing).Site}
	for _, m := range q.sends {
		if result(t, m).Value == value {
			away[m] = true
		}
	}
	for _, m := range q.receives {
		if result(t, m).Value == value && !slices.Contains(lasts, m) {
			away[m] = true
		}
	}
	findClosed(t, lasts)
	before := t.Threads[joiner].Records[at-1]
	mark.Time, mark.CPU, mark.Sys, mark.Assist, mark.Ready = before.Time, before.CPU, before.Sys, before.Assist, before.Ready
	ended := mark
	ended.End = true
	for m := range away {
		if m.thread == joiner && m.record < at {
			at -= 2
		}
	}
	for i := range t.Threads {
		drop(t, i, away)
	}
	t.Threads[joiner].Records = slices.Insert(slices.Clone(t.Threads[joiner].Records), at, mark, ended)
	return true
}

// result is the end of the operation that m began; a zero Record if it has not
// ended.
func result(t *trace.Trace, m message) trace.Record {
	if rs := t.Threads[m.thread].Records; m.record+1 < len(rs) && rs[m.record+1].End {
		return rs[m.record+1]
	}
	return trace.Record{}
}

// own makes the records of a thread ones that may be changed.
func own(t *trace.Trace, thread int) {
	t.Threads[thread].Records = slices.Clone(t.Threads[thread].Records)
}

// drop takes operations out of a thread.
func drop(t *trace.Trace, thread int, ops map[message]bool) {
	rs := t.Threads[thread].Records
	var kept []trace.Record
	for i := 0; i < len(rs); i++ {
		if ops[message{thread, i}] {
			i++
			continue
		}
		kept = append(kept, rs[i])
	}
	if len(kept) < len(rs) {
		t.Threads[thread].Records = kept
	}
}

// peersOf returns the threads that are like the one that sent the last message
// of a queue, and send to it as well.
func peersOf(t *trace.Trace, q *passed) (peers map[int]bool, ids map[int64]bool) {
	last := &t.Threads[q.sends[len(q.sends)-1].thread]
	peers, ids = map[int]bool{}, map[int64]bool{}
	for _, m := range q.sends {
		if th := &t.Threads[m.thread]; th.Start == last.Start && th.Creator == last.Creator {
			peers[m.thread], ids[th.ID] = true, true
		}
	}
	return peers, ids
}

// joinOf returns the thread, and the place in its records, that has waited for
// all of the given threads, and not before for one that receives from the
// queue; −1 if there is none.
func joinOf(t *trace.Trace, ids map[int64]bool, q *passed) (thread, at int) {
	receivers := map[int64]bool{}
	for _, m := range q.receives {
		receivers[t.Threads[m.thread].ID] = true
	}
	for i := range t.Threads {
		if ids[t.Threads[i].ID] || receivers[t.Threads[i].ID] {
			continue
		}
		waited := map[uint64]bool{}
		for k, r := range t.Threads[i].Records {
			if r.Op != trace.OpJoin || !r.End {
				continue
			}
			if receivers[int64(r.Value)] {
				break
			}
			if waited[r.Value] = ids[int64(r.Value)]; !waited[r.Value] {
				delete(waited, r.Value)
			}
			if len(waited) == len(ids) {
				return i, k + 1
			}
		}
	}
	return -1, 0
}
