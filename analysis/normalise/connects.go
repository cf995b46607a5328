package normalise

import (
	"slices"

	"tierscope/analysis/trace"
)

// accepts lets whoever connects send to whoever accepts, where one place does so for all.
func (s *streams) accepts(ends []*end, pairs []pair) {
	listener := listenerOf(ends)
	if listener == nil {
		return
	}
	slices.SortFunc(listener.accepts, byEnd)
	connects := s.connects(listener, pairs)
	if len(connects) == 0 {
		return
	}
	queue := s.queue(recordOf(s.in, connects[0].message))
	base := s.messages
	for _, c := range connects {
		s.messages++
		s.put(c.message, trace.OpSend, queue, 1, streamValue|s.messages)
	}
	for _, a := range listener.accepts {
		switch {
		case !a.ended:
			s.put(a.message, trace.OpReceive, queue, 0)
		case a.bytes < 0:
			s.put(a.message, trace.OpReceive, queue, 0, 0)
		default:
			base++
			s.put(a.message, trace.OpReceive, queue, 1, streamValue|base)
		}
	}
	if listener.closes {
		s.put(listener.closed.message, trace.OpClose, queue, 0, 0)
	}
}

// connects are those to a listener, in the order in which they are accepted; nil: others connect too, or these to others. Who accepts hands
// the connection on to who uses it, or does so itself; where that is not seen, those are accepted first that are connected first.
func (s *streams) connects(listener *end, pairs []pair) []transfer {
	h := whatFollows(s.in, listener)
	by, rest := map[int]transfer{}, []transfer{} // by accept, and those of which it is not seen
	for _, p := range pairs {
		for _, e := range [][2]*end{{p.one, p.other}, {p.other, p.one}} {
			if !e[0].connects {
				continue
			}
			i, ok := h.accepted(s.in, e[1])
			if _, taken := by[i]; ok && !taken {
				by[i] = e[0].connected
			} else {
				rest = append(rest, e[0].connected)
			}
		}
	}
	if len(by)+len(rest) != len(h.accepts) {
		return nil
	}
	slices.SortFunc(rest, byEnd)
	var connects []transfer
	for i := range h.accepts {
		c, ok := by[i]
		if !ok {
			c, rest = rest[0], rest[1:]
		}
		connects = append(connects, c)
	}
	return connects
}

// hands are what threads that accept connections do with them.
type hands struct {
	accepts []transfer     // that got a connection, by when they end
	values  map[uint64]int // what is sent after which of them, before the next
	got     map[int][]int  // by thread that was asked about: records with which it accepted a connection, or took something that was sent
}

// whatFollows finds what is done with the connections of a listener, whose accepts are by when they end.
func whatFollows(t *trace.Trace, listener *end) hands {
	h := hands{values: map[uint64]int{}, got: map[int][]int{}}
	for _, a := range listener.accepts {
		if !a.ended || a.bytes < 0 {
			continue
		}
		rs := t.Threads[a.thread].Records
		for k := a.record + 2; k < len(rs) && rs[k].Op != trace.OpAccept; k++ {
			if r := &rs[k]; r.End && r.Value != 0 && (r.Op == trace.OpSend || r.Op == trace.OpTrySend) {
				h.values[r.Value] = len(h.accepts)
			}
		}
		h.accepts = append(h.accepts, a)
	}
	return h
}

// accepted is the accept that got an end of a connection: the last one of the thread that is the first to use it, that after which this
// thread was sent something that it took before, or the last one before it was started.
func (h hands) accepted(t *trace.Trace, e *end) (accept int, ok bool) {
	used := slices.MinFunc(slices.Concat(e.reads, e.writes), byBegin)
	th := &t.Threads[used.thread]
	got := h.gotBy(t, used.thread)
	n, _ := slices.BinarySearch(got, used.record)
	if n == 0 {
		return h.last(func(a transfer) bool { return t.Threads[a.thread].ID == th.Parent && a.end <= th.Born })
	}
	k := got[n-1]
	if th.Records[k].Op == trace.OpAccept {
		return h.last(func(a transfer) bool { return a.thread == used.thread && a.record < k })
	}
	accept, ok = h.values[th.Records[k].Value]
	return accept, ok
}

// gotBy are the records with which a thread accepted a connection, or took something that was sent.
func (h hands) gotBy(t *trace.Trace, thread int) []int {
	got, known := h.got[thread]
	if known {
		return got
	}
	for k := range t.Threads[thread].Records {
		r := &t.Threads[thread].Records[k]
		if r.End && (r.Op == trace.OpAccept || (r.Op == trace.OpReceive || r.Op == trace.OpTryReceive) && r.Value != 0) {
			got = append(got, k)
		}
	}
	h.got[thread] = got
	return got
}

// last is the last accept that is so.
func (h hands) last(is func(transfer) bool) (accept int, ok bool) {
	for i := len(h.accepts) - 1; i >= 0; i-- {
		if is(h.accepts[i]) {
			return i, true
		}
	}
	return 0, false
}
