package normalise

import (
	"slices"

	"tierscope/analysis/trace"
)

// counterObject is above the number of any object of a program's.
const counterObject = 1 << 62

// fill adds the queues of a generation to the objects of the trace, one for each round, and to the edits of its threads what sends to
// them and takes from them.
func fill(t *trace.Trace, c counter, g counted, edits map[int][]edit) {
	parent := slices.IndexFunc(t.Threads, func(th trace.Thread) bool { return th.ID == t.Threads[g.threads[0]].Parent })
	if parent < 0 {
		return
	}
	ids := map[uint64]bool{}
	for _, i := range g.threads {
		ids[uint64(t.Threads[i].ID)] = true
	}
	rs := t.Threads[parent].Records
	at := slices.IndexFunc(rs, func(r trace.Record) bool { return r.Op == trace.OpSpawn && ids[r.Value] })
	if at < 0 {
		return
	}
	pair := func(like trace.Record, op trace.Op, queue uint64, result int64) []trace.Record {
		like.Op, like.Object, like.Arg, like.Value, like.End = op, queue, 0, 0, false
		end := like
		end.End, end.Arg = true, result
		return []trace.Record{like, end}
	}
	send := rs[at]
	send.Site = c.site // another counter is another queue
	var sent []trace.Record
	for _, r := range g.rounds {
		q := trace.Object{ID: counterObject + uint64(len(t.Objects)), Kind: "queue", Capacity: -1, Elem: 8, Site: c.site, Time: rs[at].Time}
		t.Objects = append(t.Objects, q)
		for range r.takes {
			sent = append(sent, pair(send, trace.OpSend, q.ID, 1)...)
		}
		for _, s := range r.enters {
			enter, got, past := t.Threads[s.thread].Records[s.first], int64(1), s.first
			if s.exit == g.leave {
				got, past = 0, s.past
			}
			edits[s.thread] = append(edits[s.thread], edit{s.first, past, pair(enter, trace.OpTryReceive, q.ID, got)})
		}
	}
	edits[parent] = append(edits[parent], edit{at, at, sent})
}
