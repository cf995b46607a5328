package normalise

import (
	"slices"

	"tierscope/analysis/trace"
)

// A thread may ask a queue with a time limit, and when it is told that there is nothing,
// look whether it should end and ask again:
//
//	receive (nothing), receive (nothing), receive, work, …, receive (nothing): it ends
//
// To the model it waits once until something comes. Where nobody closes the queue and the
// last receive of every thread is one in vain, the queue is closed behind the last message
// that is sent, or by who has waited for those who send; for the rest of its last time limit a thread sleeps.

// WaitOnce returns the trace with such receives made one, and such queues closed.
func WaitOnce(t *trace.Trace) *trace.Trace {
	out := *t
	out.Threads = slices.Clone(t.Threads)
	merged := map[int]bool{} // by thread
	for _, q := range queues(&out) {
		if !q.closed {
			mergeReceives(&out, q, merged)
		}
	}
	for i := range merged {
		out.Threads[i].Records = slices.DeleteFunc(out.Threads[i].Records, isNone)
	}
	for _, q := range queues(&out) {
		if ends := q.endInVain(&out); ends != nil {
			closeBehind(&out, q, ends)
		}
	}
	return &out
}

// mergeReceives makes a receive in vain and the next one, if nothing is in between, one: what is between them becomes none. Who
// does something when nothing has come for so long, as write what it has, receives twice.
func mergeReceives(t *trace.Trace, q *passed, merged map[int]bool) {
	follows := func(i int) bool {
		m, next := q.receives[i], q.receives[i+1]
		return next.thread == m.thread && next.record == m.record+2 && inVain(t, m) && recordOf(t, next).Site == recordOf(t, m).Site
	}
	between, all := map[int]int64{}, map[int]int64{} // CPU time by thread
	for i, m := range q.receives[:max(len(q.receives)-1, 0)] {
		if rs := t.Threads[m.thread].Records; follows(i) {
			between[m.thread] += rs[m.record+2].CPU - rs[m.record+1].CPU
			all[m.thread] = rs[len(rs)-1].CPU - rs[0].CPU
		}
	}
	for i, m := range q.receives[:max(len(q.receives)-1, 0)] {
		if !follows(i) || float64(between[m.thread]) > negligible*float64(all[m.thread]) {
			continue
		}
		next := q.receives[i+1]
		if !merged[m.thread] {
			own(t, m.thread)
			merged[m.thread] = true
		}
		rs := t.Threads[m.thread].Records
		rs[m.record+1].Op, rs[next.record].Op = trace.OpNone, trace.OpNone
	}
}

func isNone(r trace.Record) bool { return r.Op == trace.OpNone }

// inVain reports whether a receive got nothing.
func inVain(t *trace.Trace, m message) bool {
	r := result(t, m)
	return r.End && r.Arg == 0
}

// endInVain returns the last receives of all threads if they are the only ones in vain,
// and the threads end then; nil if not, or if the queue is closed.
func (q *passed) endInVain(t *trace.Trace) (lasts []message) {
	if q.closed || len(q.sends) == 0 {
		return nil
	}
	for i, m := range q.receives {
		last := i+1 == len(q.receives) || q.receives[i+1].thread != m.thread
		if last != inVain(t, m) || last && t.Threads[m.thread].Ended == 0 {
			return nil
		}
		if last {
			lasts = append(lasts, m)
		}
	}
	return lasts
}

// closeBehind closes a queue when all has been sent, and lets those that then wait in
// vain find it closed, and sleep for as long as they waited on.
func closeBehind(t *trace.Trace, q *passed, ends []message) {
	closer := q.sends[len(q.sends)-1]
	if !result(t, closer).End {
		return // still sending when the recording ended
	}
	at := closer.record + 2
	senders := map[int64]bool{}
	for _, m := range q.sends {
		senders[t.Threads[m.thread].ID] = true
	}
	if len(senders) > 1 {
		joiner, behind := joinOf(t, senders, q)
		if joiner < 0 {
			return
		}
		closer.thread, at = joiner, behind
	}
	closed := t.Threads[closer.thread].Records[at-1]
	for _, m := range ends {
		own(t, m.thread)
		rs := t.Threads[m.thread].Records
		end := &rs[m.record+1]
		slept := *end
		end.Time = min(max(closed.Time, rs[m.record].Time), end.Time)
		sleep := *end
		sleep.Op, sleep.End, sleep.Object, sleep.Value, sleep.Arg = trace.OpSleep, false, 0, 0, slept.Time-end.Time
		slept.Op, slept.Object, slept.Value, slept.Arg = trace.OpSleep, 0, 0, 0
		t.Threads[m.thread].Records = slices.Insert(rs, m.record+2, sleep, slept)
	}
	mark := closed
	mark.Op, mark.Object, mark.Site, mark.Arg, mark.Value, mark.End = trace.OpClose, q.object, recordOf(t, q.sends[len(q.sends)-1]).Site, 0, 0, false
	ended := mark
	ended.End = true
	own(t, closer.thread)
	t.Threads[closer.thread].Records = slices.Insert(t.Threads[closer.thread].Records, at, mark, ended)
}
