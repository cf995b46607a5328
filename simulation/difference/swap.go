package difference

import (
	"slices"

	"tierscope/core"
)

// between returns the old model with some parts of the new one, which has the
// old names.
func between(before, after *core.Model, parts map[string]bool, partOf map[string]string) core.Model {
	m := *before
	m.Parameters = nil
	has := func(part string) bool {
		if of, merged := partOf[part]; merged {
			part = of
		}
		return parts[part]
	}
	whole := has(threads)
	if whole {
		m.Sources, m.Queues, m.Sinks, m.Pools, m.Classes = after.Sources, after.Queues, after.Sinks, after.Pools, after.Classes
	}
	m.Sources = choose(m.Sources, after.Sources, func(s *core.Source) (string, bool) { return s.ID, has("sources/" + s.ID) })
	m.Queues = choose(m.Queues, after.Queues, func(q *core.Queue) (string, bool) { return q.ID, has("queues/" + q.ID) })
	m.Pools = choose(m.Pools, after.Pools, func(p *core.Pool) (string, bool) { return p.ID, has("pools/" + p.ID) })
	m.Disks = join(choose(m.Disks, after.Disks, func(d *core.Disk) (string, bool) { return d.ID, has("disks/" + d.ID) }), after.Disks, func(d *core.Disk) string { return d.ID })
	m.Caches = join(choose(m.Caches, after.Caches, func(c *core.Cache) (string, bool) { return c.ID, has("caches/" + c.ID) }), after.Caches, func(c *core.Cache) string { return c.ID })
	m.Locks = join(choose(m.Locks, after.Locks, func(l *core.Lock) (string, bool) { return l.ID, has("locks/" + l.ID) }), after.Locks, func(l *core.Lock) string { return l.ID })
	if has("cpu") {
		m.CPU = after.CPU
	}
	if has("background work") {
		m.Background = after.Background
	}
	graphs := m.Graphs
	if whole {
		graphs = after.Graphs
	}
	m.Graphs = make([]core.Graph, len(graphs))
	for i := range graphs {
		m.Graphs[i] = blend(graph(before, graphs[i].ID), graph(after, graphs[i].ID), has)
	}
	return m
}

// blend returns a call graph with the paths of one model, and for each fragment
// the values of the one that its part is taken from. One of the two may be nil.
func blend(before, after *core.Graph, has func(part string) bool) core.Graph {
	switch {
	case before == nil:
		return *after
	case after == nil:
		return *before
	}
	g := *before
	if has(paths(g.ID)) || has(threads) {
		g = *after
	}
	g.Fragments = slices.Clone(g.Fragments)
	for i := range g.Fragments {
		f := &g.Fragments[i]
		old, now := before.Fragment(f.ID), after.Fragment(f.ID)
		if old == nil || now == nil {
			continue
		}
		from := old
		if has(code(old)) {
			from = now
		}
		f.Demand, f.Delay, f.Scale = from.Demand, from.Delay, from.Scale
		if f.IO != nil && from.IO != nil {
			io := *f.IO
			io.Requests = from.IO.Requests
			f.IO = &io
		}
		if f.Loop != nil && from.Loop != nil {
			loop := *f.Loop
			loop.Count = from.Loop.Count
			f.Loop = &loop
		}
	}
	return g
}

// choose takes those elements from after of which that is said.
func choose[T any](before, after []T, taken func(*T) (id string, yes bool)) []T {
	out := slices.Clone(before)
	for i := range out {
		id, yes := taken(&out[i])
		if !yes {
			continue
		}
		for j := range after {
			if other, _ := taken(&after[j]); other == id {
				out[i] = after[j]
			}
		}
	}
	return out
}

// join adds the elements that only after has: nobody uses them unless the paths
// that do are there too.
func join[T any](before, after []T, id func(*T) string) []T {
	for i := range after {
		if !slices.ContainsFunc(before, func(e T) bool { return id(&e) == id(&after[i]) }) {
			before = append(before, after[i])
		}
	}
	return before
}
