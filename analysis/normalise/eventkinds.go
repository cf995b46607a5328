package normalise

import (
	"math"

	"tierscope/analysis/trace"
)

// keep reports whether event loops keep to connections of their own.
func keep(t *trace.Trace, asked map[message]bool, loops map[int]bool) bool {
	of := map[uint64]int{}
	for m := range asked {
		if !loops[m.thread] {
			continue
		}
		c := recordOf(t, m).Object
		if thread, known := of[c]; known && thread != m.thread {
			return false
		}
		of[c] = m.thread
	}
	return len(loops) > 0
}

// requestsOf are the reads with which requests begin, of connections that others asked for.
func requestsOf(ends []*end) map[message]bool {
	asked := map[message]bool{}
	for _, e := range ends {
		if e.connects || e.pipe {
			continue
		}
		answers, written := e.writes, true
		for _, r := range e.reads {
			for len(answers) > 0 && answers[0].begin < r.end {
				answers, written = answers[1:], true
			}
			if written && r.bytes > 0 {
				asked[r.message], written = true, false
			}
		}
	}
	return asked
}

// eventLoops are the threads that serve connections by turns, and those of their kinds that read requests; and the queues from which
// others get each request.
func eventLoops(t *trace.Trace, asked map[message]bool) (loops map[int]bool, queues map[uint64]bool) {
	type kind struct {
		start   string
		creator int32
	}
	turns, reads := map[kind]bool{}, map[int]kind{}
	queues = map[uint64]bool{}
	accepted := firstAccepted(t)
	for i := range t.Threads {
		th := &t.Threads[i]
		own := kind{th.Start, th.Creator}
		seen, last := map[uint64]bool{}, uint64(0)
		requests, polled, given, from := 0, 0, 0, uint64(0)
		returns, handed := false, uint64(0)
		for k := range th.Records {
			r := &th.Records[k]
			if !asked[message{i, k}] {
				if r.Op == trace.OpReceive && r.End && r.Arg == 1 {
					handed = r.Object
				}
				continue
			}
			requests++
			if waitedBefore(th.Records, k) {
				polled++
			}
			if handed != 0 {
				given, from, handed = given+1, handed, 0
			}
			returns = returns || seen[r.Object] && r.Object != last
			seen[r.Object], last = true, r.Object
		}
		switch {
		case requests == 0:
		case 2*given >= requests:
			queues[from] = true
		default:
			reads[i] = own
			turns[own] = turns[own] || returns || 2*polled > requests && th.Born < accepted
		}
	}
	loops = map[int]bool{}
	for i, own := range reads {
		if turns[own] {
			loops[i] = true
		}
	}
	return loops, queues
}

// dispatches are the sends of requests by threads that wait, in a way that says nothing of what for, until there are some.
func dispatches(t *trace.Trace, asked map[message]bool, queues map[uint64]bool) map[message]bool {
	entries := map[message]bool{}
	for i := range t.Threads {
		rs := t.Threads[i].Records
		var sends []message
		waited := 0
		for k := range rs {
			m := message{i, k}
			if asked[m] {
				sends = nil // it reads requests itself
				break
			}
			if r := &rs[k]; r.Op == trace.OpSend && !r.End && queues[r.Object] {
				sends = append(sends, m)
				if waitedBefore(rs, k) {
					waited++
				}
			}
		}
		if 2*waited > len(sends) {
			for _, m := range sends {
				entries[m] = true
			}
		}
	}
	return entries
}

// firstAccepted is when the first connection was accepted: whoever was there before was not started for one.
func firstAccepted(t *trace.Trace) int64 {
	first := int64(math.MaxInt64)
	for i := range t.Threads {
		for k := range t.Threads[i].Records {
			if r := &t.Threads[i].Records[k]; r.Op == trace.OpAccept && r.End && r.Arg >= 0 {
				first = min(first, r.Time)
			}
		}
	}
	return first
}
