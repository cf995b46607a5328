package normalise

import (
	"slices"

	"tierscope/analysis/trace"
)

// givenThroughInboxes returns the trace with a queue to each thread that has a lock with which it is given work, and one from it
// where others wait for it. Who waits for more when the program ends, for which nobody else waits, finds its queue closed.
func givenThroughInboxes(t *trace.Trace) *trace.Trace {
	bs := inboxes(t)
	if len(bs) == 0 {
		return t
	}
	objects, edits := slices.Clone(t.Objects), map[int][]edit{}
	ends := map[int]int64{} // threads that end later than they did, ns
	awaited := joined(t)
	for _, b := range bs {
		with := map[*lockEvent][]trace.Record{} // what takes the place of an event
		pass := func(finds []found, sends []*lockEvent) (queue uint64) {
			if len(finds) == 0 {
				return 0
			}
			queue = counterObject + uint64(len(objects))
			objects = append(objects, trace.Object{ID: queue, Kind: "queue", Capacity: -1, Elem: 8, Site: t.Threads[sends[0].thread].Records[sends[0].record].Site})
			message := func(first, last *lockEvent, op trace.Op) []trace.Record {
				return asOperation(t, &stay{thread: first.thread, first: first.record, past: last.past}, op, 1, queue)
			}
			for i, f := range finds {
				with[f.first] = message(f.first, f.last, trace.OpReceive)
				with[sends[i]] = message(sends[i], sends[i], trace.OpSend)
			}
			return queue
		}
		queue := pass(b.finds, b.given)
		pass(b.learned, b.done)
		for _, e := range b.events {
			edits[e.thread] = append(edits[e.thread], edit{e.record, e.past, with[e]})
		}
		if !awaited[uint64(t.Threads[b.finds[0].first.thread].ID)] && b.worksToTheEnd() {
			b.closed(queue, edits, ends)
		}
	}
	out := edited(t, edits)
	out.Objects = objects
	for thread, at := range ends {
		th := &out.Threads[thread]
		th.Ended, th.Records[len(th.Records)-1].Time = at, at
	}
	return out
}

// joined are the threads for whose end others wait.
func joined(t *trace.Trace) map[uint64]bool {
	ids := map[uint64]bool{}
	for i := range t.Threads {
		for _, r := range t.Threads[i].Records {
			if r.Op == trace.OpJoin {
				ids[r.Value] = true
			}
		}
	}
	return ids
}

// worksToTheEnd reports whether the last thing that the owner found was work, and not that it has to end.
func (b *inbox) worksToTheEnd() bool {
	first, last := b.finds[0].last, b.finds[len(b.finds)-1].last
	rs := b.trace.Threads[last.thread].Records
	usual := float64(rs[last.past-1].CPU-rs[first.past-1].CPU) / float64(len(b.finds)-1)
	return float64(rs[len(rs)-1].CPU-rs[last.past-1].CPU) > sentinelShare*usual+min(endCost, usual/2)
}

// closed lets whoever gave the owner work last close the queue when it ends, and the owner find that.
func (b *inbox) closed(queue uint64, edits map[int][]edit, ends map[int]int64) {
	find, by := b.finds[len(b.finds)-1], b.given[len(b.given)-1]
	put := func(thread int, like trace.Record, op trace.Op, from, to int64) {
		rs := b.trace.Threads[thread].Records
		n := len(rs)
		end := rs[n-1]
		begin := trace.Record{Time: from, CPU: end.CPU, Sys: end.Sys, Assist: end.Assist, Ready: end.Ready, Site: like.Site, Op: op, Object: queue}
		last := begin
		last.Time, last.End = to, true
		if end.Op == trace.OpThreadEnd {
			n--
			ends[thread] = max(ends[thread], end.Time, to)
		}
		edits[thread] = append(edits[thread], edit{n, n, []trace.Record{begin, last}})
	}
	gives, takes := b.trace.Threads[by.thread].Records, b.trace.Threads[find.first.thread].Records
	at, from := gives[len(gives)-1].Time, takes[len(takes)-1].Time
	put(by.thread, gives[by.record], trace.OpClose, at, at)
	put(find.first.thread, takes[find.first.record], trace.OpReceive, from, max(at, from))
}
