package normalise

import (
	"slices"

	"tierscope/analysis/trace"
)

// StreamMessages returns the trace with what threads of the program write to each other, through connections and pipes, as
// messages of queues:
//
//	client:  connect    write 40 bytes    read 7                   send c    send a       receive b
//	server:  accept     read 40, compute, write 7           →      receive c    receive a, compute, send b
//
// A write is a message, which the read of the most of it receives; a read of several writes receives them
// one after the other, and one of a smaller part of a message is none. Who reads the end of a stream finds it closed.
// Connections to other programs stay what they are: nobody here writes what is read from them.
func StreamMessages(t *trace.Trace) *trace.Trace {
	ends := endsOf(t)
	pairs := pairsOf(ends)
	if len(pairs) == 0 {
		return t
	}
	s := streams{in: t, told: slices.ContainsFunc(ends, func(e *end) bool { return e.closes }), objects: slices.Clone(t.Objects), edits: map[int][]edit{}}
	for _, p := range pairs {
		s.stream(p.one, p.other)
		s.stream(p.other, p.one)
	}
	s.accepts(ends, pairs)
	out := edited(t, s.edits)
	out.Objects = s.objects
	return out
}

// streams are the edits by which operations on streams become those on queues.
type streams struct {
	in       *trace.Trace
	told     bool // it is recorded when an end is closed; else who reads nothing finds the stream closed
	objects  []trace.Object
	edits    map[int][]edit
	messages uint64
}

// streamValue is above the identities of what goes through channels.
const streamValue = 1 << 63

// queue adds a queue without bound that is first used by a record.
func (s *streams) queue(first *trace.Record) uint64 {
	q := trace.Object{ID: counterObject + uint64(len(s.objects)), Kind: trace.Stream, Capacity: -1, Elem: 8, Site: first.Site, Time: first.Time}
	s.objects = append(s.objects, q)
	return q.ID
}

// put lets an operation be others on a queue, one for each value; of those after the first, which take no time, all
// are at its end.
func (s *streams) put(m message, op trace.Op, queue uint64, result int64, values ...uint64) {
	rs := s.in.Threads[m.thread].Records
	begin, past := rs[m.record], m.record+1
	begin.Op, begin.Object, begin.Arg, begin.Value = op, queue, 0, 0
	with := []trace.Record{begin}
	if past < len(rs) && rs[past].End {
		end := rs[past]
		end.Op, end.Object, end.Site, end.Arg, end.OS, end.Read = op, queue, begin.Site, result, 0, 0
		again := end
		again.End, again.Arg, again.Value = false, 0, 0
		past++
		for i, v := range values {
			if i > 0 {
				with = append(with, again)
			}
			end.Value = v
			with = append(with, end)
		}
	}
	s.edits[m.thread] = append(s.edits[m.thread], edit{m.record, past, with})
}

// leave takes an operation out: what is left of it is computation.
func (s *streams) leave(m message) {
	s.edits[m.thread] = append(s.edits[m.thread], edit{first: m.record, past: m.record + 2})
}

// stream makes a queue of what one end writes and the other one reads.
func (s *streams) stream(from, to *end) {
	if len(from.writes) == 0 {
		return
	}
	queue := s.queue(recordOf(s.in, from.writes[0].message))
	sent := make([]uint64, len(from.writes))
	for i, w := range from.writes {
		s.messages++
		sent[i] = streamValue | s.messages
		s.put(w.message, trace.OpSend, queue, 1, sent[i])
	}
	got := receivers(from.writes, to.reads)
	for i, r := range to.reads {
		var values []uint64
		for _, w := range got[i] {
			values = append(values, sent[w])
		}
		switch {
		case !r.ended:
			s.put(r.message, trace.OpReceive, queue, 0)
		case r.bytes <= 0 && (!s.told || from.closes && from.closed.begin <= r.end):
			s.put(r.message, trace.OpReceive, queue, 0, 0)
		case len(values) == 0:
			s.leave(r.message)
		default:
			s.put(r.message, trace.OpReceive, queue, 1, values...)
		}
	}
	if from.closes {
		s.put(from.closed.message, trace.OpClose, queue, 0, 0)
	}
}

// receivers returns for each read the writes of which it has the most, the first of equal ones.
func receivers(writes, reads []transfer) [][]int {
	of := make([][]int, len(reads))
	most, at := make([]int64, len(writes)), make([]int, len(writes))
	first, begun, read := 0, int64(0), int64(0) // the write of which the next byte is, where it begins; bytes read so far
	for i, r := range reads {
		from := read
		read += max(r.bytes, 0)
		for w, start := first, begun; w < len(writes) && start < read; w++ {
			end := start + writes[w].bytes
			if part := min(end, read) - max(start, from); part > most[w] {
				most[w], at[w] = part, i
			}
			if start = end; end <= read {
				first, begun = w+1, end
			}
		}
	}
	for w, i := range at {
		if most[w] > 0 {
			of[i] = append(of[i], w)
		}
	}
	return of
}
