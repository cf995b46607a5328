package demand

import (
	"fmt"
	"slices"

	"tierscope/analysis/trail"
	"tierscope/core"
	"tierscope/core/quantity"
)

// CPU time of the process that no thread's computation and no collection accounts for is
// the scheduler's, its monitor's and poller's. It is spent where threads have blocked.
const (
	outsideLeast = 0.01 // of the CPU time of the process. Convention, sensitivity none
	outsideMost  = 0.5  // beyond it something else is wrong. Convention, sensitivity slight
)

// SearchFor returns for how long a core must search after each busy period, in ns, so
// that the searches before those that count take total ns: Σ min(idle, S) = total. It is
// the longest idleness where they cannot.
func SearchFor(periods []BusyPeriod, total float64) float64 {
	if total <= 0 {
		return 0
	}
	var idles []int64
	for i := range periods {
		if p := &periods[i]; p.Counts && p.Idle > 0 {
			idles = append(idles, p.Idle)
		}
	}
	slices.Sort(idles)
	for i, idle := range idles {
		if s := total / float64(len(idles)-i); s <= float64(idle) {
			return s
		}
		total -= float64(idle)
	}
	if len(idles) == 0 {
		return 0
	}
	return float64(idles[len(idles)-1])
}

// SearchedIn is for how long cores search before the busy periods that count, if each
// search takes so many ns at most.
func SearchedIn(periods []BusyPeriod, search float64) (sum float64) {
	for i := range periods {
		if p := &periods[i]; p.Counts {
			sum += min(float64(p.Idle), search)
		}
	}
	return sum
}

// searching makes the cores of a batch program search for what of its CPU time is nobody's.
func searching(tr *trail.Trail, periods []BusyPeriod, outside float64) {
	s := SearchFor(periods, outside)
	if s == 0 {
		return
	}
	tr.Warmth, tr.Cold = 1, &core.Cold{Search: s * 1e-9}
	tr.Assume(fmt.Sprintf("a core whose last thread has blocked computes for another %s, in which the run-time system looks for work: %.0f %% of the CPU time of this run, for which no thread waits",
		quantity.Format(1e-9*s, "s"), 100*SearchedIn(periods, s)/float64(tr.Trace.ProcessCPU)))
}

// outside is the CPU time of the process, of a server in the work phase, that is neither a
// thread's nor the collector's nor the recording's, in ns.
func outside(tr *trail.Trail) float64 {
	if !tr.Server {
		return plausible(nobodys(tr.Trace), tr.Trace.ProcessCPU)
	}
	if tr.Trace.WorkCPU == 0 {
		return 0
	}
	begin, end := tr.Trace.WorkStart, tr.Trace.WorkEnd
	rest, records := float64(tr.Trace.WorkCPU), 0
	for _, q := range tr.AllSequences() {
		for j := range q.Steps {
			if s := &q.Steps[j]; s.Start >= begin && s.Start <= end {
				rest -= float64(s.Gap + s.CPU)
			}
		}
	}
	for i := range tr.Trace.Threads {
		for j := range tr.Trace.Threads[i].Records {
			if r := &tr.Trace.Threads[i].Records[j]; r.Time >= begin && r.Time <= end {
				records++
			}
		}
	}
	for _, c := range tr.Trace.GC {
		if c.Start >= begin && c.Start <= end {
			rest -= float64(c.CPU + c.Assist + c.Idle)
		}
	}
	rest -= float64(records) * tr.Trace.ProbeCost()
	return plausible(rest, tr.Trace.WorkCPU)
}

// plausible is CPU time that may be the scheduler's, of all that the process used.
func plausible(ns float64, process int64) float64 {
	if process == 0 || ns < outsideLeast*float64(process) || ns > outsideMost*float64(process) {
		return 0
	}
	return ns
}
