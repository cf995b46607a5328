package normalise

import (
	"cmp"
	"fmt"
	"slices"

	"tierscope/analysis/trace"
)

// leastPolls is how many sleeps in a row, and of one length, are a poll. Theory: that
// other threads end in the last one is chance in one of so many cases at most.
const leastPolls = 4

// PolledJoins returns the trace with joins in the place of sleeps in which a
// thread waits until threads that it started have ended:
//
//	pool.shutdown(); for !pool.isTerminated() { sleep(100 ms) }; print(result)
//
// To the graph that is a loop with as many rounds as the measuring run had,
// which lasts as long in every configuration. It becomes a join, and the rest of
// the last sleep, in which nobody looked. Threads that another one has started, which
// now only sleeps, are waited for by that one, which then ends. told says where.
func PolledJoins(t *trace.Trace) (polled *trace.Trace, told []string) {
	if t.WorkEnd > t.WorkStart {
		return t, nil
	}
	out := *t
	out.Threads = slices.Clone(t.Threads)
	for i := range out.Threads {
		rs := out.Threads[i].Records
		for from := 0; from < len(rs); {
			past := sleepsFrom(&out, rs, from)
			ended := endedIn(&out, &out.Threads[i], rs[from:past])
			if ended == nil {
				from = max(past, from+1)
				continue
			}
			told = append(told, fmt.Sprintf("%d sleeps at %s are taken for a wait until %d threads have ended", (past-from)/2, trace.ShortPlace(trace.UserFrame(t.Sites[rs[from].Site].Frames)), len(ended)))
			join := joinsOf(throughStarters(&out, &out.Threads[i], ended), rs[from], rs[past-1])
			rs = slices.Concat(rs[:from], join, rs[past:])
			from += len(join)
		}
		out.Threads[i].Records = rs
	}
	return &out, told
}

// sleepsFrom returns the end of the sleeps of one length at one place that
// begin at record from.
func sleepsFrom(t *trace.Trace, rs []trace.Record, from int) int {
	first, past := &rs[from], from
	for past+1 < len(rs) {
		start, end := &rs[past], &rs[past+1]
		if start.Op != trace.OpSleep || start.End || end.Op != trace.OpSleep || !end.End || start.Site != first.Site || start.Arg != first.Arg || start.Arg <= 0 {
			break
		}
		past += 2
	}
	return past
}

// endedIn returns the threads of which the last ended in the last of some
// sleeps of a thread, in that order; nil unless the sleeps are a poll for that, and
// the thread, or one that it has started and that only sleeps since, had started all of
// them, at one place.
func endedIn(t *trace.Trace, sleeper *trace.Thread, sleeps []trace.Record) []*trace.Thread {
	n := len(sleeps)
	if n < 2*leastPolls {
		return nil
	}
	groups := map[int32][]*trace.Thread{}
	for i := range t.Threads {
		th := &t.Threads[i]
		if starter := t.Thread(th.Parent); th.Born < sleeps[n-1].Time && starter != nil &&
			(starter == sleeper || starter.Parent == sleeper.ID && starter.Ended == 0 && sleepsFinally(starter)) {
			groups[th.Creator] = append(groups[th.Creator], th)
		}
	}
	begin, last, end := sleeps[0].Time, sleeps[n-2].Time, sleeps[n-1].Time
	var found []*trace.Thread
	for _, g := range groups {
		slices.SortFunc(g, func(a, b *trace.Thread) int { return cmp.Or(cmp.Compare(a.Ended, b.Ended), cmp.Compare(a.ID, b.ID)) })
		first := slices.MinFunc(g, func(a, b *trace.Thread) int { return cmp.Compare(a.Born, b.Born) })
		if final := g[len(g)-1]; g[0].Ended > 0 && final.Ended > last && final.Ended <= end && first.Born <= begin {
			found = append(found, g...)
		}
	}
	slices.SortFunc(found, func(a, b *trace.Thread) int { return cmp.Or(cmp.Compare(a.Ended, b.Ended), cmp.Compare(a.ID, b.ID)) })
	return found
}

// joinsOf are joins of threads in the order in which they ended, from the
// first record of a poll on, and the sleep that is left until the last.
func joinsOf(ended []*trace.Thread, first, last trace.Record) []trace.Record {
	var rs []trace.Record
	at := first.Time
	for _, th := range ended {
		start := first
		start.Time, start.Op, start.Arg, start.Value = at, trace.OpJoin, 0, uint64(th.ID)
		at = max(at, th.Ended)
		end := start
		end.Time, end.End = at, true
		rs = append(rs, start, end)
	}
	rest := first
	rest.Time, rest.Op, last.Op = at, trace.OpRest, trace.OpRest
	return append(rs, rest, last)
}

// sleepsFinally reports whether a thread has only slept since it started the last thread.
func sleepsFinally(th *trace.Thread) bool {
	rs := th.Records
	for len(rs) > 0 && rs[len(rs)-1].Op == trace.OpSleep {
		rs = rs[:len(rs)-1]
	}
	return len(rs) < len(th.Records) && len(rs) > 0 && rs[len(rs)-1].Op == trace.OpSpawn
}

// throughStarters lets those that have started some threads wait for them and end, unless
// it is the sleeper, and returns for whom the sleeper has to wait, in the order in which they end.
func throughStarters(t *trace.Trace, sleeper *trace.Thread, ended []*trace.Thread) []*trace.Thread {
	var all []*trace.Thread
	of := map[*trace.Thread][]*trace.Thread{}
	for _, th := range ended {
		if th.Parent == sleeper.ID {
			all = append(all, th)
			continue
		}
		starter := t.Thread(th.Parent)
		if len(of[starter]) == 0 {
			all = append(all, starter)
		}
		of[starter] = append(of[starter], th)
	}
	for starter, children := range of {
		n := len(starter.Records)
		for starter.Records[n-1].Op == trace.OpSleep {
			n--
		}
		joins := joinsOf(children, starter.Records[n], starter.Records[n])
		joins = joins[:len(joins)-2] // all but the rest of a sleep
		over := joins[len(joins)-1]
		over.Op, over.End = trace.OpThreadEnd, false
		starter.Records = append(slices.Concat(starter.Records[:n], joins), over)
		starter.Ended = over.Time
	}
	slices.SortFunc(all, func(a, b *trace.Thread) int { return cmp.Or(cmp.Compare(a.Ended, b.Ended), cmp.Compare(a.ID, b.ID)) })
	return all
}
