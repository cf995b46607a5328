package prolong

import (
	"cmp"
	"slices"

	"tierscope/core"
)

// site is a place of the source at which a lock is acquired, with the fragments
// of the model that do it.
type site struct {
	function string
	line     int
	lock     string
	at       []acquisition
}

// acquisition is a fragment in which a lock is acquired; of a select, in one of
// its cases (−1: it is no select).
type acquisition struct {
	graph, fragment string
	of              int
}

func acquires(op core.SyncOp) bool { return op == core.Enter || op == core.EnterRead }

// findSites finds where executions of the module acquire locks, and which. A
// channel to which a thread both sends and from which it receives in the module is a
// lock: what comes first acquires it.
func (m *Module) findSites(model *core.Model, by Granularity, files map[string]string) {
	for gi := range model.Graphs {
		g := &model.Graphs[gi]
		first := m.channels(g)
		for fi := range g.Fragments {
			f := &g.Fragments[fi]
			if f.Sync == nil || !m.fragments[g.ID][f.ID] {
				continue
			}
			if acquires(f.Sync.Op) || first[f.Sync.Lock] == f.Sync.Op && f.Sync.Lock != "" {
				m.acquired(g, f, f.Sync.Lock, -1, by, files)
			}
			for k, c := range f.Sync.Cases {
				if first[c.Lock] == c.Op {
					m.acquired(g, f, c.Lock, k, by, files)
				}
			}
		}
	}
	slices.Sort(m.Locks)
	slices.SortFunc(m.sites, func(a, b site) int {
		return cmp.Or(cmp.Compare(a.function, b.function), cmp.Compare(a.line, b.line), cmp.Compare(a.lock, b.lock))
	})
}

// acquired adds a fragment to the sites. Locks that the standard library takes
// for itself carry dependencies, but no delay is put there: nothing of the
// program's own stands behind them.
func (m *Module) acquired(g *core.Graph, f *core.Fragment, lock string, of int, by Granularity, files map[string]string) {
	if !slices.Contains(m.Locks, lock) {
		m.Locks = append(m.Locks, lock)
	}
	if moduleOf(f.Origin.Function, by, files) == "" {
		return
	}
	k := slices.IndexFunc(m.sites, func(s site) bool {
		return s.function == f.Origin.Function && s.line == f.Origin.Line && s.lock == lock
	})
	if k < 0 {
		k = len(m.sites)
		m.sites = append(m.sites, site{function: f.Origin.Function, line: f.Origin.Line, lock: lock})
	}
	m.sites[k].at = append(m.sites[k].at, acquisition{g.ID, f.ID, of})
}

// channels returns the operation that comes first, from the entry of the graph,
// for the channels on which the module does both.
func (m *Module) channels(g *core.Graph) map[string]core.SyncOp {
	first, both := map[string]core.SyncOp{}, map[string]core.SyncOp{}
	note := func(lock string, op core.SyncOp) {
		if op != core.Send && op != core.Receive {
			return
		}
		switch before, ok := first[lock]; {
		case !ok:
			first[lock] = op
		case before != op:
			both[lock] = before
		}
	}
	seen := map[string]bool{g.Entry: true}
	for queue := []string{g.Entry}; len(queue) > 0; queue = queue[1:] {
		f := g.Fragment(queue[0])
		if f == nil {
			continue
		}
		if f.Sync != nil && m.fragments[g.ID][f.ID] {
			note(f.Sync.Lock, f.Sync.Op)
			for _, c := range f.Sync.Cases {
				note(c.Lock, c.Op)
			}
		}
		for _, s := range g.Successors(f) {
			if !seen[s.To] {
				seen[s.To] = true
				queue = append(queue, s.To)
			}
		}
	}
	return both
}

// leastShare of the executions of a module must acquire a lock at a site for
// delays to be put there.
const leastShare = 0.1

// settle leaves the sites at which enough executions acquire a lock. rate is that
// of a fragment, entered that of the module.
func (m *Module) settle(rate func(graph, fragment string) float64, entered float64) {
	m.sites = slices.DeleteFunc(m.sites, func(s site) bool {
		sum := 0.0
		for _, a := range s.at {
			sum += rate(a.graph, a.fragment)
		}
		return sum < leastShare*entered
	})
}
