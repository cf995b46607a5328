package normalise

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// stocks returns the trace with a semaphore for every stock of things that threads take and bring back, such as connections:
//
//	take:  lock; while none is left { wait }; remove one from the list, or make one; unlock
//	bring: lock; add it to the list; unlock; signal
//
// They are a lock, a condition and a list, as a queue is. But of a queue nothing can be taken that was not put there before; of a
// stock more is out at any time than was brought back. Its permits are the most that were out at a time, which whoever had to
// wait found out: nobody waits while there are others.
func stocks(t *trace.Trace) *trace.Trace {
	objects, edits := slices.Clone(t.Objects), map[int][]edit{}
	ms := monitors(t)
	other := waitsBesides(ms)
	for _, m := range ms {
		takes, brings := m.takesAndBrings(t)
		permits := permitsOf(t, takes, brings)
		if permits < 2 || other[placeOf(t, takes[0])] {
			continue
		}
		s := trace.Object{ID: counterObject + uint64(len(objects)), Kind: "semaphore", Capacity: permits, Elem: -1, Site: recordOf(t, takes[0].begin()).Site}
		objects = append(objects, s)
		replace := func(st *stay, op trace.Op) {
			rs := asOperation(t, st, op, 1, s.ID)
			rs[0].Arg = 1
			edits[st.thread] = append(edits[st.thread], inPlace(t, st, rs)...)
		}
		for _, st := range takes {
			replace(st, trace.OpAcquire)
		}
		for _, st := range brings {
			replace(st, trace.OpRelease)
		}
	}
	if len(edits) == 0 {
		return t
	}
	out := edited(t, edits)
	out.Objects = objects
	return out
}

// waitsBesides are the places at which threads wait for the condition of a lock for which they wait at another place, too: such a lock is no stock, nor
// are others of its kind, where nobody happened to wait there.
func waitsBesides(ms []*monitor) map[trace.Frame]bool {
	out := map[trace.Frame]bool{}
	for _, m := range ms {
		places := slices.DeleteFunc(slices.Clone(m.places), func(p trace.Frame) bool {
			return !slices.ContainsFunc(m.stays[p], func(s *stay) bool { return s.waits })
		})
		for _, p := range places {
			out[p] = out[p] || len(places) > 1
		}
	}
	return out
}

// takesAndBrings are the stays at the place where threads wait for the condition, and those at the place where they signal it, in
// the lock or behind it. None: there is more than one such place, the same thread does both in one stay, or some were in it when the
// recording ended.
func (m *monitor) takesAndBrings(t *trace.Trace) (takes, brings []*stay) {
	if m.broken || len(m.waiting)+len(m.cut) > 0 {
		return nil, nil
	}
	for _, p := range m.places {
		waits := slices.ContainsFunc(m.stays[p], func(s *stay) bool { return s.waits })
		signals := slices.ContainsFunc(m.stays[p], func(s *stay) bool { return notifies(t, s) })
		switch {
		case waits && (signals || takes != nil), signals && brings != nil:
			return nil, nil
		case waits:
			takes = m.stays[p]
		case signals:
			brings = m.stays[p]
		}
	}
	return takes, brings
}

// signalled is the index behind the records of a stay and of a signal that follows it at once.
func signalled(t *trace.Trace, s *stay) int {
	rs, past := t.Threads[s.thread].Records, s.past
	if past < len(rs) && (rs[past].Op == trace.OpSignal || rs[past].Op == trace.OpBroadcast) {
		op := rs[past].Op
		if past++; past < len(rs) && rs[past].Op == op && rs[past].End {
			past++
		}
	}
	return past
}

// permitsOf is the most that were out at a time; 0: more was brought than taken, or somebody waited while others were left.
func permitsOf(t *trace.Trace, takes, brings []*stay) (most int64) {
	if len(brings) < 2 || len(takes) < len(brings) {
		return 0
	}
	type event struct {
		at int64
		by int64
	}
	var es []event
	for _, s := range takes {
		es = append(es, event{s.left, +1})
	}
	for _, s := range brings {
		es = append(es, event{s.left, -1})
	}
	slices.SortStableFunc(es, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	out := make([]int64, len(es)) // after each
	n := int64(0)
	for i, e := range es {
		if n += e.by; n < 0 {
			return 0
		}
		out[i], most = n, max(most, n)
	}
	for _, s := range takes {
		at, waited := waitedAt(t, s)
		if !waited {
			continue
		}
		i, _ := slices.BinarySearchFunc(es, at, func(e event, at int64) int { return cmp.Compare(e.at, at) })
		if i == 0 || out[i-1] < most {
			return 0
		}
	}
	return most
}

// waitedAt is when a thread began to wait for the condition, ns.
func waitedAt(t *trace.Trace, s *stay) (at int64, waited bool) {
	for _, r := range t.Threads[s.thread].Records[s.first:s.past] {
		if r.Op == trace.OpCondWait {
			return r.Time, true
		}
	}
	return 0, false
}
