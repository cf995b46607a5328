package ownership

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// making is the creation of an object by a thread.
type making struct {
	at     int64 // ns
	object uint64
}

// findCalls finds the channels and semaphores that a function makes anew every
// time it is called and hands to the threads that it starts:
//
//	func each(n int, do func(int)) {
//		items := make(chan int)
//		for range workers { go func() { for i := range items { do(i) } }() }
//		…
//
// In the model such a one belongs to the call (core.PerCall). That is a rule: a
// thread uses the one that it made last, or else the one that its parent had
// when it was born. In a chain,
//
//	next := make(chan struct{}, 1)
//	go func() { work(); <-prev; report(); next <- struct{}{} }()
//	prev = next
//
// the same place always uses the one that was made so many before that. A resource is
// taken for one of a call if the rule is right for every use of the run; an array of
// channels, of which a thread has several at a time, is not. It returns the resource of
// every object made that way.
func findCalls(rs []*trail.Resource, gs []*trail.Pool) map[uint64]*trail.Resource {
	of := map[uint64]*trail.Resource{}
	for _, r := range rs {
		if len(r.Objects) < 2 || r.Alarm || r.Kind != core.Channel && r.Kind != core.Semaphore {
			continue
		}
		for _, o := range r.Objects {
			of[o.ID] = r
		}
	}
	makings := map[*trail.Resource]map[int64][]making{} // by thread
	makers := map[*trail.Node]*trail.Resource{}
	threads := map[int64]*trace.Thread{}
	for _, g := range gs {
		for _, q := range g.Sequences {
			threads[q.Thread.ID] = q.Thread
			for i := range q.Steps {
				s := &q.Steps[i]
				if r := of[s.Object]; r != nil && s.Node.Op == trace.OpMake {
					if makings[r] == nil {
						makings[r] = map[int64][]making{}
					}
					makers[s.Node] = r
					makings[r][q.Thread.ID] = append(makings[r][q.Thread.ID], making{s.Start, s.Object})
				}
			}
		}
	}
	for _, r := range rs {
		if len(r.Objects) < 2 || of[r.Objects[0].ID] != r {
			continue
		}
		if belongToCalls(r, makings[r], threads) {
			r.Scope = core.PerCall
			continue
		}
		for _, o := range r.Objects {
			delete(of, o.ID)
		}
	}
	for n, r := range makers {
		n.Links = r.Chain
	}
	return of
}

// mostEarlier is how many objects a chain may have between what a thread waits for and
// what it tells the next one. One is usual. Convention, sensitivity none.
const mostEarlier = 3

// belongToCalls reports whether every use of r is one of an object that its thread has
// from a call: at every place of the one that was made last, or always of the same one
// before it. It notes which.
func belongToCalls(r *trail.Resource, by map[int64][]making, threads map[int64]*trace.Thread) bool {
	type place struct {
		node *trail.Node
		kase int64 // of a select
	}
	earlier := map[place]int{}
	at := func(s *trail.Step) place {
		if s.Node.Op == trace.OpSelect {
			return place{s.Node, s.Result}
		}
		return place{s.Node, 0}
	}
	for _, u := range r.Uses {
		s := u.Step()
		n := madeSince(s.Object, u.Sequence.Thread, s.Start, by, threads)
		if before, seen := earlier[at(s)]; n < 0 || seen && before != n {
			return false
		}
		earlier[at(s)] = n
	}
	for _, u := range r.Uses {
		s := u.Step()
		s.Earlier = earlier[at(s)]
		s.Node.Earlier = s.Earlier
		r.Chain = r.Chain || s.Earlier > 0
	}
	return len(r.Uses) > 0
}

// madeSince is how many objects were made after one, of those that a thread and, before
// it was born, its parent made up to a time; -1: more than mostEarlier, or it is none of
// them.
func madeSince(object uint64, th *trace.Thread, at int64, by map[int64][]making, threads map[int64]*trace.Thread) int {
	n := 0
	for depth := 0; th != nil && depth <= len(threads); depth++ {
		for _, m := range slices.Backward(madeUntil(by[th.ID], at)) {
			if m.object == object {
				return n
			}
			if n++; n > mostEarlier {
				return -1
			}
		}
		th, at = threads[th.Parent], th.Born
	}
	return -1
}

// madeUntil returns what was made at a time or before it.
func madeUntil(ms []making, at int64) []making {
	n, _ := slices.BinarySearchFunc(ms, at, func(m making, at int64) int {
		return cmp.Or(cmp.Compare(m.at, at), -1) // at the same time: before
	})
	return ms[:n]
}

// madeFor returns the object that a thread has at a time: that which it has
// made last, or else the one that its parent had when it was born; 0: none.
func madeFor(th *trace.Thread, at int64, by map[int64][]making, threads map[int64]*trace.Thread) uint64 {
	for depth := 0; th != nil && depth <= len(threads); depth++ {
		if ms := madeUntil(by[th.ID], at); len(ms) > 0 {
			return ms[len(ms)-1].object
		}
		th, at = threads[th.Parent], th.Born
	}
	return 0
}

// StartedInCalls reports whether threads that take tasks from a channel of a call use
// r, a wait group of which each request has its own: while they have no task, or
// another one, it is theirs because of the thread that started them. Who adds to it
// first stands for who makes it.
func StartedInCalls(tr *trail.Trail, r *trail.Resource) bool {
	takes := func(q *trail.Sequence) bool {
		return slices.ContainsFunc(q.Steps, func(s trail.Step) bool {
			return s.Lock != nil && s.Lock.Scope == core.PerCall && trail.ChannelOp(&s) == core.Receive
		})
	}
	if r.Kind != core.Latch || !slices.ContainsFunc(r.Uses, func(u trail.Use) bool { return u.Pool.Kind != trail.PoolPerConnection && takes(u.Sequence) }) {
		return false
	}
	threads := map[int64]*trace.Thread{}
	for i := range tr.Trace.Threads {
		threads[tr.Trace.Threads[i].ID] = &tr.Trace.Threads[i]
	}
	makings := map[int64][]making{}
	for _, u := range slices.SortedStableFunc(slices.Values(r.Uses), func(x, y trail.Use) int { return cmp.Compare(x.Step().Start, y.Step().Start) }) {
		if s := u.Step(); s.Node.Op == trace.OpAdd {
			ms := makings[u.Sequence.Thread.ID]
			if len(ms) == 0 || ms[len(ms)-1].object != s.Object { // an address may be used again
				makings[u.Sequence.Thread.ID] = append(ms, making{s.Start - 1, s.Object})
			}
		}
	}
	return !slices.ContainsFunc(r.Uses, func(u trail.Use) bool {
		s := u.Step()
		has := madeFor(u.Sequence.Thread, s.Start, makings, threads)
		return has != 0 && has != s.Object // 0: from before the work phase
	})
}

// FindCalls finds those that belong to calls.
func FindCalls(tr *trail.Trail) { tr.Calls = findCalls(tr.Resources, tr.Pools) }
