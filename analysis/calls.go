package analysis

import (
	"cmp"
	"slices"

	"tierscope/core"
)

// made is the virtual node that makes an object for a call.
const made = "make"

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
func findCalls(rs []*resource, gs []*group) map[uint64]*resource {
	of := map[uint64]*resource{}
	for _, r := range rs {
		if len(r.objects) < 2 || r.alarm || r.kind != core.Channel && r.kind != core.Semaphore {
			continue
		}
		for _, o := range r.objects {
			of[o.id] = r
		}
	}
	makings := map[*resource]map[int64][]making{} // by thread
	makers := map[*node]*resource{}
	threads := map[int64]*Thread{}
	for _, g := range gs {
		for _, q := range g.seqs {
			threads[q.thread.ID] = q.thread
			for i := range q.steps {
				s := &q.steps[i]
				if r := of[s.object]; r != nil && s.node.op == OpMake {
					if makings[r] == nil {
						makings[r] = map[int64][]making{}
					}
					makers[s.node] = r
					makings[r][q.thread.ID] = append(makings[r][q.thread.ID], making{s.start, s.object})
				}
			}
		}
	}
	for _, r := range rs {
		if len(r.objects) < 2 || of[r.objects[0].id] != r {
			continue
		}
		if r.belongToCalls(makings[r], threads) {
			r.scope = core.PerCall
			continue
		}
		for _, o := range r.objects {
			delete(of, o.id)
		}
	}
	for n, r := range makers {
		n.links = r.chain
	}
	return of
}

// mostEarlier is how many objects a chain may have between what a thread waits for and
// what it tells the next one. One is usual.
const mostEarlier = 3

// belongToCalls reports whether every use of r is one of an object that its thread has
// from a call: at every place of the one that was made last, or always of the same one
// before it. It notes which.
func (r *resource) belongToCalls(by map[int64][]making, threads map[int64]*Thread) bool {
	type place struct {
		node *node
		kase int64 // of a select
	}
	earlier := map[place]int{}
	at := func(s *step) place {
		if s.node.op == OpSelect {
			return place{s.node, s.result}
		}
		return place{s.node, 0}
	}
	for _, u := range r.uses {
		s := u.of()
		n := madeSince(s.object, u.seq.thread, s.start, by, threads)
		if before, seen := earlier[at(s)]; n < 0 || seen && before != n {
			return false
		}
		earlier[at(s)] = n
	}
	for _, u := range r.uses {
		s := u.of()
		s.earlier = earlier[at(s)]
		s.node.earlier = s.earlier
		r.chain = r.chain || s.earlier > 0
	}
	return len(r.uses) > 0
}

// madeSince is how many objects were made after one, of those that a thread and, before
// it was born, its parent made up to a time; -1: more than mostEarlier, or it is none of
// them.
func madeSince(object uint64, th *Thread, at int64, by map[int64][]making, threads map[int64]*Thread) int {
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
func madeFor(th *Thread, at int64, by map[int64][]making, threads map[int64]*Thread) uint64 {
	for depth := 0; th != nil && depth <= len(threads); depth++ {
		if ms := madeUntil(by[th.ID], at); len(ms) > 0 {
			return ms[len(ms)-1].object
		}
		th, at = threads[th.Parent], th.Born
	}
	return 0
}

// startedInCalls reports whether threads that take tasks from a channel of a call use
// r, a wait group of which each request has its own: while they have no task, or
// another one, it is theirs because of the thread that started them. Who adds to it
// first stands for who makes it.
func (b *build) startedInCalls(r *resource) bool {
	takes := func(q *sequence) bool {
		return slices.ContainsFunc(q.steps, func(s step) bool {
			return s.lock != nil && s.lock.scope == core.PerCall && channelOp(&s) == core.Receive
		})
	}
	if r.kind != core.Latch || !slices.ContainsFunc(r.uses, func(u use) bool { return u.group.kind != GroupConnection && takes(u.seq) }) {
		return false
	}
	threads := map[int64]*Thread{}
	for i := range b.t.Threads {
		threads[b.t.Threads[i].ID] = &b.t.Threads[i]
	}
	makings := map[int64][]making{}
	for _, u := range slices.SortedStableFunc(slices.Values(r.uses), func(x, y use) int { return cmp.Compare(x.of().start, y.of().start) }) {
		if s := u.of(); s.node.op == OpAdd {
			ms := makings[u.seq.thread.ID]
			if len(ms) == 0 || ms[len(ms)-1].object != s.object { // an address may be used again
				makings[u.seq.thread.ID] = append(ms, making{s.start - 1, s.object})
			}
		}
	}
	return !slices.ContainsFunc(r.uses, func(u use) bool {
		s := u.of()
		has := madeFor(u.seq.thread, s.start, makings, threads)
		return has != 0 && has != s.object // 0: from before the work phase
	})
}

// findCalls finds those that belong to calls.
func (b *build) findCalls() { b.calls = findCalls(b.resources, b.groups) }
