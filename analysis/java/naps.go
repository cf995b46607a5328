package java

import (
	"slices"

	"tierscope/analysis/trace"
)

// naps makes sleeps of the waits, for a time, for a permit that nobody gives meanwhile: LockSupport.parkNanos is how a thread sleeps
// for less than a millisecond. Their starts say for how long.
func naps(t *trace.Trace) {
	given := map[uint64][]int64{} // thread → when, ns
	for i := range t.Threads {
		for _, r := range t.Threads[i].Records {
			if r.Op == trace.OpUnpark && !r.End {
				given[r.Object] = append(given[r.Object], r.Time)
			}
		}
	}
	for _, at := range given {
		slices.Sort(at)
	}
	for i := range t.Threads {
		rs := t.Threads[i].Records
		since := t.Threads[i].Born
		for k := range rs {
			if rs[k].Op != trace.OpPark || rs[k].End {
				continue
			}
			end, ended := trace.EndOf(rs, k)
			until := t.End
			if ended {
				until = end.Time
			}
			if rs[k].Arg > 0 && !anyIn(given[rs[k].Object], since, until) {
				rs[k].Op, rs[k].Object = trace.OpSleep, 0
				if ended {
					end.Op, end.Object = trace.OpSleep, 0
				}
			} else {
				rs[k].Arg = 0
			}
			since = until
		}
	}
}

// anyIn reports whether one of the times, in order, is after since and not after until.
func anyIn(times []int64, since, until int64) bool {
	i, _ := slices.BinarySearch(times, since+1)
	return i < len(times) && times[i] <= until
}
