package normalise

import (
	"math"
	"slices"

	"tierscope/analysis/trace"
)

// pacedSleeps returns the trace with a limiter for every clock of the program's own that
// threads share, as
//
//	p.mu.Lock()
//	at := p.next
//	p.next = at.Add(interval)
//	p.mu.Unlock()
//	time.Sleep(time.Until(at))
//
// A thread asks for a sleep of another length each time, but the ends that they ask for are
// never closer to each other than the interval, and mostly one interval apart. What each
// sleeps is no property of the program: with more threads each sleeps longer. So a
// sleep becomes the wait for a token of a limiter, and so does a call that need not
// sleep, where the clock's lock tells that there was one.
func pacedSleeps(t *trace.Trace) *trace.Trace {
	clocks := map[pacer][]rest{}
	for i := range t.Threads {
		collectRests(t, i, clocks)
	}
	var keys []pacer
	for k, rs := range clocks {
		if paced(rs) {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		return t
	}
	slices.SortFunc(keys, func(a, b pacer) int { return int(clocks[a][0].first.Time - clocks[b][0].first.Time) })
	out := *t
	out.Threads, out.Objects, out.Sites = slices.Clone(t.Threads), slices.Clone(t.Objects), slices.Clone(t.Sites)
	edits := map[int][]edit{}
	for _, k := range keys {
		limit(&out, k, clocks[k], edits)
	}
	return edited(&out, edits)
}

// pacer is a clock: where threads sleep until it says so, and the lock that they had just
// before, 0 for none.
type pacer struct {
	place trace.Frame
	lock  uint64
}

// rest is one sleep, or a wait for a token.
type rest struct {
	thread, at  int // of its first record
	first, last trace.Record
	records     int   // that it stands for
	token       int64 // ns: when it could go on
}

// until is the time at which a thread asked to be woken, ns.
func (r rest) until() int64 { return r.first.Time + r.first.Arg }

// collectRests adds the sleeps of a thread that holds no lock: who sleeps under one lets
// others wait for that.
func collectRests(t *trace.Trace, thread int, clocks map[pacer][]rest) {
	held := 0
	rs := t.Threads[thread].Records
	for i, r := range rs {
		switch {
		case r.End:
		case r.Op == trace.OpLock || r.Op == trace.OpRLock:
			held++
		case r.Op == trace.OpUnlock || r.Op == trace.OpRUnlock:
			held--
		case r.Op == trace.OpSleep && r.Arg > 0 && held <= 0 && i+1 < len(rs) && rs[i+1].End:
			k := pacer{place: trace.UserFrame(trace.FramesAt(t.Sites, r.Site))}
			if i > 0 && rs[i-1].End && rs[i-1].Op == trace.OpUnlock {
				k.lock = rs[i-1].Object
			}
			clocks[k] = append(clocks[k], rest{thread, i, r, rs[i+1], 2, min(r.Time+r.Arg, rs[i+1].Time)})
		}
	}
}

// nearly is how much two times between ticks of one clock differ at most, as a part of them: a
// thread asks what time it is and is recorded a little later. Convention, sensitivity none.
const nearly = 0.1

// paced reports whether the sleeps are those of several threads until the ticks of a clock.
// It sorts them by the time for which they were asked.
func paced(rs []rest) bool {
	slices.SortStableFunc(rs, func(a, b rest) int { return int(a.until() - b.until()) })
	period := spacing(rs)
	if period <= 0 {
		return false
	}
	threads, lengths := map[int]bool{}, map[int64]int{}
	same, close := 0, 0
	for i, r := range rs {
		threads[r.thread] = true
		lengths[r.first.Arg]++
		same = max(same, lengths[r.first.Arg])
		if i > 0 && float64(r.until()-rs[i-1].until()) < (1-nearly)*float64(period) {
			close++
		}
	}
	return len(threads) > 1 && 2*same < len(rs) && float64(close) <= nearly*float64(len(rs))
}

// spacing is the time between the ends of sleeps, ns: the mean of those near their median.
// 0: there are too few to tell.
func spacing(rs []rest) int64 {
	ticks := make([]Tick, len(rs))
	for i, r := range rs {
		ticks[i] = Tick{r.until(), true}
	}
	median := PeriodOf(ticks)
	sum, n := int64(0), int64(0)
	for i := 1; i < len(ticks); i++ {
		if d := ticks[i].At - ticks[i-1].At; math.Abs(float64(d-median)) <= nearly*float64(median) {
			sum, n = sum+d, n+1
		}
	}
	return sum / max(n, 1)
}

// limit adds the limiter of a clock to the trace, and the edits that make waits for its
// tokens of the sleeps, and of the calls that needed none.
func limit(t *trace.Trace, k pacer, rs []rest, edits map[int][]edit) {
	asked, passes := callsOf(t, k, rs)
	addTokens(t, k.place, spacing(rs), asked, rs, passes, edits)
}

// addTokens adds a limiter, and the edits that make waits for its tokens of calls that slept and calls that needed not. asked is
// when the first of them had to sleep, period the time between tokens, ns.
func addTokens(t *trace.Trace, place trace.Frame, period, asked int64, slept, passes []rest, edits map[int][]edit) {
	var taken []int64
	first, early := asked, 0
	for _, r := range slices.Concat(slept, passes) {
		taken = append(taken, r.token)
	}
	for _, p := range passes {
		if p.first.Time <= asked {
			first, early = min(first, p.first.Time), early+1
		}
	}
	slices.Sort(taken)
	burst := max(1, early-int((asked-first)/period)) // what came meanwhile was not there from the start
	id := AddLimiter(t, place, 1e9/float64(period), burst, taken)
	for _, r := range slices.Concat(slept, passes) {
		start, end := r.first, r.last
		start.Op, start.Object, start.Arg, start.Site, start.End = trace.OpReceive, id, 0, slept[0].first.Site, false
		end.Op, end.Object, end.Arg, end.Site, end.End = trace.OpReceive, id, 1, slept[0].first.Site, true
		edits[r.thread] = append(edits[r.thread], edit{r.at, r.at + r.records, []trace.Record{start, end}})
	}
}

// callsOf returns when the first thread had to sleep, and the calls that needed no sleep: a
// thread freed the clock's lock where those do that sleep then, and went on.
func callsOf(t *trace.Trace, k pacer, rs []rest) (asked int64, passes []rest) {
	asked = rs[0].first.Time
	sleeps, places := map[[2]int]bool{}, map[trace.Frame]bool{}
	freed := func(r trace.Record) trace.Frame { return trace.UserFrame(trace.FramesAt(t.Sites, r.Site)) }
	for _, r := range rs {
		asked = min(asked, r.first.Time)
		sleeps[[2]int{r.thread, r.at}] = true
		if k.lock != 0 {
			places[freed(t.Threads[r.thread].Records[r.at-1])] = true
		}
	}
	for thread := range t.Threads {
		for i, r := range t.Threads[thread].Records {
			if k.lock == 0 || r.Op != trace.OpUnlock || !r.End || r.Object != k.lock || sleeps[[2]int{thread, i + 1}] || !places[freed(r)] {
				continue
			}
			start := r
			start.End = false
			passes = append(passes, rest{thread, i + 1, start, r, 0, r.Time})
		}
	}
	return asked, passes
}
