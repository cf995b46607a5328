package analysis

import "tierscope/core"

// poolTokens takes the channels that are made for every piece of work as one,
// where the simulation could not tell whose channel a thread uses. A channel
// per task belongs to the task that its user works on (core.PerTask): the
// thread of a connection, or one that fetched the task. A thread that was
// started for a piece of work has no task in the model, though. Its tokens go
// to one channel of the program; the receivers take as many as they would have,
// if perhaps not those of their own piece of work.
func (b *build) poolTokens() {
	b.collectUses()
	for _, r := range b.resources {
		if r.kind != core.Channel || r.scope != core.PerTask || r.task || r.timer {
			continue
		}
		ended := map[uint64]bool{} // objects of which somebody waits for the close
		taskless := false
		for _, u := range r.uses {
			s := &u.seq.steps[u.step]
			taskless = taskless || u.group.kind != GroupConnection && !fetchesTasks(u.group)
			if channelOp(s) == core.Receive && !s.received() {
				ended[s.object] = true
			}
		}
		if !taskless {
			continue
		}
		r.scope, r.together = core.PerProgram, 1
		if r.capacity != 0 {
			r.capacity = core.Unbounded
		}
		for _, g := range b.groups {
			b.nodes.scope = g.name
			for _, q := range g.seqs {
				q.closesAreTokens(r, ended, b.nodes)
			}
		}
		b.collectUses()
	}
}

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

// closesAreTokens makes a close of one of many channels a token, if somebody
// waits for it: the one channel in their place stays open.
func (q *sequence) closesAreTokens(r *resource, ended map[uint64]bool, nodes *nodeTable) {
	q.rewrite(func(_ int, s step) []step {
		switch {
		case s.lock != r:
		case s.node.op == OpClose && !ended[s.object]:
			return nil
		case s.node.op == OpClose:
			s.node, s.result = nodes.of(OpSend, s.node.site), 1
		case s.node.op == OpReceive && !s.received() && !s.open:
			s.result = 1
		}
		return []step{s}
	})
}
