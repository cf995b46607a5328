package analysis

import "slices"

// CPU time of the process that no thread's computation and no collection accounts for is
// the scheduler's, its monitor's and poller's. It is spent where threads have blocked.
const (
	outsideLeast = 0.01 // of the CPU time of the process
	outsideMost  = 0.5  // beyond it something else is wrong
)

// searchFor returns for how long a core must search after each busy period, in ns, so
// that the searches before those that count take total ns: Σ min(idle, S) = total. It is
// the longest idleness where they cannot.
func searchFor(periods []busyPeriod, total float64) float64 {
	if total <= 0 {
		return 0
	}
	var idles []int64
	for i := range periods {
		if p := &periods[i]; p.counts && p.idle > 0 {
			idles = append(idles, p.idle)
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

// searchedIn is for how long cores search before the busy periods that count, if each
// search takes so many ns at most.
func searchedIn(periods []busyPeriod, search float64) (sum float64) {
	for i := range periods {
		if p := &periods[i]; p.counts {
			sum += min(float64(p.idle), search)
		}
	}
	return sum
}

// outside is the CPU time of the process in the work phase that is neither a
// thread's nor the collector's nor the recording's, in ns.
func (b *build) outside() float64 {
	if b.t.WorkCPU == 0 {
		return 0
	}
	begin, end := b.t.WorkStart, b.t.WorkEnd
	rest, records := float64(b.t.WorkCPU), 0
	for _, q := range b.allSequences() {
		for j := range q.steps {
			if s := &q.steps[j]; s.start >= begin && s.start <= end {
				rest -= float64(s.gap + s.cpu)
			}
		}
	}
	for i := range b.t.Threads {
		for j := range b.t.Threads[i].Records {
			if r := &b.t.Threads[i].Records[j]; r.Time >= begin && r.Time <= end {
				records++
			}
		}
	}
	for _, c := range b.t.GC {
		if c.Start >= begin && c.Start <= end {
			rest -= float64(c.CPU + c.Assist + c.Idle)
		}
	}
	rest -= float64(records) * b.t.probeCost()
	if share := rest / float64(b.t.WorkCPU); share < outsideLeast || share > outsideMost {
		return 0
	}
	return rest
}
