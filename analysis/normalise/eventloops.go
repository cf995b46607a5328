package normalise

import (
	"fmt"
	"math"

	"tierscope/analysis/trace"
)

// AcceptEvents returns the trace of a server with requests that enter where a thread that serves many connections by turns
// reads them, in place of its waits for any of these:
//
//	wait, read a, compute, write a, read b, compute, write b, wait  →  accept, compute, write a, accept, compute, write b
//
// A request is what is first read of a connection, or after its last answer was written. A thread serves connections by turns if it comes back to
// one after it read from another, or waits in another way before it reads and was there before there were connections; those of its kind do so as well. Who
// gets connections from a queue does not. What accepts the connections themselves is no source of requests then.
func AcceptEvents(t *trace.Trace) (out *trace.Trace, assumed []string) {
	if t.WorkEnd <= t.WorkStart {
		return t, nil
	}
	asked := requestsOf(endsOf(t))
	loops := eventLoops(t, asked)
	if len(loops) == 0 {
		return t, nil
	}
	if keep(t, asked, loops) {
		assumed = append(assumed, fmt.Sprintf("each connection is served by one of %d threads, and has to wait for it; in the model the first that is free takes a request, "+
			"so that response times are longer than it says where several of them have cores", len(loops)))
	}
	edits := map[int][]edit{}
	site := int32(-1)
	for i := range t.Threads {
		if loops[i] {
			edits[i], site = acceptsIn(t, i, asked, site)
			continue
		}
		for k, r := range t.Threads[i].Records {
			if r.Op == trace.OpAccept {
				r.Op = trace.OpNetRead
				edits[i] = append(edits[i], edit{k, k + 1, []trace.Record{r}})
			}
		}
	}
	return edited(t, edits), assumed
}

// keep reports whether several event loops keep to connections of their own.
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
	return len(loops) > 1
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

// eventLoops are the threads that serve connections by turns, and those of their kinds that read requests.
func eventLoops(t *trace.Trace, asked map[message]bool) map[int]bool {
	type kind struct {
		start   string
		creator int32
	}
	turns, reads := map[kind]bool{}, map[int]kind{}
	accepted := firstAccepted(t)
	for i := range t.Threads {
		th := &t.Threads[i]
		own := kind{th.Start, th.Creator}
		seen, last := map[uint64]bool{}, uint64(0)
		requests, polled, given := 0, 0, 0
		returns, handed := false, false
		for k := range th.Records {
			r := &th.Records[k]
			if !asked[message{i, k}] {
				handed = handed || r.Op == trace.OpReceive && r.End
				continue
			}
			requests++
			if waitedBefore(th.Records, k) {
				polled++
			}
			if handed {
				given++
			}
			returns = returns || seen[r.Object] && r.Object != last
			seen[r.Object], last, handed = true, r.Object, false
		}
		if requests > 0 && 2*given < requests {
			reads[i] = own
			turns[own] = turns[own] || returns || 2*polled > requests && th.Born < accepted
		}
	}
	loops := map[int]bool{}
	for i, own := range reads {
		if turns[own] {
			loops[i] = true
		}
	}
	return loops
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

// waitedBefore reports whether a thread waited, in a way that says nothing of what for, directly before an operation.
func waitedBefore(rs []trace.Record, k int) bool {
	return k > 1 && rs[k-1].Op == trace.OpExternal && rs[k-1].End && rs[k-2].Op == trace.OpExternal
}

// acceptsIn are the edits of an event loop, in which all requests are accepted at one site; below 0: that of its first.
func acceptsIn(t *trace.Trace, thread int, asked map[message]bool, site int32) ([]edit, int32) {
	rs := t.Threads[thread].Records
	idle := waitsBefore(rs, func(k int) bool { return asked[message{thread, k}] })
	var edits []edit
	for k := 0; k+1 < len(rs); k++ {
		r, past := rs[k], k+1
		if rs[past].End {
			past++
		}
		switch {
		case r.End:
		case asked[message{thread, k}]:
			if site < 0 {
				site = r.Site
			}
			begin, end := r, rs[k+1]
			first := k
			if waitedBefore(rs, k) {
				first, begin = k-2, rs[k-2]
				edits = edits[:len(edits)-1] // its own
			}
			for _, one := range []*trace.Record{&begin, &end} {
				one.Op, one.Site, one.Object, one.Arg, one.Value, one.OS, one.Read = trace.OpAccept, site, 0, 0, 0, 0, 0
			}
			edits = append(edits, edit{first, past, []trace.Record{begin, end}})
		case r.Op == trace.OpExternal && idle[r.Site]:
			edits = append(edits, edit{first: k, past: past})
		case r.Op == trace.OpAccept:
			r.Op = trace.OpNetRead
			edits = append(edits, edit{k, k + 1, []trace.Record{r}})
		}
	}
	return edits, site
}

// waitsBefore are the sites at which a thread waits directly before requests.
func waitsBefore(rs []trace.Record, asked func(int) bool) map[int32]bool {
	idle := map[int32]bool{}
	for k := range rs {
		if asked(k) && waitedBefore(rs, k) {
			idle[rs[k-2].Site] = true
		}
	}
	return idle
}
