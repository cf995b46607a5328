package normalise

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"tierscope/analysis/trace"
)

// onceCall is a call of a Once that probes saw: one that did not find it done.
// Its records are the wait for the Once's lock, what the function does if it is
// this call that runs it, and the release of the lock.
type onceCall struct {
	thread, first, past int   // records of the thread
	got, left           int64 // ns: had the lock, released it
	object              uint64
	runs                bool
}

// OnceCalls returns the trace with calls of Onces as what they are for other
// threads.
//
// A single Once runs its function in the first call; who comes meanwhile waits
// (core.Once). Where a place in the code calls many Onces, such as one for every
// entry of a cache, the calls are regions under a lock, and some of them run the
// function. A call that finds its Once done costs nothing and leaves no record, but
// whether it finds it done is a matter of time: had another thread been running
// the function, it would have waited. So calls without a record that came while
// nobody ran a function of that place become regions too, as many as the others
// let expect.
func OnceCalls(t *trace.Trace) *trace.Trace {
	places := placesOfOnces(t)
	if len(places) == 0 {
		return t
	}
	edits := map[int][]edit{}
	for _, place := range slices.SortedFunc(maps.Keys(places), func(a, b trace.Frame) int {
		return cmp.Or(cmp.Compare(a.Function, b.Function), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	}) {
		calls := places[place]
		if slices.ContainsFunc(calls, func(c onceCall) bool { return c.object != calls[0].object }) {
			onceRegions(t, calls, edits)
			continue
		}
		for _, c := range calls {
			edits[c.thread] = append(edits[c.thread], onceProper(t, c)...)
		}
	}
	return edited(t, edits)
}

// placesOfOnces lists the calls of Onces by place in the code, in the order in
// which they got the lock.
func placesOfOnces(t *trace.Trace) map[trace.Frame][]onceCall {
	places := map[trace.Frame][]onceCall{}
	for thread := range t.Threads {
		rs := t.Threads[thread].Records
		for i := range rs {
			if rs[i].Op != trace.OpOnce || rs[i].End {
				continue
			}
			e, ok := trace.EndOf(rs, i)
			if !ok {
				continue
			}
			for j := i + 2; j+1 < len(rs); j++ {
				u := &rs[j]
				if u.Object != rs[i].Object || u.End {
					continue
				}
				if u.Op == trace.OpOnce {
					break // called again: the unlock is lost
				}
				if _, ok := trace.EndOf(rs, j); ok && u.Op == trace.OpUnlock {
					place := trace.UserFrame(trace.FramesAt(t.Sites, rs[i].Site))
					places[place] = append(places[place], onceCall{thread, i, j + 2, e.Time, rs[j+1].Time, rs[i].Object, e.Arg == 1})
					break
				}
			}
		}
	}
	for _, calls := range places {
		slices.SortFunc(calls, func(a, b onceCall) int { return cmp.Or(cmp.Compare(a.got, b.got), cmp.Compare(a.thread, b.thread)) })
	}
	return places
}

// onceProper makes the end probe of a call that ran the function the end of the
// function; there is no lock to release.
func onceProper(t *trace.Trace, c onceCall) []edit {
	rs := t.Threads[c.thread].Records
	if !c.runs {
		return []edit{{c.past - 2, c.past, nil}}
	}
	end := rs[c.past-1]
	end.Op, end.Arg = trace.OpOnce, 1
	return []edit{{c.first + 1, c.first + 2, nil}, {c.past - 2, c.past, []trace.Record{end}}}
}

// onceRegions makes the calls of one place regions under as many locks as
// functions ran at once.
func onceRegions(t *trace.Trace, calls []onceCall, edits map[int][]edit) {
	locks, share := lanes(calls)
	for i, c := range calls {
		rs := t.Threads[c.thread].Records
		asLock := func(r trace.Record) trace.Record {
			r.Object = locks[i]
			if r.Op == trace.OpOnce {
				r.Op = trace.OpLock
			}
			return r
		}
		edits[c.thread] = append(edits[c.thread],
			edit{c.first, c.first + 2, []trace.Record{asLock(rs[c.first]), asLock(rs[c.first+1])}},
			edit{c.past - 2, c.past, []trace.Record{asLock(rs[c.past-2]), asLock(rs[c.past-1])}})
	}
	lay(t, calls, locks, share, edits)
}

// lanes gives every call a lock: that of its Once if another call of it has one,
// else the first that no running function has. The objects of Onces lend their
// names. share is the probability that two calls have the same.
func lanes(calls []onceCall) (locks []uint64, share float64) {
	var names []uint64
	until := map[uint64]int64{} // a lock is in use
	lane := map[uint64]uint64{} // of a Once
	uses := map[uint64]float64{}
	for _, c := range calls {
		l, known := lane[c.object]
		if !known || until[l] <= c.got {
			free := slices.IndexFunc(names, func(n uint64) bool { return until[n] <= c.got })
			if free < 0 {
				free = len(names)
				names = append(names, c.object)
			}
			if l = names[free]; !known || c.runs {
				lane[c.object] = l
			}
			l = lane[c.object]
		}
		until[l] = max(until[l], c.left)
		uses[l]++
		locks = append(locks, l)
	}
	for _, n := range uses {
		share += n * n / float64(len(calls)*len(calls))
	}
	return locks, share
}

// passage is a way of a thread from one record to the next: where a call of a
// Once that is done leaves no record.
type passage struct {
	from, to       int32
	fromOp, toOp   trace.Op
	fromEnd, toEnd bool
}

func passageOf(rs []trace.Record, from, to int) passage {
	a, b := &rs[from], &rs[to]
	return passage{a.Site, b.Site, a.Op, b.Op, a.End, b.End}
}

// split is the CPU time on a passage before the call of a Once, and after it, ns.
type split struct{ before, after int64 }

// at returns the record of a call on the way from a to b.
func (s split) at(a, b trace.Record) trace.Record {
	if all := s.before + s.after; all > 0 {
		part := float64(s.before) / float64(all)
		a.Time += int64(part * float64(b.Time-a.Time))
		a.CPU += int64(part * float64(b.CPU-a.CPU))
	}
	a.Arg, a.Value = 0, 0
	return a
}

// passagesOf returns the passages on which calls lie.
func passagesOf(t *trace.Trace, calls []onceCall) map[passage]split {
	found := map[passage]split{}
	for _, c := range calls {
		rs := t.Threads[c.thread].Records
		if c.first == 0 || c.past == len(rs) {
			continue
		}
		k := passageOf(rs, c.first-1, c.past)
		s := found[k]
		s.before += rs[c.first].CPU - rs[c.first-1].CPU
		s.after += rs[c.past].CPU - rs[c.past-1].CPU
		found[k] = s
	}
	return found
}

// running returns whether some function runs at a time.
func running(calls []onceCall) func(at int64) bool {
	var from, until []int64 // the last end of those that have begun
	for _, c := range calls {
		if !c.runs {
			continue
		}
		end := c.left
		if n := len(until); n > 0 {
			end = max(end, until[n-1])
		}
		from, until = append(from, c.got), append(until, end)
	}
	return func(at int64) bool {
		n := sort.Search(len(from), func(i int) bool { return from[i] > at })
		return n > 0 && until[n-1] > at
	}
}

// lay puts regions of no length on the passages of calls that left no record, so
// that a thread which comes while another runs a function waits as often as in
// the trace.
func lay(t *trace.Trace, calls []onceCall, locks []uint64, share float64, edits map[int][]edit) {
	type call struct {
		thread, at int
		record     trace.Record
	}
	var quiet []call
	passages, busy := passagesOf(t, calls), running(calls)
	waited, passed := 0, 0
	for _, c := range calls {
		if !c.runs {
			waited++
		}
	}
	for thread := range t.Threads {
		rs := t.Threads[thread].Records
		for i := 0; i+1 < len(rs); i++ {
			s, ok := passages[passageOf(rs, i, i+1)]
			if !ok {
				continue
			}
			if r := s.at(rs[i], rs[i+1]); busy(r.Time) {
				passed++
			} else {
				quiet = append(quiet, call{thread, i + 1, r})
			}
		}
	}
	if waited == 0 {
		return
	}
	first := calls[0]
	like := t.Threads[first.thread].Records
	probability := min(1, float64(waited)/float64(waited+passed)/share)
	n := 0
	for i, c := range quiet {
		if int(probability*float64(i+1)+0.5) == int(probability*float64(i)+0.5) {
			continue // spread evenly
		}
		lock, unlock := c.record, c.record
		lock.Op, lock.Site, lock.End, lock.Object = trace.OpLock, like[first.first].Site, false, locks[n%len(locks)]
		unlock.Op, unlock.Site, unlock.End, unlock.Object = trace.OpUnlock, like[first.past-1].Site, false, lock.Object
		n++
		locked, unlocked := lock, unlock
		locked.End, unlocked.End = true, true
		edits[c.thread] = append(edits[c.thread], edit{c.at, c.at, []trace.Record{lock, locked, unlock, unlocked}})
	}
}
