package native

import "tierscope/analysis/trace"

// joinsFirst takes waits for the ends of threads out of critical sections, and puts them before these. A thread that is
// joined under a lock that it needs for its last words has told there, by a condition, that it ends; in another run, where
// another thread comes first, who joins it would hold the lock for ever. What was waited for under the lock is then
// waited for at the join.
func joinsFirst(t *trace.Trace) {
	for i := range t.Threads {
		th := &t.Threads[i]
		held := map[uint64]int{} // lock → index of the record that asked for it
		for k := 0; k < len(th.Records); k++ {
			r := &th.Records[k]
			switch {
			case r.Op == trace.OpLock && !r.End:
				held[r.Object] = k
			case r.Op == trace.OpUnlock && r.End:
				delete(held, r.Object)
			case r.Op == trace.OpJoin && !r.End && len(held) > 0:
				if _, ok := trace.EndOf(th.Records, k); !ok {
					continue
				}
				first := k
				for _, at := range held {
					first = min(first, at)
				}
				k = joinBefore(th.Records, first, k)
				for lock := range held {
					held[lock] += 2
				}
			}
		}
	}
}

// joinBefore moves a join, at k, in front of what began at first, and takes the waits for conditions of the moved section's
// time. It returns the index of the last record that was moved.
func joinBefore(rs []trace.Record, first, k int) int {
	join := []trace.Record{rs[k], rs[k+1]}
	last := join[1]
	copy(rs[first+2:k+2], rs[first:k])
	begin := rs[first+2]
	for i := range join {
		join[i].Time, join[i].CPU, join[i].Sys = begin.Time, begin.CPU, begin.Sys
	}
	waits := int64(0) // until the last of them
	for i := first + 2; i < k+2; i++ {
		if rs[i].Op == trace.OpCondWait && rs[i].End {
			waits = rs[i].Time
		}
	}
	join[1].Time = max(join[1].Time, waits)
	if waits == 0 { // the join itself waited
		join[1].Time = min(last.Time, max(last.Time, begin.Time))
	}
	copy(rs[first:], join)
	for i := first + 2; i < k+2; i++ {
		rs[i].Time = max(rs[i].Time, join[1].Time)
	}
	return k + 1
}
