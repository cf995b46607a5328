package tasks

import (
	"tierscope/analysis/ownership"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// WorkPhase cuts the run of a server to its work phase, and the threads of
// its connections to requests.
func WorkPhase(tr *trail.Trail) {
	if !tr.Server {
		return
	}
	first := map[*trail.Sequence]int{}
	for _, g := range tr.Pools {
		for _, q := range g.Sequences {
			first[q] = firstTask(g, q, tr.Trace.WorkStart)
		}
	}
	for _, r := range tr.Resources {
		countPrefill(r, tr.Trace.WorkStart, first)
	}
	done := tr.Nodes.Virtual("done", nil, core.OutFragment)
	for _, g := range tr.Pools {
		var pieces []*trail.Sequence
		for _, q := range g.Sequences {
			workPhase(q, tr.Trace.WorkStart, tr.Trace.WorkEnd, tr.Nodes)
			if g.Kind == trail.PoolPerConnection {
				pieces = append(pieces, requests(q, tr.Nodes, done)...)
			}
		}
		if g.Kind == trail.PoolPerConnection {
			g.Sequences = pieces
			tr.Source = tr.Source || len(pieces) > 0
		}
	}
	if !tr.Source {
		acceptRequests(tr)
	}
	tr.CollectUses()
	for _, r := range tr.Resources {
		if r.Scope != core.PerCall && madePerRequest(r) {
			r.Scope = core.PerTask
			if ownership.StartedInCalls(tr, r) {
				r.Scope = core.PerCall
			}
			if m := r.Monitor; m != nil && len(m.Objects) > 1 {
				m.Scope = core.PerTask
			}
		}
	}
}

// acceptRequests makes accepting a connection the c_in fragment through which
// requests enter, where connections go to a pool instead of threads of their
// own. Event loops have a queue each.
func acceptRequests(tr *trail.Trail) {
	requests := &trail.Resource{ID: trail.QueueRequests, Kind: core.Channel, Task: true, Fed: true, Capacity: core.Unbounded}
	loops := map[uint64]bool{}
	for _, o := range tr.Trace.Objects {
		loops[o.ID] = o.Kind == trace.Loop
	}
	for _, g := range tr.Pools {
		for _, q := range g.Sequences {
			for i := range q.Steps {
				if s := &q.Steps[i]; s.Node.Op == trace.OpAccept {
					s.Lock = requests
					tr.Source = true
					if loops[s.Object] {
						requests.Scope = core.PerThread
					}
				}
			}
		}
	}
	if tr.Source {
		tr.Resources = append(tr.Resources, requests)
	}
}

// madePerRequest reports whether every request makes such a channel, wait
// group or condition anew.
func madePerRequest(r *trail.Resource) bool {
	switch r.Kind {
	case core.Channel, core.Latch, core.Condition:
	default:
		return false
	}
	connections, objects := false, map[uint64]bool{}
	for _, u := range r.Uses {
		connections = connections || u.Pool.Kind == trail.PoolPerConnection
		objects[u.Sequence.Steps[u.Index].Object] = true
	}
	return connections && len(objects) > 1 && !r.Task
}
