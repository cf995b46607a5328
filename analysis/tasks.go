package analysis

import (
	"tierscope/core"
)

// findTaskQueues decides which channels carry tasks between pools (c_in and
// c_out) and which carry tokens: signals, permits, ends, replies. A channel
// carries tasks if what it carries has a size, one set of threads sends and
// another one receives, and it lives longer than one exchange.
func findTaskQueues(rs []*resource, gs []*group) {
	for _, r := range rs {
		if r.alarm && (r.kind == core.Channel || r.kind == core.Condition) {
			r.timer = true
			continue
		}
		if r.kind != core.Channel {
			continue
		}
		sent, got := map[*group]int64{}, map[*group]int64{}
		perThread := map[*sequence]int64{}
		var received, sends int64
		for _, u := range r.uses {
			s := &u.seq.steps[u.step]
			switch channelOp(s) {
			case core.Send:
				sent[u.group]++
				perThread[u.seq]++
				sends++
			case core.Receive:
				got[u.group]++
				if s.received() {
					received++
				}
			default: // a close carries nothing, an attempt that failed neither
			}
		}
		if sends == 0 {
			r.timer = received > 0 && !r.closed()
			continue
		}
		r.task = received > 0 && !r.chain && (r.scope == core.PerCall || r.scope == core.PerProgram && (len(r.objects) == r.distinctUses() || r.closedTogether())) &&
			r.carriesData() && disjoint(sent, got) && !onceEach(perThread, gs)
	}
}

// channelOp returns Send, Receive or Close for an operation on a channel, for
// a select that of the case chosen.
func channelOp(s *step) core.SyncOp {
	switch s.node.op {
	case OpSend, OpTrySend:
		if !s.succeeded() {
			return ""
		}
		return core.Send
	case OpReceive, OpTryReceive, OpAccept:
		return core.Receive
	case OpClose:
		return core.Close
	case OpSelect:
		if s.sends {
			return core.Send
		}
		if s.result >= 0 {
			return core.Receive
		}
	}
	return ""
}

// received reports whether a receive got something.
func (s *step) received() bool {
	switch s.node.op {
	case OpReceive, OpTryReceive:
		return s.result == 1 && !s.open
	}
	return !s.open && !s.foundClosed()
}

// foundClosed reports whether a select took the case of a channel because that was
// closed: it received no value, on a channel whose values are told apart.
func (s *step) foundClosed() bool {
	return s.node.op == OpSelect && s.result >= 0 && !s.sends && s.value == 0 && s.lock != nil && s.lock.numbered
}

func (r *resource) closed() bool {
	for _, u := range r.uses {
		if u.seq.steps[u.step].node.op == OpClose {
			return true
		}
	}
	return false
}

// distinctUses is 1 if there is one object or they are used one after the
// other, as the queue of every step of an algorithm.
func (r *resource) distinctUses() int {
	if r.together <= 1 {
		return len(r.objects)
	}
	return 1
}

// carriesData is false for channels of empty elements.
func (r *resource) carriesData() bool {
	for _, o := range r.objects {
		if o.made != nil && o.made.Elem == 0 {
			return false
		}
	}
	return true
}

func disjoint(a, b map[*group]int64) bool {
	for g := range a {
		if b[g] > 0 {
			return false
		}
	}
	return true
}

// onceEach reports whether every thread of one group sends exactly one thing:
// that it has ended.
func onceEach(sends map[*sequence]int64, gs []*group) bool {
	for _, g := range gs {
		n := 0
		for _, q := range g.seqs {
			if sends[q] == 1 {
				n++
			}
		}
		if n > 1 && n == len(g.seqs) && n == len(sends) {
			return true
		}
	}
	return false
}

// taskFlow is what the threads of a group do with the tasks that they fetch.
type taskFlow struct {
	passes map[*node]bool // c_out fragments that send the fetched task on
	keeps  bool           // a fetched task ends in this group
}

// flowOf looks at every stretch of work between a fetch and the next c_in. If
// each of them sends exactly once, and by no other operation, the task that
// was fetched is sent on. Otherwise what is sent are new tasks, and the fetched
// one is done when the thread turns to the next.
func flowOf(seqs []*sequence) taskFlow {
	f := taskFlow{passes: map[*node]bool{}}
	stretches, single := 0, 0
	outs := map[*node]bool{}
	for _, q := range seqs {
		sends, working := 0, false
		finish := func() {
			if !working {
				return
			}
			stretches++
			if sends == 1 {
				single++
			}
			working = false
		}
		for i := range q.steps {
			s := &q.steps[i]
			switch {
			case s.node.fetched():
				finish()
				working, sends = true, 0
			case s.node.class == core.NoFetchFragment:
				finish()
			case s.lock != nil && s.lock.task && channelOp(s) == core.Send && working:
				sends++
				outs[s.node] = true
			}
		}
		if !q.cut {
			finish()
		}
	}
	if stretches > 0 && single == stretches {
		f.passes = outs
		return f
	}
	f.keeps = stretches > 0
	return f
}

// passesOn reports whether a c_out fragment, or what it is a copy of, sends the fetched
// task on.
func (f taskFlow) passesOn(n *node) bool {
	for ; n != nil; n = n.copied {
		if f.passes[n] {
			return true
		}
	}
	return false
}

// markDone puts a virtual c_out to the sink where a fetched task ends: at the
// end of the iteration of the loop that fetched it, or else of the thread.
func (q *sequence) markDone(nodes *nodeTable, forest []*loop) {
	ends := map[int]*node{} // step before which a task ends, and its c_in
	var pending *step
	var around *loop
	for i := range q.steps {
		s := &q.steps[i]
		if pending != nil {
			in := pending.node.of
			leaves := around != nil && !around.members[s.node]
			if s.node == in || leaves || s.node == nodes.end || s.node.fetched() ||
				around != nil && s.node == around.header {
				at := i
				if s.node.fetched() || s.node.class == core.NoFetchFragment {
					at-- // not between the operation that fetches and what it fetched
				}
				ends[at] = in
				pending = nil
			}
		}
		if s.node.fetched() {
			pending = s
			around = innermost(forest, s.node)
		}
	}
	q.rewrite(func(i int, s step) []step {
		in, ok := ends[i]
		if !ok {
			return []step{s}
		}
		d := mark(nodes.virtual("done", in, core.OutFragment), &s)
		return []step{d, s}
	})
}

// innermost returns the innermost loop that n is in.
func innermost(forest []*loop, n *node) *loop {
	var found *loop
	for l := loopWith(forest, n); l != nil; l = loopWith(l.inner, n) {
		found = l
		if n == l.header {
			break
		}
	}
	return found
}

// findTaskQueues finds the channels that carry tasks.
func (b *build) findTaskQueues() { findTaskQueues(b.resources, b.groups) }

// markTasks finds out how tasks flow through the groups.
func (b *build) markTasks() {
	for _, g := range b.modelled {
		for _, q := range g.seqs {
			q.beginAtFetch()
		}
		f := flowOf(g.seqs)
		b.flows[g] = f
		if !f.keeps {
			continue
		}
		forest := findLoops(g.seqs)
		for _, q := range g.seqs {
			q.markDone(b.nodes, forest)
		}
	}
}
