package analysis

import (
	"cmp"
	"fmt"
	"slices"
)

// leastPolls is how many sleeps in a row, and of one length, are a poll: that
// other threads end in the last one is chance in one of so many cases at most.
const leastPolls = 4

// polledJoins returns the trace with joins in the place of sleeps in which a
// thread waits until threads that it started have ended:
//
//	pool.shutdown(); for !pool.isTerminated() { sleep(100 ms) }; print(result)
//
// To the graph that is a loop with as many rounds as the measuring run had,
// which lasts as long in every configuration. It becomes a join, and the rest of
// the last sleep, in which nobody looked. told says where.
func polledJoins(t *Trace) (polled *Trace, told []string) {
	if t.WorkEnd > t.WorkStart {
		return t, nil
	}
	out := *t
	out.Threads = slices.Clone(t.Threads)
	for i := range out.Threads {
		rs := out.Threads[i].Records
		for from := 0; from < len(rs); {
			past := t.sleepsFrom(rs, from)
			ended := t.endedIn(&out.Threads[i], rs[from:past])
			if ended == nil {
				from = max(past, from+1)
				continue
			}
			told = append(told, fmt.Sprintf("%d sleeps at %s are taken for a wait until %d threads have ended", (past-from)/2, shortPlace(userFrame(t.Sites[rs[from].Site].Frames)), len(ended)))
			join := joinsOf(ended, rs[from], rs[past-1])
			rs = slices.Concat(rs[:from], join, rs[past:])
			from += len(join)
		}
		out.Threads[i].Records = rs
	}
	return &out, told
}

// sleepsFrom returns the end of the sleeps of one length at one place that
// begin at record from.
func (t *Trace) sleepsFrom(rs []Record, from int) int {
	first, past := &rs[from], from
	for past+1 < len(rs) {
		start, end := &rs[past], &rs[past+1]
		if start.Op != OpSleep || start.End || end.Op != OpSleep || !end.End || start.Site != first.Site || start.Arg != first.Arg || start.Arg <= 0 {
			break
		}
		past += 2
	}
	return past
}

// endedIn returns the threads of which the last ended in the last of some
// sleeps of a thread, in that order; nil unless the sleeps are a poll for that, and
// the thread had started all of them, at one place.
func (t *Trace) endedIn(sleeper *Thread, sleeps []Record) []*Thread {
	n := len(sleeps)
	if n < 2*leastPolls {
		return nil
	}
	groups := map[int32][]*Thread{}
	for i := range t.Threads {
		if th := &t.Threads[i]; th.Parent == sleeper.ID && th.Born < sleeps[n-2].Time {
			groups[th.Creator] = append(groups[th.Creator], th)
		}
	}
	begin, last, end := sleeps[0].Time, sleeps[n-2].Time, sleeps[n-1].Time
	var found []*Thread
	for _, g := range groups {
		slices.SortFunc(g, func(a, b *Thread) int { return cmp.Or(cmp.Compare(a.Ended, b.Ended), cmp.Compare(a.ID, b.ID)) })
		if final := g[len(g)-1]; g[0].Ended > 0 && final.Ended > last && final.Ended <= end && g[0].Born <= begin {
			found = append(found, g...)
		}
	}
	slices.SortFunc(found, func(a, b *Thread) int { return cmp.Or(cmp.Compare(a.Ended, b.Ended), cmp.Compare(a.ID, b.ID)) })
	return found
}

// joinsOf are joins of threads in the order in which they ended, from the
// first record of a poll on, and the sleep that is left until the last.
func joinsOf(ended []*Thread, first, last Record) []Record {
	var rs []Record
	at := first.Time
	for _, th := range ended {
		start := first
		start.Time, start.Op, start.Arg, start.Value = at, OpJoin, 0, uint64(th.ID)
		at = max(at, th.Ended)
		end := start
		end.Time, end.End = at, true
		rs = append(rs, start, end)
	}
	rest := first
	rest.Time, rest.Arg = at, last.Time-at
	return append(rs, rest, last)
}
