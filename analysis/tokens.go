package analysis

import (
	"cmp"
	"slices"

	"tierscope/core"
)

// poolTokens takes the channels that are made for every piece of work as one,
// where the simulation could not tell whose channel a thread uses. A channel
// per task belongs to the task that its user works on (core.PerTask): the
// thread of a connection, or one that fetched the task. A thread that was
// started for a piece of work has no task in the model, though. Its tokens go
// to one channel of the program; the receivers take as many as they would have,
// if perhaps not those of their own piece of work. That one of the channels is closed is
// told by tokens of another one: who waits for a value never takes them.
func (b *build) poolTokens() {
	b.collectUses()
	for _, r := range slices.Clone(b.resources) {
		if r.kind != core.Channel || r.scope != core.PerTask || r.task || r.timer {
			continue
		}
		taskless := false
		for _, u := range r.uses {
			taskless = taskless || u.group.kind != GroupConnection && !fetchesTasks(u.group)
		}
		if !taskless {
			continue
		}
		ends := r.endsWaitedFor()
		r.scope, r.together = core.PerProgram, 1
		if r.capacity != 0 {
			r.capacity = core.Unbounded
		}
		closed := &resource{id: r.id + " closed", kind: core.Channel, scope: core.PerProgram, together: 1,
			capacity: core.Unbounded, place: r.place, objects: r.objects}
		if len(ends) > 0 {
			b.resources = append(b.resources, closed)
		}
		for _, g := range b.groups {
			b.nodes.scope = g.name
			for _, q := range g.seqs {
				q.closesAreTokens(r, closed, ends, b.nodes)
			}
		}
		b.collectUses()
	}
}

// endsWaitedFor returns the receives that waited for the end of one of many
// channels, with the number of channels that were closed since the one
// before: who waits for the last waits for all.
func (r *resource) endsWaitedFor() map[use]int {
	type event struct {
		at   int64
		wait *use
	}
	var es []event
	for i := range r.uses {
		s := r.uses[i].of()
		switch {
		case s.node.op == OpClose:
			es = append(es, event{s.start, nil})
		case s.node.op == OpReceive && !s.received() && !s.open:
			es = append(es, event{s.end, &r.uses[i]})
		}
	}
	slices.SortStableFunc(es, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	ends := map[use]int{}
	closed := 0
	for _, e := range es {
		if e.wait == nil {
			closed++
			continue
		}
		ends[*e.wait] = closed
		closed = 0
	}
	return ends
}

// of returns the step that u is.
func (u use) of() *step { return &u.seq.steps[u.step] }

// fetchesTasks reports whether threads of a group take tasks from a queue.
func fetchesTasks(g *group) bool {
	for _, q := range g.seqs {
		for i := range q.steps {
			if s := &q.steps[i]; s.lock != nil && s.lock.task && channelOp(s) == core.Receive {
				return true
			}
		}
	}
	return false
}

// closesAreTokens makes a close of one of many channels a token of another one, if anybody
// waits for ends: the one channel in their place stays open.
func (q *sequence) closesAreTokens(r, closed *resource, ends map[use]int, nodes *nodeTable) {
	waits := map[int]int{}
	for u, n := range ends {
		if u.seq == q {
			waits[u.step] = n
		}
	}
	q.rewrite(func(i int, s step) []step {
		switch n, ok := waits[i]; {
		case s.lock != r:
		case s.node.op == OpClose && len(ends) == 0 || ok && n == 0:
			return nil
		case s.node.op == OpClose:
			s.node, s.result, s.lock = nodes.of(OpSend, s.node.site), 1, closed
		case ok:
			s.result, s.lock = 1, closed
			by := []step{s}
			s.gap, s.gapWall, s.cpu, s.start = 0, 0, 0, s.end
			for len(by) < n {
				by = append(by, s)
			}
			return by
		}
		return []step{s}
	})
}
