package normalise

import (
	"cmp"
	"math"
	"slices"

	"tierscope/analysis/trace"
)

// end is one end of a connection or pipe, with what was done at it.
type end struct {
	object            uint64
	writes, reads     []transfer // by when they began; by when they ended
	accepts           []transfer // of a listener
	connected, closed transfer   // the first of each
	connects, closes  bool
	pipe              bool  // it was used as files are
	known             bool  // the recording says that it is a pipe
	sent, got         int64 // bytes in all
}

// transfer is an operation at an end.
type transfer struct {
	message
	begin, end int64 // ns
	ended      bool
	bytes      int64 // less than 0: it failed
}

func byBegin(a, b transfer) int { return cmp.Compare(a.begin, b.begin) }
func byEnd(a, b transfer) int   { return cmp.Compare(a.end, b.end) }

// endsOf lists what was written to and read from, but for files that were opened by name.
func endsOf(t *trace.Trace) []*end {
	named, pipes := map[uint64]bool{}, map[uint64]bool{}
	for _, o := range t.Objects {
		named[o.ID] = o.Kind == "file" && o.Site >= 0
		pipes[o.ID] = o.Kind == trace.Pipe
	}
	by := map[uint64]*end{}
	var order []*end
	for i := range t.Threads {
		for k, r := range t.Threads[i].Records {
			switch r.Op {
			case trace.OpNetRead, trace.OpNetWrite, trace.OpFileSend, trace.OpNetClose, trace.OpConnect, trace.OpAccept, trace.OpFileRead, trace.OpFileWrite, trace.OpFileClose:
			default:
				continue
			}
			if r.End || named[r.Object] || r.Object == 0 && r.Op != trace.OpAccept {
				continue
			}
			e := by[r.Object]
			if e == nil {
				e = &end{object: r.Object, known: pipes[r.Object]}
				by[r.Object] = e
				order = append(order, e)
			}
			e.note(t, message{i, k})
		}
	}
	for _, e := range order {
		slices.SortStableFunc(e.writes, byBegin)
		slices.SortStableFunc(e.reads, byEnd)
	}
	return order
}

// note adds an operation to those at an end.
func (e *end) note(t *trace.Trace, m message) {
	r, last := recordOf(t, m), result(t, m)
	x := transfer{message: m, begin: r.Time, end: last.Time, ended: last.End, bytes: last.Arg}
	if !x.ended {
		x.end, x.bytes = math.MaxInt64, 0
	}
	switch r.Op {
	case trace.OpFileWrite, trace.OpFileRead, trace.OpFileClose:
		e.pipe = true
	}
	switch r.Op {
	case trace.OpNetWrite, trace.OpFileWrite, trace.OpFileSend:
		if x.bytes == 0 && x.ended { // the call returns nothing
			x.bytes = r.Arg
		}
		if x.bytes > 0 {
			e.writes, e.sent = append(e.writes, x), e.sent+x.bytes
		}
	case trace.OpNetRead, trace.OpFileRead:
		e.reads, e.got = append(e.reads, x), e.got+max(x.bytes, 0)
	case trace.OpAccept:
		e.accepts = append(e.accepts, x)
	case trace.OpConnect:
		if !e.connects || x.begin < e.connected.begin {
			e.connected, e.connects = x, true
		}
	default:
		if !e.closes || x.begin < e.closed.begin {
			e.closed, e.closes = x, true
		}
	}
}

// listenerOf returns the only end at which connections are accepted; nil: there are several, or none.
func listenerOf(ends []*end) (listener *end) {
	for _, e := range ends {
		if len(e.accepts) > 0 {
			if listener != nil {
				return nil
			}
			listener = e
		}
	}
	return listener
}

// pair are the two ends of a stream or, if both write, of two.
type pair struct {
	one, other *end
	missing    int64 // bytes that were written and not read
	lag        int64 // ns from where data was there and asked for to where it was read, all together
}

// pairsOf finds out which ends belong together. No address is recorded: what tells it are the bytes. Whatever is read at
// one end has been written at the other before, down to the last byte; of several that fit, those that
// read soonest. A connection was asked for at one of its ends; where that is not recorded, both ends write. Two servers of other
// processes do not fit: each would have to write before the other one reads.
func pairsOf(ends []*end) []pair {
	told := slices.ContainsFunc(ends, func(e *end) bool { return e.connects && e.sent+e.got > 0 })
	ends = slices.DeleteFunc(slices.Clone(ends), func(e *end) bool { return e.sent+e.got == 0 })
	var fit []pair
	for i, a := range ends {
		for _, b := range ends[i+1:] {
			switch {
			case a.sent < b.got || b.sent < a.got, a.pipe != b.pipe:
				continue
			case a.pipe && !piped(a, b) && !piped(b, a):
				continue
			case !a.pipe && told && a.connects == b.connects, !a.pipe && !told && !answers(a, b):
				continue
			}
			there, lag, ok := carried(a.writes, b.reads)
			if !ok {
				continue
			}
			back, also, ok := carried(b.writes, a.reads)
			if !ok {
				continue
			}
			fit = append(fit, pair{a, b, a.sent + b.sent - there - back, lag + also})
		}
	}
	slices.SortStableFunc(fit, func(p, q pair) int { return cmp.Or(cmp.Compare(p.missing, q.missing), cmp.Compare(p.lag, q.lag)) })
	taken := map[*end]bool{}
	return slices.DeleteFunc(fit, func(p pair) bool {
		if taken[p.one] || taken[p.other] || p.missing == p.one.sent+p.other.sent {
			return true
		}
		taken[p.one], taken[p.other] = true, true
		return false
	})
}

// answers reports whether all that is written at either end is read at the other one.
func answers(a, b *end) bool { return a.sent > 0 && b.sent > 0 && a.sent == b.got && b.sent == a.got }

// piped reports whether all that goes into an end comes out at the other one, which is read while it is still
// written to, unless it is known that they are pipes: a file would be read afterwards, and what is for other programs does not come back.
func piped(in, out *end) bool {
	return in.sent > 0 && in.sent == out.got && out.sent == 0 && in.got == 0 &&
		(in.known && out.known || out.reads[0].begin < in.writes[len(in.writes)-1].begin)
}

// carried reports whether all that was read had been written before, how many bytes that is, and how long after
// it could have been it was read.
func carried(writes, reads []transfer) (bytes, lag int64, ok bool) {
	next, written := 0, int64(0)
	for _, r := range reads {
		if !r.ended || r.bytes <= 0 {
			continue
		}
		bytes += r.bytes
		for ; written < bytes; next++ {
			if next == len(writes) || writes[next].begin > r.end {
				return 0, 0, false
			}
			written += writes[next].bytes
		}
		lag += r.end - max(r.begin, writes[next-1].begin)
	}
	return bytes, lag, true
}
