package analysis

import "tierscope/core"

// startAndWork cuts the run of a server to its work phase, and the threads of
// its connections to requests.
func (b *build) startAndWork() {
	if !b.server {
		return
	}
	for _, r := range b.resources {
		r.countPrefill(b.t.WorkStart)
	}
	done := b.nodes.virtual("done", nil, core.OutFragment)
	for _, g := range b.groups {
		var pieces []*sequence
		for _, q := range g.seqs {
			q.workPhase(b.t.WorkStart, b.t.WorkEnd, b.nodes)
			if g.kind == GroupConnection {
				pieces = append(pieces, q.requests(b.nodes, done)...)
			}
		}
		if g.kind == GroupConnection {
			g.seqs = pieces
			b.source = b.source || len(pieces) > 0
		}
	}
	if !b.source {
		b.acceptRequests()
	}
	b.collectUses()
	for _, r := range b.resources {
		if r.scope != core.PerCall && r.madePerRequest() {
			r.scope = core.PerTask
			if b.startedInCalls(r) {
				r.scope = core.PerCall
			}
			if m := r.monitor; m != nil && len(m.objects) > 1 {
				m.scope = core.PerTask
			}
		}
	}
}

// acceptRequests makes accepting a connection the c_in fragment through which
// requests enter, where connections go to a pool instead of threads of their
// own.
func (b *build) acceptRequests() {
	requests := &resource{id: queueRequests, kind: core.Channel, task: true, fed: true, capacity: core.Unbounded}
	for _, g := range b.groups {
		for _, q := range g.seqs {
			for i := range q.steps {
				if s := &q.steps[i]; s.node.op == OpAccept {
					s.lock = requests
					b.source = true
				}
			}
		}
	}
	if b.source {
		b.resources = append(b.resources, requests)
	}
}

// madePerRequest reports whether every request makes such a channel, wait
// group or condition anew.
func (r *resource) madePerRequest() bool {
	switch r.kind {
	case core.Channel, core.Latch, core.Condition:
	default:
		return false
	}
	connections, objects := false, map[uint64]bool{}
	for _, u := range r.uses {
		connections = connections || u.group.kind == GroupConnection
		objects[u.seq.steps[u.step].object] = true
	}
	return connections && len(objects) > 1 && !r.task
}

// hasConnections reports whether connections have threads of their own.
func (b *build) hasConnections() bool {
	for _, g := range b.groups {
		if g.kind == GroupConnection && len(g.seqs) > 0 {
			return true
		}
	}
	return false
}

func acceptsInPhase(g *group) bool {
	for _, q := range g.seqs {
		for i := range q.steps {
			if q.steps[i].node.op == OpAccept {
				return true
			}
		}
	}
	return false
}
