package normalise

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/core/robust"
)

// rendezvous returns the trace with barriers for what threads do that ask again and again, giving up the core in between, or
// sleeping at last, whether all of them have come:
//
//	if (++arrived == n) { arrived = 0; phase++; wake all } else while (phase == mine) yield or sleep
//
// The counters are atomic: who comes last is not seen at all unless it has somebody to wake. But in every round all others wait
// at the same time, each once, until that one comes. std::barrier and std::latch of C++ are made so, and barriers that
// programs have of their own.
func rendezvous(t *trace.Trace) *trace.Trace {
	out, edits := *t, map[int][]edit{}
	for _, m := range meetings(t) {
		o := trace.Object{ID: counterObject + uint64(len(out.Objects)), Kind: "barrier", Capacity: int64(len(m.threads)), Elem: -1, Site: m.rounds[0].site(t)}
		if with := m.arrivals(t, o.ID); apart(edits, with) {
			out.Objects = append(slices.Clone(out.Objects), o)
			for i, es := range with {
				edits[i] = append(edits[i], es...)
			}
		}
	}
	out.Threads = edited(t, edits).Threads
	return &out
}

// meeting is a place where threads meet.
type meeting struct {
	threads []int // that wait there, or wake others
	rounds  []meetingRound
	wakes   map[int][]int // records, by thread
}

// meetingRound is the waits of one round, which end when the last thread comes.
type meetingRound []look

// site is where threads wait in a round.
func (r meetingRound) site(t *trace.Trace) int32 {
	return t.Threads[r[0].thread].Records[r[0].first].Site
}

// over is when the last thread has come, ns.
func (r meetingRound) over() int64 {
	return slices.MinFunc(r, func(a, b look) int { return cmp.Compare(a.end, b.end) }).end
}

// meetings finds the places where threads meet.
func meetings(t *trace.Trace) (found []meeting) {
	by, wakes := looks(t)
	var order []uint64
	for key := range by {
		order = append(order, key)
	}
	slices.Sort(order)
	for _, key := range order {
		m := meeting{wakes: wakes[key]}
		waits := map[int]bool{}
		for _, l := range by[key] {
			waits[l.thread] = true
		}
		for i := range t.Threads {
			if waits[i] || m.wakes[i] != nil {
				m.threads = append(m.threads, i)
			}
		}
		if m.equal(t, waits) && m.meet(t, by[key]) && m.whole(t) && m.told() {
			found = append(found, m)
		}
	}
	return found
}

// goesOn reports whether others wait in a round when a thread waits again.
func (r meetingRound) goesOn(again look) bool {
	return len(r) > 1 && !slices.ContainsFunc(r, func(o look) bool { return o.thread != again.thread && o.end < again.begin })
}

// completeRounds is the least part of the rounds in which all but one thread have to be seen to wait, or that one of the others
// ends by waking all: who waits so briefly that it need not yield is not seen. Convention, sensitivity slight.
const completeRounds = 0.9

// meet puts waits into rounds, and reports whether in each of them all threads but one wait at the same time, or, where all
// threads wait and wake others, another one wakes those that do, and who is not seen to wait computed beside it. Who has not
// done half of what threads do between two waits, or waits while all others still do, waits on.
func (m *meeting) meet(t *trace.Trace, all []look) bool {
	slices.SortFunc(all, func(a, b look) int { return cmp.Or(cmp.Compare(a.begin, b.begin), a.thread-b.thread) })
	var worked []float64
	for _, l := range all {
		worked = append(worked, float64(l.worked))
	}
	complete, hardly := 0, int64(robust.Median(worked)/2)
	for _, l := range all {
		n := len(m.rounds) - 1
		again := -1
		if n >= 0 {
			again = slices.IndexFunc(m.rounds[n], func(o look) bool { return o.thread == l.thread })
		}
		switch full := n >= 0 && len(m.rounds[n]) == len(m.threads)-1; {
		case again >= 0 && m.rounds[n][again].past == l.first && (!full && l.worked < hardly || m.rounds[n].goesOn(l)):
			m.rounds[n][again].past, m.rounds[n][again].end = l.past, l.end
			continue
		case n < 0 || full || again >= 0 || l.begin > m.rounds[n].over():
			m.rounds = append(m.rounds, nil)
			n++
		}
		m.rounds[n] = append(m.rounds[n], l)
	}
	waits := map[int]bool{}
	for _, l := range all {
		waits[l.thread] = true
	}
	mutual := len(waits) == len(m.threads) && len(m.wakes) == len(m.threads)
	for _, r := range m.rounds {
		ended := mutual && len(r) >= len(m.threads)-t.Cores && slices.ContainsFunc(m.threads, func(i int) bool {
			return m.wakesIn(t, r, i) >= 0 && !slices.ContainsFunc(r, func(l look) bool { return l.thread == i })
		})
		if ended || len(r) == len(m.threads)-1 {
			complete++
		}
	}
	return len(m.rounds) > 0 && float64(complete) >= completeRounds*float64(len(m.rounds))
}

// equal reports whether any of the threads may come last: all are of one kind, or each is seen to wait for the others. Who
// only ends the waits of others does not wait for them, such as who gives a future its value.
func (m *meeting) equal(t *trace.Trace, waits map[int]bool) bool {
	return len(waits) == len(m.threads) || !slices.ContainsFunc(m.threads, func(i int) bool { return t.Threads[i].Start != t.Threads[m.threads[0]].Start })
}

// whole reports whether no thread of the kind of those that meet, alive in the first round, stays away: a barrier is for all of
// them, and a few of them that are seen to wait once wait for others too, that come late.
func (m *meeting) whole(t *trace.Trace) bool {
	kinds := map[string]bool{}
	for _, i := range m.threads {
		kinds[t.Threads[i].Start] = true
	}
	for i := range t.Threads {
		th := &t.Threads[i]
		if kinds[th.Start] && !slices.Contains(m.threads, i) && th.Born < m.rounds[0].over() && (th.Ended == 0 || th.Ended > m.rounds[0].over()) {
			return false
		}
	}
	return true
}

// told reports whether who comes last wakes the others: two threads of which one waits need not meet.
func (m *meeting) told() bool {
	if len(m.threads) > 2 {
		return true
	}
	n := 0
	for _, ks := range m.wakes {
		n += len(ks)
	}
	return 2*n > len(m.rounds)
}
