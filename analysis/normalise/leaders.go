package normalise

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// ledGroups returns the trace with a thread of its own for what threads do by turns for all that wait:
//
//	lock; add mine to the list
//	while mine is not done { if somebody leads { wait } else { lead } }
//	unlock
//	lead: take the list; unlock; work; lock; all of the list are done; notify all
//
// Stores commit groups like that. Who leads, and for whom, is another matter in every run, which neither a
// probability nor the order of a recording tells. So what is added to the list becomes a message to a thread that takes
// all that have come, works, and answers each; whoever added it waits for the answer.
func ledGroups(t *trace.Trace) *trace.Trace {
	for {
		var leads []*lead
		for _, m := range monitors(t) {
			if leads = m.leads(t); leads != nil {
				break
			}
		}
		if leads == nil {
			return t
		}
		t = withLeader(t, leads) // which moves the records of other locks
	}
}

// lead is one turn of a leader: it takes the list when it leaves the first stay, and says in the last that all of it are done.
type lead struct {
	first, last *stay     // of one thread
	members     []arrival // whom it works for, in the order in which they came; its own among them
}

// arrival is a stay in which a thread adds to the list.
type arrival struct {
	*stay
	at int64 // ns, when the thread first let go of the lock, to wait or to lead
}

func arrivalOf(t *trace.Trace, s *stay) arrival {
	if at, waited := waitedAt(t, s); waited {
		return arrival{s, at}
	}
	return arrival{s, s.left}
}

// fewestLeaders is how many threads have to lead. Theory: a role that goes round has been with two threads at least.
const fewestLeaders = 2

// leads returns the turns of leaders under a lock, in their order; nil unless threads wait at one place and notify at another, to
// which each comes from the first, one turn ends before the next begins, nobody waits while there is none, and
// everybody is done by the first turn that begins after it came, and by no other.
func (m *monitor) leads(t *trace.Trace) []*lead {
	arrive, finish := m.takesAndBrings(t)
	if arrive == nil || finish == nil {
		return nil
	}
	var out []*lead
	var followers []arrival
	leaders := 0
	for _, ss := range byThread(slices.Concat(arrive, finish)) {
		n := len(out)
		for i := 0; i < len(ss); i++ {
			switch a := arrivalOf(t, ss[i]); {
			case notifies(t, ss[i]):
				return nil // it comes from nowhere, or from another turn
			case i+1 < len(ss) && notifies(t, ss[i+1]):
				out = append(out, &lead{a.stay, ss[i+1], []arrival{a}})
				i++
			case !a.waits:
				return nil
			default:
				followers = append(followers, a)
			}
		}
		if len(out) > n {
			leaders++
		}
	}
	slices.SortFunc(out, func(a, b *lead) int { return cmp.Compare(a.first.left, b.first.left) })
	if leaders < fewestLeaders || len(followers) == 0 || !byTurns(t, out, followers) {
		return nil
	}
	return out
}

// notifies reports whether a thread notifies in a stay, or at once behind it.
func notifies(t *trace.Trace, s *stay) bool { return s.signals || signalled(t, s) > s.past }

// byThread returns stays by the thread that they are of, in order.
func byThread(stays []*stay) map[int][]*stay {
	by := map[int][]*stay{}
	for _, s := range stays {
		by[s.thread] = append(by[s.thread], s)
	}
	for _, ss := range by {
		slices.SortFunc(ss, func(a, b *stay) int { return cmp.Compare(a.first, b.first) })
	}
	return by
}

// byTurns gives every turn those that it works for, and reports whether turns and waits are as they must be.
func byTurns(t *trace.Trace, leads []*lead, followers []arrival) bool {
	turn := func(a arrival) (i int) { // the first that begins after it came
		i, _ = slices.BinarySearchFunc(leads, a.entered, func(l *lead, at int64) int { return cmp.Compare(l.first.left, at) })
		return i
	}
	for i, l := range leads {
		if i > 0 && l.first.left < leads[i-1].last.left || turn(l.members[0]) != i || !waitsFor(t, l.members[0], leads[:i]) {
			return false
		}
	}
	for _, f := range followers {
		i := turn(f)
		if i == len(leads) || f.left < leads[i].last.entered || !waitsFor(t, f, leads[:i+1]) {
			return false
		}
		leads[i].members = append(leads[i].members, f)
	}
	for _, l := range leads {
		slices.SortFunc(l.members, func(a, b arrival) int { return cmp.Compare(a.at, b.at) })
	}
	return true
}

// waitsFor reports whether every wait of an arrival begins while one of these turns goes on, and the thread does nothing else then.
func waitsFor(t *trace.Trace, a arrival, leads []*lead) bool {
	for _, r := range t.Threads[a.thread].Records[a.first:a.past] {
		switch {
		case r.Time > a.at && r.Op != trace.OpCondWait && r.Object != a.object:
			return false
		case r.Op != trace.OpCondWait || r.End:
			continue
		}
		i, _ := slices.BinarySearchFunc(leads, r.Time, func(l *lead, at int64) int { return cmp.Compare(l.first.left, at) })
		if i == 0 || r.Time > leads[i-1].last.left {
			return false
		}
	}
	return true
}
