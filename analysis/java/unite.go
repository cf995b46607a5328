package java

import (
	"math"
	"slices"

	"tierscope/analysis/trace"
)

// uniteWorkers makes the workers of an executor threads of one pool, wherever each was started and whatever it had to do
// first: they run what most of them began with, and were started where the first one was. Those of starters are no pool.
func (d *decoder) uniteWorkers(starters map[uint64]*starter) {
	at := map[uint64]int32{} // where a thread is started
	for executor, ids := range d.workers {
		if starters[uint64(executor)] != nil {
			continue
		}
		times := map[string]int{}
		first := d.thread[ids[0]]
		for _, id := range ids {
			t := d.thread[id]
			times[t.Start]++
			if d.startOf(t) < d.startOf(first) {
				first = t
			}
		}
		most := first.Start
		for start, n := range times {
			if n > times[most] || n == times[most] && start < most {
				most = start
			}
		}
		for _, id := range ids {
			d.thread[id].Start, d.thread[id].Creator = most, first.Creator
			at[uint64(id)] = first.Creator
		}
		d.startTogether(first, ids)
	}
	for _, t := range d.thread {
		for i := range t.Records {
			if r := &t.Records[i]; r.Op == trace.OpSpawn {
				if site, worker := at[r.Value]; worker {
					r.Site = site
				}
			}
		}
	}
}

// startTogether lets who starts the first worker of an executor start those that other workers of it did: these submitted tasks, and
// whether a worker is missing then depends on who comes when.
func (d *decoder) startTogether(first *jthread, ids []int64) {
	parent := d.thread[first.Parent]
	if parent == nil || slices.Contains(ids, first.Parent) {
		return
	}
	begun := slices.IndexFunc(parent.Records, func(r trace.Record) bool { return r.Op == trace.OpSpawn && r.Value == uint64(first.ID) })
	if begun < 0 {
		return
	}
	var starts []trace.Record
	for _, id := range ids {
		t := d.thread[id]
		by := d.thread[t.Parent]
		if by == nil || !slices.Contains(ids, t.Parent) {
			continue
		}
		by.Records = slices.DeleteFunc(by.Records, func(r trace.Record) bool { return r.Op == trace.OpSpawn && r.Value == uint64(id) })
		start := parent.Records[begun]
		start.Value, t.Parent, t.Born = uint64(id), first.Parent, start.Time
		starts = append(starts, start)
	}
	parent.Records = slices.Insert(parent.Records, begun+1, starts...)
}

// startOf is when a thread was started, by its first record if nobody saw that.
func (d *decoder) startOf(t *jthread) int64 {
	if s := d.firsts[t.ID]; s != nil {
		return s.time
	}
	return math.MaxInt64
}

// knowFirstTasks gives the first task of a worker, which is handed over with the thread, the identity of what was submitted when the thread was
// started, and it waits for that until then.
func (d *decoder) knowFirstTasks() {
	for executor, ids := range d.workers {
		for _, id := range ids {
			t, first := d.thread[id], d.firsts[id]
			if first == nil || d.thread[first.parent] == nil || len(t.Records) < 2 {
				continue
			}
			if got := t.Records[1]; got.Op != trace.OpReceive || !got.End || got.Object != uint64(executor) || got.Value != 0 {
				continue
			}
			if sent := submittedAt(d.thread[first.parent].Records, uint64(executor), first.time); sent != nil {
				t.Records[1].Value, t.Records[1].Time = sent.Value, max(t.Records[1].Time, first.time)
			}
		}
	}
}

// submittedAt returns the end of the submission to an executor that a thread was at at a time, ns; nil: it was at none.
func submittedAt(rs []trace.Record, executor uint64, at int64) *trace.Record {
	inside := false
	for i := range rs {
		switch r := &rs[i]; {
		case r.Op != trace.OpSend || r.Object != executor:
		case !r.End && r.Time > at:
			return nil
		case !r.End:
			inside = true
		case inside && at <= r.Time:
			return r
		}
	}
	return nil
}
