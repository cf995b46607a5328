package normalise

import (
	"slices"

	"tierscope/analysis/trace"
)

// counterObject is above the number of any object of a program's.
const counterObject = 1 << 62

// fill adds the queue of a generation to the trace.
func fill(t *trace.Trace, c counter, g counted) {
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
	q := trace.Object{ID: counterObject + uint64(len(t.Objects)), Kind: "queue", Capacity: -1, Elem: 8, Site: rs[at].Site, Time: rs[at].Time}
	var sent []trace.Record
	pair := func(like trace.Record, op trace.Op, result int64) []trace.Record {
		like.Op, like.Object, like.Arg, like.Value, like.End = op, q.ID, 0, 0, false
		end := like
		end.End, end.Arg = true, result
		return []trace.Record{like, end}
	}
	for range g.takes {
		sent = append(sent, pair(rs[at], trace.OpSend, 1)...)
	}
	t.Threads[parent].Records = slices.Concat(rs[:at], sent, rs[at:])
	for _, i := range g.threads {
		var with []trace.Record
		from := 0
		for _, s := range g.enters {
			if s.thread != i {
				continue
			}
			rs := t.Threads[i].Records
			got := int64(1)
			if s.exit == g.leave {
				got = 0
			}
			with = append(with, rs[from:s.first]...)
			with = append(with, pair(rs[s.first], trace.OpTryReceive, got)...)
			if from = s.first; got == 0 {
				from = s.past
			}
		}
		t.Threads[i].Records = append(with, t.Threads[i].Records[from:]...)
	}
	t.Objects = append(t.Objects, q)
}
