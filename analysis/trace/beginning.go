package trace

import "slices"

// Beginning returns the trace as if it had ended when it had n records: at a time, so that they may be some more. A trace that
// has no more is returned as it is; it is not changed.
func (t *Trace) Beginning(n int) *Trace {
	if t.Records() <= n {
		return t
	}
	var times []int64
	for i := range t.Threads {
		for _, r := range t.Threads[i].Records {
			times = append(times, r.Time)
		}
	}
	slices.Sort(times)
	return t.Until(times[max(n, 1)-1])
}

// Until returns the trace as if it had ended at a time, in ns. It is not changed.
func (t *Trace) Until(at int64) *Trace {
	out := *t
	out.End, out.WorkEnd = min(t.End, at), min(t.WorkEnd, at)
	out.Threads = slices.DeleteFunc(slices.Clone(t.Threads), func(th Thread) bool { return th.Born > at })
	for i := range out.Threads {
		th := &out.Threads[i]
		n := slices.IndexFunc(th.Records, func(r Record) bool { return r.Time > at })
		if n >= 0 {
			th.Records = slices.Clip(th.Records[:n])
		}
		if th.Ended > at {
			th.Ended = 0
		}
	}
	return &out
}
