package normalise

import (
	"slices"

	"tierscope/analysis/trace"
)

// counterObject is above the number of any object of a program's.
const counterObject = 1 << 62

// fill adds the queues of a generation to the trace, one for each round.
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
	pair := func(like trace.Record, op trace.Op, queue uint64, result int64) []trace.Record {
		like.Op, like.Object, like.Arg, like.Value, like.End = op, queue, 0, 0, false
		end := like
		end.End, end.Arg = true, result
		return []trace.Record{like, end}
	}
	var sent []trace.Record
	queues := make([]uint64, len(g.rounds))
	for k, r := range g.rounds {
		q := trace.Object{ID: counterObject + uint64(len(t.Objects)), Kind: "queue", Capacity: -1, Elem: 8, Site: rs[at].Site, Time: rs[at].Time}
		t.Objects = append(t.Objects, q)
		queues[k] = q.ID
		for range r.takes {
			sent = append(sent, pair(rs[at], trace.OpSend, q.ID, 1)...)
		}
	}
	t.Threads[parent].Records = slices.Concat(rs[:at], sent, rs[at:])
	for _, i := range g.threads {
		rs, from := t.Threads[i].Records, 0
		var with []trace.Record
		for k, r := range g.rounds {
			for _, s := range r.enters {
				if s.thread != i {
					continue
				}
				got := int64(1)
				if s.exit == g.leave {
					got = 0
				}
				with = append(with, rs[from:s.first]...)
				with = append(with, pair(rs[s.first], trace.OpTryReceive, queues[k], got)...)
				if from = s.first; got == 0 {
					from = s.past
				}
			}
		}
		t.Threads[i].Records = append(with, rs[from:]...)
	}
}
