package java

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// interruptOf is above all that parks, monitors and executors are: + id of the thread that is interrupted.
const interruptOf = 1 << 38

// interrupts makes closes of the interrupts that end threads which take from a queue for ever: once all that take from it have
// been told, it is as good as closed. Other interrupts are none of what a model knows.
func interrupts(t *trace.Trace) {
	var told []*trace.Record // beginnings of interrupts
	for i := range t.Threads {
		for k := range t.Threads[i].Records {
			if r := &t.Threads[i].Records[k]; r.Object&interruptOf != 0 && !r.End {
				told = append(told, r)
			}
		}
	}
	if len(told) == 0 {
		return
	}
	takers := map[uint64]map[int64]bool{} // of queues
	last := map[int64]*trace.Record{}     // end of the last take of a thread
	for i := range t.Threads {
		th := &t.Threads[i]
		for k := range th.Records {
			r := &th.Records[k]
			if r.Op != trace.OpReceive || !r.End {
				continue
			}
			if takers[r.Object] == nil {
				takers[r.Object] = map[int64]bool{}
			}
			takers[r.Object][th.ID], last[th.ID] = true, r
		}
	}
	slices.SortStableFunc(told, func(a, b *trace.Record) int { return cmp.Compare(a.Time, b.Time) })
	closes := map[uint64]*trace.Record{} // by queue: the first interrupt of who takes from it
	for _, r := range told {
		thread := int64(r.Object &^ interruptOf)
		end := last[thread]
		if end == nil || end.Arg != 0 || end.Time < r.Time {
			continue
		}
		if delete(takers[end.Object], thread); closes[end.Object] == nil {
			closes[end.Object] = r
		}
	}
	ended := map[*trace.Record]uint64{}
	for queue, r := range closes {
		if len(takers[queue]) == 0 {
			ended[r] = queue
		}
	}
	for i := range t.Threads {
		rs := t.Threads[i].Records
		for k := range rs {
			if queue := ended[&rs[k]]; queue != 0 {
				rs[k].Object = queue
				if end, ok := trace.EndOf(rs, k); ok {
					end.Object = queue
				}
			}
		}
		t.Threads[i].Records = slices.DeleteFunc(rs, func(r trace.Record) bool { return r.Object&interruptOf != 0 })
	}
}
