package simulation

import "tierscope/core"

// bases are the numbers of the first element of every kind in a structure.
type bases struct {
	classes, sources, queues, pools, sinks, disks, caches, locks, background, graphs int
	fragments                                                                        []int
}

// index finds elements by their identifiers.
type index struct {
	classes, queues, pools, sinks, disks, caches, locks, graphs map[string]int
	fragments                                                   []map[string]int
}

func newIndex(m *core.Model) index {
	x := index{
		classes: indexOf(m.Classes, func(e core.Class) string { return e.ID }),
		queues:  indexOf(m.Queues, func(e core.Queue) string { return e.ID }),
		pools:   indexOf(m.Pools, func(e core.Pool) string { return e.ID }),
		sinks:   indexOf(m.Sinks, func(e core.Sink) string { return e.ID }),
		disks:   indexOf(m.Disks, func(e core.Disk) string { return e.ID }),
		caches:  indexOf(m.Caches, func(e core.Cache) string { return e.ID }),
		locks:   indexOf(m.Locks, func(e core.Lock) string { return e.ID }),
		graphs:  indexOf(m.Graphs, func(e core.Graph) string { return e.ID }),
	}
	for _, g := range m.Graphs {
		x.fragments = append(x.fragments, indexOf(g.Fragments, func(f core.Fragment) string { return f.ID }))
	}
	return x
}

func indexOf[T any](elements []T, id func(T) string) map[string]int {
	out := make(map[string]int, len(elements))
	for i, e := range elements {
		out[id(e)] = i
	}
	return out
}

// declare adds all elements of the model with their values: all fields but
// names, references to others, and what only documents.
func (s *structure) declare(m *core.Model) bases {
	var b bases
	b.classes = len(s.colour)
	for _, e := range m.Classes {
		e.ID = ""
		s.add("class", e)
	}
	b.sources = len(s.colour)
	for _, e := range m.Sources {
		e.ID, e.Class, e.To = "", "", ""
		s.add("source", e)
	}
	b.queues = len(s.colour)
	for _, e := range m.Queues {
		e.ID, e.Origin = "", core.Origin{}
		s.add("queue", e)
	}
	b.pools = len(s.colour)
	for _, e := range m.Pools {
		e.ID, e.Graph, e.From, e.Origin = "", "", "", core.Origin{}
		s.add("pool", e)
	}
	b.sinks = len(s.colour)
	for range m.Sinks {
		s.add("sink", nil)
	}
	b.disks = len(s.colour)
	for _, e := range m.Disks {
		e.ID, e.Origin = "", core.Origin{}
		s.add("disk", e)
	}
	b.caches = len(s.colour)
	for _, e := range m.Caches {
		e.ID, e.Origin = "", core.Origin{}
		s.add("cache", e)
	}
	b.locks = len(s.colour)
	for _, e := range m.Locks {
		e.ID, e.Origin = "", core.Origin{}
		s.add("lock", e)
	}
	b.background = len(s.colour)
	for _, e := range m.Background {
		e.ID, e.Origin = "", core.Origin{}
		s.add("background", e)
	}
	b.graphs = len(s.colour)
	for range m.Graphs {
		s.add("graph", nil)
	}
	for _, g := range m.Graphs {
		b.fragments = append(b.fragments, len(s.colour))
		for _, f := range g.Fragments {
			s.add("fragment", anonymous(f))
		}
	}
	return b
}

// anonymous returns the values of a fragment without names and references.
func anonymous(f core.Fragment) core.Fragment {
	f.ID, f.Group, f.Context, f.Next, f.Order = "", "", nil, nil, nil
	f.Origin, f.Observed = core.Origin{}, core.Observed{}
	if f.IO != nil {
		x := *f.IO
		x.Disk = ""
		f.IO = &x
	}
	if f.Sync != nil {
		x := *f.Sync
		x.Lock, x.Monitor, x.OnTimeout, x.Default, x.Cases = "", "", "", "", nil
		f.Sync = &x
	}
	if f.In != nil {
		x := *f.In
		x.Queue = ""
		f.In = &x
	}
	if f.Out != nil {
		x := *f.Out
		x.To, x.Class, x.OnTimeout = "", "", ""
		f.Out = &x
	}
	if f.Loop != nil {
		x := *f.Loop
		x.Body, x.Order = "", nil
		f.Loop = &x
	}
	if f.Spawn != nil {
		x := *f.Spawn
		x.Pool = ""
		f.Spawn = &x
	}
	if f.Join != nil {
		x := *f.Join
		x.Pool = ""
		f.Join = &x
	}
	if f.Lookup != nil {
		f.Lookup = &core.Lookup{}
	}
	return f
}

// relate adds all references between elements.
func (s *structure) relate(m *core.Model, ids index, b bases) {
	at := func(base int, in map[string]int, id string) int {
		if i, ok := in[id]; ok && id != "" {
			return base + i
		}
		return -1
	}
	target := func(id string) int { // queues, locks and sinks share a name space
		return max(at(b.queues, ids.queues, id), at(b.locks, ids.locks, id), at(b.sinks, ids.sinks, id))
	}
	class := func(id string) int {
		if id == "" && len(m.Classes) > 0 {
			return b.classes
		}
		return at(b.classes, ids.classes, id)
	}
	for i, e := range m.Sources {
		s.refer(b.sources+i, class(e.Class), "source class", nil)
		s.refer(b.sources+i, target(e.To), "source to", nil)
	}
	for i, e := range m.Pools {
		s.refer(b.pools+i, at(b.graphs, ids.graphs, e.Graph), "pool graph", nil)
		s.refer(b.pools+i, target(e.From), "pool from", nil)
	}
	for i, g := range m.Graphs {
		fragment := func(id string) int { return at(b.fragments[i], ids.fragments[i], id) }
		s.refer(b.graphs+i, fragment(g.Entry), "entry", nil)
		for j, f := range g.Fragments {
			me := b.fragments[i] + j
			s.refer(me, b.graphs+i, "of graph", nil)
			for _, e := range f.Next {
				s.refer(me, fragment(e.To), "next", chance(e))
			}
			if f.IO != nil {
				s.refer(me, at(b.disks, ids.disks, f.IO.Disk), "disk", nil)
			}
			if f.Sync != nil {
				s.refer(me, target(f.Sync.Lock), "lock", nil)
				s.refer(me, target(f.Sync.Monitor), "monitor", nil)
				s.refer(me, fragment(f.Sync.OnTimeout), "on timeout", nil)
				s.refer(me, fragment(f.Sync.Default), "default", nil)
				for _, c := range f.Sync.Cases {
					s.refer(me, target(c.Lock), "case", c.Op)
					if c.Earlier != 0 {
						s.refer(me, target(c.Lock), "case earlier", c.Earlier)
					}
					s.refer(me, fragment(c.To), "case to", hashOf("case", c.Op))
					if c.Closed != "" {
						s.refer(me, fragment(c.Closed), "case closed", hashOf("case", c.Op))
					}
				}
			}
			if f.Since != nil {
				s.refer(me, fragment(f.Since.From), "since", nil)
				s.refer(me, fragment(f.Since.First), "since first", nil)
			}
			if f.Lookup != nil {
				s.refer(me, at(b.caches, ids.caches, f.Lookup.Cache), "lookup", nil)
				s.refer(me, fragment(f.Lookup.Hit), "hit", nil)
			}
			if f.In != nil {
				s.refer(me, target(f.In.Queue), "in", nil)
			}
			if f.Out != nil {
				s.refer(me, target(f.Out.To), "out", nil)
				if f.Out.OnTimeout != "" {
					s.refer(me, fragment(f.Out.OnTimeout), "out on timeout", nil)
				}
				if f.Out.New {
					s.refer(me, class(f.Out.Class), "out class", nil)
				}
			}
			if f.Loop != nil {
				s.refer(me, fragment(f.Loop.Body), "body", nil)
			}
			if f.Spawn != nil {
				s.refer(me, at(b.pools, ids.pools, f.Spawn.Pool), "spawn", nil)
			}
			if f.Join != nil {
				s.refer(me, at(b.pools, ids.pools, f.Join.Pool), "join", nil)
			}
		}
	}
}

// chance is what decides how a transition is drawn.
func chance(e core.Edge) any {
	if !e.Last {
		return e.Probability
	}
	return [2]any{e.Probability, e.Count}
}
