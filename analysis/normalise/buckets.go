package normalise

import (
	"cmp"
	"math"
	"slices"

	"tierscope/analysis/trace"
)

// tokenBuckets returns the trace with a limiter for every bucket of tokens of the program's own: threads look into it under a
// lock, and sleep until there may be a token before they look again.
//
//	for {
//		b.mu.Lock()
//		b.tokens = min(b.tokens + now.Sub(b.last).Seconds()*b.rate, b.burst)
//		if b.tokens >= 1 { b.tokens--; b.mu.Unlock(); return }
//		wait := (1 - b.tokens)/b.rate
//		b.mu.Unlock()
//		time.Sleep(wait)
//	}
//
// All who find none sleep until the same time, one period after the last token came; one of them takes it, and the others sleep
// for a period more. So a call becomes one wait for a token, however often it looked.
func tokenBuckets(t *trace.Trace) *trace.Trace {
	calls := map[uint64][]asking{}
	for i := range t.Threads {
		sleptFor(t.Threads[i].Records, calls)
	}
	for i := range t.Threads {
		collectAskings(t, i, calls)
	}
	out, edits := t, map[int][]edit{}
	for _, lock := range sortedLocks(calls) {
		b := bucketOf(calls[lock])
		if b == nil {
			continue
		}
		if out == t {
			c := *t
			c.Threads, c.Objects, c.Sites = slices.Clone(t.Threads), slices.Clone(t.Objects), slices.Clone(t.Sites)
			out = &c
		}
		addTokens(out, b.place, b.period, b.asked, b.slept, b.passes, edits)
	}
	if out == t {
		return t
	}
	return edited(out, edits)
}

func sortedLocks(calls map[uint64][]asking) (locks []uint64) {
	for lock := range calls {
		locks = append(locks, lock)
	}
	slices.Sort(locks)
	return locks
}

// asking is a call of a bucket: one look, or several with sleeps in between.
type asking struct {
	place trace.Frame // where the lock is asked for first
	naps  []rest
	end   rest // of no records: after the last look
}

// sleptFor adds the locks that a thread asks for again after a sleep.
func sleptFor(rs []trace.Record, calls map[uint64][]asking) {
	for i := 1; i < len(rs); i++ {
		if rs[i].Op == trace.OpLock && !rs[i].End && rs[i-1].Op == trace.OpSleep {
			calls[rs[i].Object] = nil
		}
	}
}

// collectAskings adds what a thread asks for under each of the locks that are in calls.
func collectAskings(t *trace.Trace, thread int, calls map[uint64][]asking) {
	rs := t.Threads[thread].Records
	for i := 0; i < len(rs); i++ {
		if _, slept := calls[rs[i].Object]; !slept || rs[i].Op != trace.OpLock || rs[i].End {
			continue
		}
		lock, a := rs[i].Object, asking{place: trace.UserFrame(trace.FramesAt(t.Sites, rs[i].Site))}
		past := leaves(rs, i)
		for past > 0 && past+2 < len(rs) && rs[past].Op == trace.OpSleep && !rs[past].End && rs[past].Arg > 0 && rs[past+1].End &&
			rs[past+2].Op == trace.OpLock && rs[past+2].Object == lock {
			a.naps = append(a.naps, rest{thread: thread, at: past, first: rs[past], last: rs[past+1]})
			past = leaves(rs, past+2)
		}
		if past == 0 {
			continue // it ended meanwhile
		}
		a.end = rest{thread: thread, at: past, first: rs[past-1], last: rs[past-1]}
		calls[lock] = append(calls[lock], a)
		i = past - 1
	}
}

// brief is how many records a look into a bucket takes at most: two of the lock, two of leaving it, and what it counts with.
// Convention, sensitivity none.
const brief = 16

// leaves is the index behind the records of a stay under the lock that is asked for at one; 0: more happens there than a look.
func leaves(rs []trace.Record, at int) int {
	for k := at + 1; k < min(len(rs), at+brief) && rs[k].Op != trace.OpSleep; k++ {
		if rs[k].Op != trace.OpUnlock || rs[k].Object != rs[at].Object {
			continue
		}
		if k+1 < len(rs) && rs[k+1].Op == trace.OpUnlock && rs[k+1].End {
			k++
		}
		return k + 1
	}
	return 0
}

// bucket is how calls of a lock fill and empty it.
type bucket struct {
	place         trace.Frame
	period, asked int64 // ns: between tokens; when the first call had to sleep
	slept, passes []rest
}

// bucketOf tells the calls of a bucket from those that look for something else again and again: by the times until which they
// sleep, one period apart, for each of which one call ends. nil: it is none.
func bucketOf(calls []asking) *bucket {
	var naps []rest
	places, threads := map[trace.Frame]bool{}, map[int]bool{}
	for _, a := range calls {
		naps = append(naps, a.naps...)
		if len(a.naps) > 0 {
			places[a.place], threads[a.end.thread] = true, true
		}
	}
	if len(threads) < 2 || steady(naps) {
		return nil
	}
	slices.SortStableFunc(naps, func(a, b rest) int { return cmp.Compare(a.until(), b.until()) })
	b := &bucket{asked: math.MaxInt64}
	first, last := int64(0), int64(0)
	if first, last, b.period = ticksOf(naps); b.period <= 0 {
		return nil
	}
	ended := 0
	for _, a := range calls {
		if !places[a.place] {
			continue
		}
		e := a.end
		e.token = e.last.Time
		if n := len(a.naps); n > 0 {
			e.at, e.records, e.first = a.naps[0].at, a.end.at-a.naps[0].at, a.naps[0].first
			e.token = min(a.naps[n-1].until(), e.last.Time)
			b.asked = min(b.asked, e.first.Time)
			b.slept, b.place = append(b.slept, e), a.place
		} else {
			b.passes = append(b.passes, e)
		}
		if first-b.period/2 < e.token && e.token < last+b.period/2 {
			ended++
		}
	}
	if want := float64(last-first)/float64(b.period) + 1; math.Abs(float64(ended)-want) > nearly*want+1 {
		return nil
	}
	return b
}

// steady reports whether most sleeps are asked for with one length: who looks again after a while.
func steady(naps []rest) bool {
	lengths, same := map[int64]int{}, 0
	for _, r := range naps {
		lengths[r.first.Arg]++
		same = max(same, lengths[r.first.Arg])
	}
	return 2*same >= len(naps)
}

// ticksOf are the first and the last time until which threads sleep, and the time between tokens, ns: nobody sleeps for longer
// than that, and mostly tokens come so far apart. 0: they do not, or there are too few to tell.
func ticksOf(naps []rest) (first, last, period int64) {
	longest := int64(0)
	for _, r := range naps {
		longest = max(longest, r.first.Arg)
	}
	first, last = naps[0].until(), naps[0].until()
	var gaps []float64
	ticks := []Tick{{first, true}}
	for _, r := range naps {
		if d := r.until() - last; float64(d) > nearly*float64(longest) {
			gaps, last = append(gaps, float64(d)), r.until()
			ticks = append(ticks, Tick{last, true})
		}
	}
	steps, near := 0.0, 0
	for _, d := range gaps {
		n := math.Round(d / float64(longest))
		if n >= 1 && math.Abs(d-n*float64(longest)) <= nearly*float64(longest) {
			near++
		}
		steps += max(n, 1)
	}
	if PeriodOf(ticks) == 0 || float64(near) < (1-nearly)*float64(len(gaps)) {
		return first, last, 0
	}
	return first, last, int64(math.Round(float64(last-first) / steps))
}
