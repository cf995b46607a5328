package trail

import (
	"errors"
	"fmt"
)

// Check reports everything about a trail that cannot be: as ssa's sanity check does for functions, it tells a
// pass that breaks the representation from the one that stumbles over it later. It holds between any two passes.
//
//   - Steps have a node, do not end before they start, and cost no negative CPU time.
//   - A step's resource is one of the trail's, and every use of a resource is a step that is on it.
//   - A virtual node belongs to a node; a spawn or join knows its pool.
//   - Threads are in one pool each.
//   - A graph has as many transitions into a fragment as it has executions, but for those that begin a thread.
func (tr *Trail) Check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf("trail: "+format, args...)) }
	known := map[*Resource]bool{}
	for _, r := range tr.Resources {
		known[r] = true
	}
	pooled := map[int64]string{}
	for _, g := range tr.Pools {
		for _, th := range g.Threads {
			if other, twice := pooled[th.ID]; twice {
				bad("thread %d is in the pools %s and %s", th.ID, other, g.Name)
			}
			pooled[th.ID] = g.Name
		}
		for _, q := range g.Sequences {
			tr.checkSteps(g, q, known, bad)
		}
	}
	for _, r := range tr.Resources {
		for _, u := range r.Uses {
			if u.Index >= len(u.Sequence.Steps) || u.Step().Lock != r {
				bad("%s: a use of thread %d at step %d is none", r.ID, u.Sequence.Thread.ID, u.Index)
				break
			}
		}
	}
	for g, p := range tr.Graphs {
		for i, v := range p.Vertices {
			into := int64(0)
			for _, w := range p.Vertices {
				into += w.Next[v]
			}
			if i > 0 && into != v.Count {
				bad("graph of %s: %d transitions lead to a fragment that was executed %d times", g.Name, into, v.Count)
			}
		}
	}
	return errors.Join(errs...)
}

func (tr *Trail) checkSteps(g *Pool, q *Sequence, known map[*Resource]bool, bad func(string, ...any)) {
	for i := range q.Steps {
		s := &q.Steps[i]
		at := fmt.Sprintf("pool %s, thread %d, step %d", g.Name, q.Thread.ID, i)
		switch {
		case s.Node == nil:
			bad("%s has no node", at)
			return
		case s.End < s.Start:
			bad("%s (%s) ends %d ns before it starts", at, NodeName(s.Node), s.Start-s.End)
		case s.Gap < 0 || s.CPU < 0:
			bad("%s (%s) costs %d and %d ns of CPU", at, NodeName(s.Node), s.Gap, s.CPU)
		case s.Lock != nil && !known[s.Lock]:
			bad("%s (%s) is on %s, which is not among the resources", at, NodeName(s.Node), s.Lock.ID)
		}
	}
}
