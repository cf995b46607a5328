package native

import "tierscope/analysis/trace"

// justNow is the part of the run, at its end, in which a thread that is not seen to wait was about to do so.
// Convention, sensitivity none.
const justNow = 0.01

// endIdle ends the threads that waited for more when the program was over: for a condition, a permit or a wake-up that nobody
// gave any more; or were on their way there. Whoever ends the process does not wait for them, so they have ended where they
// began to wait, before the critical section in which they do.
func endIdle(t *trace.Trace) {
	for i := range t.Threads {
		th := &t.Threads[i]
		n := len(th.Records)
		if th.Ended != 0 || th.Parent == 0 || n == 0 {
			continue
		}
		first := n
		switch last := &th.Records[n-1]; {
		case !last.End && (last.Op == trace.OpCondWait || last.Op == trace.OpAcquire || last.Op == trace.OpPark):
			first--
		case last.End && float64(t.End-last.Time) < justNow*float64(t.End):
		default:
			continue
		}
		held := map[uint64]int{} // lock → index of the record that asked for it
		for k, r := range th.Records {
			switch {
			case r.Op == trace.OpLock && !r.End:
				held[r.Object] = k
			case r.Op == trace.OpUnlock && r.End:
				delete(held, r.Object)
			}
		}
		for _, at := range held {
			first = min(first, at)
		}
		last := th.Records[min(first, n-1)]
		th.Ended = last.Time
		th.Records = append(th.Records[:first], trace.Record{Time: last.Time, CPU: last.CPU, Sys: last.Sys, Site: -1, Op: trace.OpThreadEnd})
	}
}
