package difference

import (
	"slices"

	"tierscope/core"
)

// renamed returns the new model with the names of the old one for what both
// have. What only the new one has gets a name that the old one has not.
// Parameters go: their paths would be wrong, and the configuration is set.
func (m Match) renamed(before, after core.Model) core.Model {
	after.Parameters = nil
	queues := namer(m.Queues, idsOf(before.Queues, func(q core.Queue) string { return q.ID }))
	locks := namer(m.Locks, idsOf(before.Locks, func(l core.Lock) string { return l.ID }))
	disks := namer(m.Disks, idsOf(before.Disks, func(d core.Disk) string { return d.ID }))
	sources := namer(m.Sources, idsOf(before.Sources, func(s core.Source) string { return s.ID }))
	sinks := namer(m.Sinks, idsOf(before.Sinks, func(s core.Sink) string { return s.ID }))
	pools := namer(m.Pools, idsOf(before.Pools, func(p core.Pool) string { return p.ID }))
	graphs := namer(m.Graphs, idsOf(before.Graphs, func(g core.Graph) string { return g.ID }))
	isQueue := idsOf(after.Queues, func(q core.Queue) string { return q.ID })
	queueOrSink := func(id string) string {
		if isQueue[id] {
			return queues(id)
		}
		return sinks(id)
	}
	queueOrLock := func(id string) string {
		if isQueue[id] {
			return queues(id)
		}
		return locks(id)
	}

	after.Queues = slices.Clone(after.Queues)
	for i := range after.Queues {
		after.Queues[i].ID = queues(after.Queues[i].ID)
	}
	after.Locks = slices.Clone(after.Locks)
	for i := range after.Locks {
		after.Locks[i].ID = locks(after.Locks[i].ID)
	}
	after.Disks = slices.Clone(after.Disks)
	for i := range after.Disks {
		after.Disks[i].ID = disks(after.Disks[i].ID)
	}
	after.Sinks = slices.Clone(after.Sinks)
	for i := range after.Sinks {
		after.Sinks[i].ID = sinks(after.Sinks[i].ID)
	}
	after.Sources = slices.Clone(after.Sources)
	for i := range after.Sources {
		s := &after.Sources[i]
		s.ID, s.To = sources(s.ID), queues(s.To)
	}
	after.Pools = slices.Clone(after.Pools)
	for i := range after.Pools {
		p := &after.Pools[i]
		p.ID, p.Graph = pools(p.ID), graphs(p.Graph)
		if p.From != "" {
			p.From = queues(p.From)
		}
	}
	after.Graphs = slices.Clone(after.Graphs)
	for i := range after.Graphs {
		g := &after.Graphs[i]
		old := map[string]bool{}
		if id, ok := m.Graphs[g.ID]; ok {
			old = idsOf(graph(&before, id).Fragments, func(f core.Fragment) string { return f.ID })
		}
		fragments := namer(m.Fragments[g.ID], old)
		g.ID, g.Entry, g.Fragments = graphs(g.ID), fragments(g.Entry), slices.Clone(g.Fragments)
		for j := range g.Fragments {
			f := &g.Fragments[j]
			f.ID = fragments(f.ID)
			f.Retarget(fragments)
			refer(f, queueOrSink, queueOrLock, disks, pools)
		}
	}
	return after
}

// refer replaces the references of a fragment to elements outside its graph. It
// changes nothing that f shares with the model it was copied from.
func refer(f *core.Fragment, queueOrSink, queueOrLock, disks, pools func(string) string) {
	if f.IO != nil {
		x := *f.IO
		x.Disk = disks(x.Disk)
		f.IO = &x
	}
	if f.In != nil {
		x := *f.In
		x.Queue = queueOrSink(x.Queue)
		f.In = &x
	}
	if f.Out != nil {
		x := *f.Out
		x.To = queueOrSink(x.To)
		f.Out = &x
	}
	if f.Spawn != nil {
		x := *f.Spawn
		x.Pool = pools(x.Pool)
		f.Spawn = &x
	}
	if f.Join != nil {
		x := *f.Join
		x.Pool = pools(x.Pool)
		f.Join = &x
	}
	if f.Sync == nil {
		return
	}
	x := *f.Sync // a copy already: Retarget made it
	x.Cases = slices.Clone(x.Cases)
	for i := range x.Cases {
		x.Cases[i].Lock = queueOrLock(x.Cases[i].Lock)
	}
	if x.Lock != "" {
		x.Lock = queueOrLock(x.Lock)
	}
	if x.Monitor != "" {
		x.Monitor = queueOrLock(x.Monitor)
	}
	f.Sync = &x
}

// added marks the name of an element that only the new model has, where the old
// model has another one of that name.
const added = " (new)"

// namer returns the old name of an element of the new model.
func namer(match map[string]string, old map[string]bool) func(string) string {
	return func(id string) string {
		if before, ok := match[id]; ok {
			return before
		}
		for old[id] {
			id += added
		}
		return id
	}
}

func idsOf[T any](elements []T, id func(T) string) map[string]bool {
	ids := make(map[string]bool, len(elements))
	for _, e := range elements {
		ids[id(e)] = true
	}
	return ids
}
