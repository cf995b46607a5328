package normalise

import (
	"slices"

	"tierscope/analysis/trace"
)

// handOver is a wait of a thread for what another one hands it over.
type handOver struct {
	wait    *stay // in which the thread found that it has to wait
	receive int   // begin of the receive, or of the wait for the future, behind it
	give    *stay // in or behind which the other thread sends, closes, or completes
	send    int
}

// handOvers returns the trace in which threads wait at a condition of a lock instead of channels, or futures, of their own, which
// those that wake them found under the same lock:
//
//	take:  lock; if none is left { make a channel; add it to the list; unlock; receive } else { remove one; unlock }
//	bring: lock; if somebody waits { send to the first, or close its channel } else { add it to the list }; unlock
//
// Who is woken has the lock no more, but has got what it waits for when the other one has left the lock: nobody else gets it.
// The locks are those that of allows; conditions are their new conditions.
func handOvers(t *trace.Trace, of func(lock uint64) bool) (out *trace.Trace, conditions map[uint64]uint64) {
	conditions = map[uint64]uint64{}
	edits := map[int][]edit{}
	objects := slices.Clone(t.Objects)
	given := map[*stay][]handOver{}
	all := slices.DeleteFunc(handedOver(t), func(h handOver) bool { return !of(h.wait.object) })
	for _, h := range all {
		given[h.give] = append(given[h.give], h)
		if lock := h.wait.object; conditions[lock] == 0 {
			conditions[lock] = counterObject + uint64(len(objects))
			objects = append(objects, trace.Object{ID: conditions[lock], Kind: "condition", Parent: lock, Elem: -1, Site: t.Threads[h.wait.thread].Records[h.receive].Site})
		}
	}
	if len(all) == 0 {
		return t, nil
	}
	for _, h := range all {
		hs, c := given[h.give], conditions[h.wait.object]
		edits[h.wait.thread] = append(edits[h.wait.thread], waiting(t, h, freed(t, hs)+1, c))
		if h == hs[0] {
			edits[h.give.thread] = append(edits[h.give.thread], signalling(t, hs, c))
		}
	}
	out = edited(t, edits)
	out.Objects = objects
	return out, conditions
}

// freed is when a thread leaves the lock in which it woke others, ns: one of them may have gone on before.
func freed(t *trace.Trace, hs []handOver) int64 {
	at := hs[0].give.left
	for _, h := range hs {
		at = min(at, t.Threads[h.wait.thread].Records[h.receive+1].Time-1)
	}
	return at
}

// exitOf is the record at which a stay begins to leave its lock.
func exitOf(t *trace.Trace, s *stay) int {
	at := s.past - 1
	if t.Threads[s.thread].Records[at].End {
		at--
	}
	return at
}

// waiting lets a thread wait in the lock for a condition until it is woken, and then leave that.
func waiting(t *trace.Trace, h handOver, at int64, condition uint64) edit {
	rs, from := t.Threads[h.wait.thread].Records, exitOf(t, h.wait)
	wait, woken := rs[from], rs[h.receive+1]
	leave, left := woken, woken
	leave.Site, left.Site = rs[from].Site, rs[from].Site
	wait.Site = rs[h.receive].Site
	woken.Time, leave.Time = at, at
	for i, r := range []*trace.Record{&wait, &woken, &leave, &left} {
		r.Op, r.Object, r.End, r.Arg, r.Value = trace.OpCondWait, condition, i%2 == 1, 0, 0
		if i > 1 {
			r.Op, r.Object = trace.OpUnlock, h.wait.object
		}
	}
	return edit{from, h.receive + 2, []trace.Record{wait, woken, leave, left}}
}

// signalling lets a thread signal the condition where it woke others, and leave the lock before these go on.
func signalling(t *trace.Trace, hs []handOver, condition uint64) edit {
	give, rs := hs[0].give, t.Threads[hs[0].give.thread].Records
	exit := exitOf(t, give)
	e := edit{first: exit, past: exit + 1}
	for _, h := range hs {
		e.first, e.past = min(e.first, h.send), max(e.past, h.send+2)
	}
	e.with = slices.Clone(rs[e.first:e.past])
	for _, h := range hs {
		for i := h.send; i < h.send+2; i++ {
			r := &e.with[i-e.first]
			r.Op, r.Object, r.Arg, r.Value = trace.OpSignal, condition, 0, 0
		}
	}
	at := freed(t, hs)
	for i := e.first; i <= exit; i++ {
		r := &e.with[i-e.first]
		r.Time = min(r.Time, at)
	}
	return e
}

// handedOver lists the waits right behind a stay in a lock, each for a channel that nobody else receives from and to which one
// thread sends once, or which it closes, or for a future that it completes, in or right behind a stay in the same lock that ends later.
func handedOver(t *trace.Trace) (out []handOver) {
	waits, used := map[uint64]*handOver{}, map[uint64]int{}
	var order []uint64
	all := make([][]*stay, len(t.Threads))
	for i := range t.Threads {
		all[i], _ = staysOf(t, i)
		rs := t.Threads[i].Records
		for k := range rs {
			if channel, ok := channelOf(rs, k); ok {
				used[channel]++
			}
		}
		for _, s := range all[i] {
			if channel, ok := channelOf(rs, s.past); ok && receives(rs[s.past].Op) {
				waits[channel] = &handOver{wait: s, receive: s.past}
				order = append(order, channel)
			}
		}
	}
	for i := range t.Threads {
		rs := t.Threads[i].Records
		for _, s := range all[i] {
			for k := s.first; k <= s.past; k++ {
				channel, ok := channelOf(rs, k)
				if h := waits[channel]; ok && h != nil && !receives(rs[k].Op) && i != h.wait.thread && s.object == h.wait.object && s.left > h.wait.left {
					h.give, h.send = s, k
				}
			}
		}
	}
	for _, channel := range order {
		h := waits[channel]
		if h.give != nil && used[channel] == 2 {
			out = append(out, *h)
		}
	}
	return out
}

// channelOf is the channel or future of the operation that begins at a record, if it is one on such, and has ended.
func channelOf(rs []trace.Record, k int) (uint64, bool) {
	if k >= len(rs) || rs[k].End {
		return 0, false
	}
	end, ended := trace.EndOf(rs, k)
	switch rs[k].Op {
	case trace.OpSend, trace.OpReceive, trace.OpTrySend, trace.OpTryReceive, trace.OpClose, trace.OpWaitGroup, trace.OpDone:
		return rs[k].Object, ended
	case trace.OpSelect:
		if ended && end.Arg >= 0 {
			return end.Object, true
		}
	}
	return 0, false
}

// receives reports whether an operation may wait for what is handed over.
func receives(op trace.Op) bool {
	return op == trace.OpReceive || op == trace.OpSelect || op == trace.OpWaitGroup
}

// monitored returns the trace with the queues and semaphores that a program makes of a lock and a list, whether threads wait for
// each other at conditions of the lock or at channels of their own. Of what is neither the channels stay.
func monitored(t *trace.Trace) *trace.Trace {
	none := map[uint64]bool{}
	for {
		handed, conditions := handOvers(t, func(lock uint64) bool { return !none[lock] })
		out := stocks(MonitorQueues(handed))
		unknown := len(none)
		for lock := range left(out, conditions) {
			none[lock] = true
		}
		if len(none) == unknown {
			return out
		}
	}
}

// left are the locks of which a trace still has the condition.
func left(t *trace.Trace, conditions map[uint64]uint64) map[uint64]bool {
	of, locks := map[uint64]uint64{}, map[uint64]bool{}
	for lock, condition := range conditions {
		of[condition] = lock
	}
	for i := range t.Threads {
		for k := range t.Threads[i].Records {
			if lock, ok := of[t.Threads[i].Records[k].Object]; ok {
				locks[lock] = true
			}
		}
	}
	return locks
}
