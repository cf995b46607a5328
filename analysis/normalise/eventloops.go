package normalise

import (
	"fmt"
	"slices"

	"tierscope/analysis/trace"
)

// AcceptEvents returns the trace of a server with requests that enter where a thread that serves many connections by turns
// reads them, in place of its waits for any of these:
//
//	wait, read a, compute, write a, read b, compute, write b, wait  →  accept, compute, write a, accept, compute, write b
//
// A request is what is first read of a connection, or after its last answer was written. A thread serves connections by turns if it comes back to
// one after it read from another, or waits in another way before it reads and was there before there were connections; those of its kind do so as well. Who
// gets connections from a queue does not: there requests enter where a thread that waits for all connections sends them on. What accepts the
// connections themselves is no source of requests then. If no connection is served by two threads, each accepts those of its own.
func AcceptEvents(t *trace.Trace) (out *trace.Trace, assumed []string) {
	if t.WorkEnd <= t.WorkStart {
		return t, nil
	}
	asked := requestsOf(endsOf(t))
	loops, queues := eventLoops(t, asked)
	entries := dispatches(t, asked, queues)
	for m := range asked {
		if loops[m.thread] {
			entries[m] = true
		}
	}
	if len(entries) == 0 {
		return t, nil
	}
	own := keep(t, asked, loops)
	edits := map[int][]edit{}
	site := int32(-1)
	objects := slices.Clone(t.Objects)
	for i := range t.Threads {
		of := uint64(0)
		if own && loops[i] {
			of = counterObject + uint64(len(objects))
			objects = append(objects, trace.Object{ID: of, Kind: trace.Loop, Capacity: -1, Elem: -1, Site: -1})
		}
		edits[i], site = acceptsIn(t, i, entries, of, site)
	}
	if own {
		assumed = append(assumed, fmt.Sprintf("each connection is served by one thread, of %d, and waits for that; in the model a request comes to any of them with the same probability", len(loops)))
	}
	out = edited(t, edits)
	out.Objects = objects
	return out, assumed
}

// acceptsIn are the edits of a thread in which requests of an object, 0: of none, enter at some records, if at any. All are accepted at one
// site; below 0: that of the first.
func acceptsIn(t *trace.Trace, thread int, entries map[message]bool, of uint64, site int32) ([]edit, int32) {
	rs := t.Threads[thread].Records
	idle := waitsBefore(rs, func(k int) bool { return entries[message{thread, k}] })
	var edits []edit
	for k, past := 0, 0; k < len(rs); k = past {
		r := rs[k]
		past = k + 1
		if past < len(rs) && rs[past].End {
			past++
		}
		switch {
		case r.Op == trace.OpAccept:
			as := slices.Clone(rs[k:past])
			for i := range as {
				as[i].Op = trace.OpNetRead
			}
			edits = append(edits, edit{k, past, as})
		case r.End:
		case entries[message{thread, k}]:
			if site < 0 {
				site = r.Site
			}
			begin, end := r, rs[past-1]
			first := k
			var then []trace.Record
			if r.Op == trace.OpSend { // it was there before
				end, then = r, rs[k:past]
				end.End = true
			}
			if waitedBefore(rs, k) {
				first, begin = k-2, rs[k-2]
				edits = edits[:len(edits)-1] // its own
			}
			for _, one := range []*trace.Record{&begin, &end} {
				one.Op, one.Site, one.Object, one.Arg, one.Value, one.OS, one.Read = trace.OpAccept, site, of, 0, 0, 0, 0
			}
			edits = append(edits, edit{first, past, append([]trace.Record{begin, end}, then...)})
		case r.Op == trace.OpExternal && idle[r.Site]:
			edits = append(edits, edit{first: k, past: past})
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

// waitedBefore reports whether a thread waited, in a way that says nothing of what for, directly before an operation.
func waitedBefore(rs []trace.Record, k int) bool {
	return k > 1 && rs[k-1].Op == trace.OpExternal && rs[k-1].End && rs[k-2].Op == trace.OpExternal && !rs[k-2].End
}
