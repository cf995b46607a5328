package java

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// Many programs have an executor only to start threads, of one kind or of several:
//
//	ExecutorService pool = Executors.newFixedThreadPool(producers + consumers);
//	for (int i = 0; i < producers; i++) pool.submit(new Producer());
//	for (int i = 0; i < consumers; i++) pool.submit(new Consumer());
//
// Each task that is submitted starts a worker, and all of them run at the same time: no task ever waits for a worker. To a
// model these are threads that are started where the tasks are submitted, each of which is what its task is.

// starter is an executor that only starts threads.
type starter struct {
	executor uint32
	workers  map[uint64]bool
	begun    map[uint64]int64 // ns: when each worker was started
}

// starters finds them, in the records of the threads as they were written.
func (d *decoder) starters() map[uint64]*starter {
	sent, last := map[uint32]int{}, map[uint32]int64{}
	for _, t := range d.thread {
		for _, r := range t.Records {
			if r.Op == trace.OpSend && !r.End {
				sent[uint32(r.Object)]++
				last[uint32(r.Object)] = max(last[uint32(r.Object)], r.Time)
			}
		}
	}
	found := map[uint64]*starter{}
	for executor, ids := range d.workers {
		if sent[executor] != len(ids) {
			continue
		}
		s := &starter{executor, map[uint64]bool{}, map[uint64]int64{}}
		for _, id := range ids {
			first := d.firsts[id]
			if first == nil || !d.thread[id].doesOneTask(uint64(executor), last[executor]) {
				break
			}
			s.workers[uint64(id)], s.begun[uint64(id)] = true, first.time
		}
		if len(s.workers) == len(ids) {
			found[uint64(executor)] = s
		}
	}
	return found
}

// doesOneTask reports whether a worker fetched one task only, which it was still at at a time, ns.
func (t *jthread) doesOneTask(executor uint64, at int64) bool {
	tasks, over := 0, cmp.Or(t.Ended, at+1)
	for _, r := range t.Records {
		switch {
		case r.Op != trace.OpReceive || r.Object != executor:
		case !r.End && tasks == 1:
			over = min(over, r.Time)
		case r.End && r.Arg == 1:
			tasks++
		}
	}
	return tasks == 1 && over > at
}

// startThreads puts the starts of threads in the place of the tasks that starters are given, and leaves out that workers ask
// them for more.
func startThreads(t *trace.Trace, starters map[uint64]*starter) {
	if len(starters) == 0 {
		return
	}
	starts := map[uint64]trace.Record{} // by worker, as it was written
	for i := range t.Threads {
		for _, r := range t.Threads[i].Records {
			if r.Op == trace.OpSpawn {
				starts[r.Value] = r
			}
		}
	}
	of := func(worker uint64) *starter {
		for _, s := range starters {
			if s.workers[worker] {
				return s
			}
		}
		return nil
	}
	born := map[uint64]int64{}
	for i := range t.Threads {
		th := &t.Threads[i]
		var out []trace.Record
		for k, r := range th.Records {
			s := starters[r.Object]
			switch {
			case r.Op == trace.OpSpawn && of(r.Value) != nil:
				continue
			case s == nil:
			case r.Op == trace.OpSend && !r.End:
				until := r.Time
				if k+1 < len(th.Records) {
					until = th.Records[k+1].Time
				}
				for _, w := range s.startedWithin(r.Time, until) {
					start := r
					start.Op, start.Object, start.Arg, start.Value, start.Site = trace.OpSpawn, 0, starts[w].Arg, w, starts[w].Site
					out, born[w] = append(out, start), r.Time
				}
				continue
			case r.Op == trace.OpSend, r.Op == trace.OpReceive, r.Op == trace.OpClose:
				continue
			}
			out = append(out, r)
		}
		th.Records = out
	}
	for i := range t.Threads {
		if at, ok := born[uint64(t.Threads[i].ID)]; ok {
			t.Threads[i].Born = at
		}
	}
}

// startedWithin are the workers that were started between two times, ns, in order.
func (s *starter) startedWithin(from, to int64) (ws []uint64) {
	for w, at := range s.begun {
		if from <= at && at <= to {
			ws = append(ws, w)
		}
	}
	slices.Sort(ws)
	return ws
}
