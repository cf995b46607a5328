package java

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// joinLast lets main wait for the threads that end after it: a JVM ends with the last thread that is no daemon (Java
// Language Specification, §12.8), and the thread that began main waits for them. Daemons that work on are not seen
// to end.
func joinLast(main *trace.Thread, threads []trace.Thread, site int32) {
	rs := main.Records
	if len(rs) == 0 {
		return
	}
	last := rs[len(rs)-1]
	if last.Op == trace.OpThreadEnd {
		rs = rs[:len(rs)-1]
	}
	var later []*trace.Thread
	for i := range threads {
		if th := &threads[i]; th.ID != main.ID && !th.System && th.Ended > last.Time {
			later = append(later, th)
		}
	}
	if len(later) == 0 {
		return
	}
	slices.SortFunc(later, func(a, b *trace.Thread) int { return cmp.Or(cmp.Compare(a.Ended, b.Ended), cmp.Compare(a.ID, b.ID)) })
	at := last.Time
	for _, th := range later {
		join := trace.Record{Time: at, CPU: last.CPU, Sys: last.Sys, Site: site, Op: trace.OpJoin, Value: uint64(th.ID)}
		over := join
		over.End, over.Time = true, th.Ended
		rs, at = append(rs, join, over), th.Ended
	}
	if last.Op == trace.OpThreadEnd {
		last.Time = at
		rs = append(rs, last)
	}
	main.Records = rs
	if main.Ended > 0 {
		main.Ended = max(main.Ended, at)
	}
}
