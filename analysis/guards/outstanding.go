package guards

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// A count of what is not done yet, under the lock of a list of work, with a condition for who waits until it is zero, is a latch:
//
//	bring: lock; append; outstanding++; more.Signal(); unlock
//	done:  lock; outstanding--; if outstanding == 0 { finished.Signal() }; unlock
//	wait:  lock; for outstanding > 0 { finished.Wait() }; unlock
//
// Which of the threads comes last is a matter of luck, and a probability would signal too early, twice or never. The run
// shows what the count is, if there are places that bring and places that say that something is done of which in the order
// of the lock all of this holds: none is done before it was brought; the condition is signalled when the count comes to zero
// and not before, or whenever something is done; and who waits for it had to if and only if the count was not zero, and leaves
// when it is.

// outstanding is a count that a condition waits for.
type outstanding struct {
	finished            *trail.Resource
	brings, dones, ends map[side]bool // ends: who waits
}

// FindOutstanding recognises home-made latches.
func FindOutstanding(tr *trail.Trail) {
	for _, r := range tr.Resources {
		if r.Kind != core.Condition || r.Monitor == nil || len(r.Objects) != 1 {
			continue
		}
		stays := r.Monitor.Stays()
		o := &outstanding{finished: r}
		if !o.found(stays) {
			continue
		}
		o.replace(stays, tr.Nodes)
		r.Kind, r.Monitor, r.Capacity = core.Latch, nil, 0
	}
}

// found reports whether the stays under the lock of the condition are explained by a count.
func (o *outstanding) found(stays []trail.Stay) bool {
	o.dones, o.ends = map[side]bool{}, map[side]bool{}
	times := map[side]int{}
	var order []side // that may bring
	for i := range stays {
		s := &stays[i]
		at := sideOf(s)
		times[at]++
		o.dones[at] = o.dones[at] || s.Signals[o.finished]
		o.ends[at] = o.ends[at] || s.Waits[o.finished]
	}
	done, waited := 0, false
	for i := range stays {
		switch at := sideOf(&stays[i]); {
		case o.dones[at] && o.ends[at]:
			return false
		case o.dones[at]:
			done++
		case o.ends[at]:
			waited = true
		case times[at] > 1 && !slices.Contains(order, at):
			order = append(order, at)
		}
	}
	if !waited || done < 2 || len(order) > mostSides || !o.onlyWaits(stays) {
		return false
	}
	for brings, brought := range choices(order, times) {
		if o.brings = brings; brought == done && o.counts(stays) {
			return true
		}
	}
	return false
}

// onlyWaits reports whether the threads that wait do nothing else in the stay, and nobody uses the condition elsewhere.
func (o *outstanding) onlyWaits(stays []trail.Stay) bool {
	uses := 0
	for i := range stays {
		s := &stays[i]
		for k := s.First; k <= min(s.Last+1, len(s.Sequence.Steps)-1); k++ {
			x := &s.Sequence.Steps[k]
			switch {
			case x.Lock == o.finished:
				uses++
			case o.ends[sideOf(s)] && k > s.First && k < s.Last:
				return false
			}
		}
	}
	return uses == len(o.finished.Uses)
}

// counts reports whether everything that happens under the lock is as the count has it.
func (o *outstanding) counts(stays []trail.Stay) bool {
	type event struct {
		at   int64
		stay *trail.Stay
		ends bool // who waits leaves
	}
	var es []event
	for i := range stays {
		s := &stays[i]
		switch at := sideOf(s); {
		case o.brings[at]:
			es = append(es, event{s.Leaves().Start, s, false})
		case o.dones[at]:
			es = append(es, event{s.Enters().End, s, false})
		case o.ends[at]:
			es = append(es, event{s.Enters().End, s, false}, event{s.Leaves().Start, s, true})
		}
	}
	slices.SortStableFunc(es, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	n, early, silent := 0, false, false
	for _, e := range es {
		switch at := sideOf(e.stay); {
		case o.brings[at]:
			n++
		case o.dones[at]:
			n--
			signals := e.stay.Signals[o.finished]
			early, silent = early || signals && n > 0, silent || !signals
			if n < 0 || n == 0 && !signals {
				return false
			}
		case e.ends && n != 0, !e.ends && e.stay.Waits[o.finished] != (n > 0):
			return false
		}
	}
	return !early || !silent
}

// replace puts the operations of a latch before the stays that bring and that say that something is done, and in the place of
// those that wait.
func (o *outstanding) replace(stays []trail.Stay, nodes *trail.NodeTable) {
	by := map[*trail.Sequence]map[int]*trail.Stay{}
	var first []*trail.Stay // of each thread
	for i := range stays {
		s := &stays[i]
		if by[s.Sequence] == nil {
			by[s.Sequence] = map[int]*trail.Stay{}
			first = append(first, s)
		}
		by[s.Sequence][s.First] = s
	}
	for _, of := range first {
		nodes.Scope = of.Pool.Name
		until := -1
		of.Sequence.Rewrite(func(i int, s trail.Step) []trail.Step {
			stay, begins := by[of.Sequence][i]
			op := trace.OpNone
			if begins {
				op = o.operation(sideOf(stay))
			}
			switch {
			case op == trace.OpWaitGroup:
				until = stay.Last
				s.Node, s.Lock, s.Object, s.End = nodes.Of(op, s.Node.Site), o.finished, o.finished.Objects[0].ID, stay.Leaves().End
				return []trail.Step{s}
			case i <= until, s.Lock == o.finished:
				return nil
			case op != trace.OpNone:
				m := trail.Mark(nodes.Of(op, s.Node.Site), &s)
				m.Lock, m.Object, m.Arg = o.finished, o.finished.Objects[0].ID, 1
				return []trail.Step{m, s}
			}
			return []trail.Step{s}
		})
	}
}

// operation is what the latch is asked at a place; none: it is of no matter there.
func (o *outstanding) operation(at side) trace.Op {
	switch {
	case o.brings[at]:
		return trace.OpAdd
	case o.dones[at]:
		return trace.OpDone
	case o.ends[at]:
		return trace.OpWaitGroup
	}
	return trace.OpNone
}
