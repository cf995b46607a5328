package core

import (
	"strings"
)

// Names are new identifiers of elements by their old ones. What is not in it keeps its own.
type Names struct {
	Pools   map[string]string // of pools with their graphs
	Objects map[string]string // of locks and queues
	Classes map[string]string // of tasks
}

// renamed is the new identifier.
func renamed(names map[string]string, id string) string {
	if n, ok := names[id]; ok {
		return n
	}
	return id
}

// Rename gives pools, with their graphs, locks, queues and classes other identifiers, everywhere
// where the model says them, in place. Fragments that start or await a pool say its name too: it
// returns what they are called now, by graph and old identifier. It panics if the model has
// walks, which say names in their own way: they come later.
func (m *Model) Rename(n Names) (fragments map[string]map[string]string) {
	if len(m.Walks) > 0 {
		panic("core: a model with walks is renamed")
	}
	fragments = map[string]map[string]string{}
	for i := range m.Graphs {
		g := &m.Graphs[i]
		g.ID = renamed(n.Pools, g.ID)
		fragments[g.ID] = g.rename(n)
	}
	for i := range m.Pools {
		p := &m.Pools[i]
		p.ID, p.Graph, p.From = renamed(n.Pools, p.ID), renamed(n.Pools, p.Graph), renamed(n.Objects, p.From)
	}
	for i := range m.Locks {
		m.Locks[i].ID = renamed(n.Objects, m.Locks[i].ID)
	}
	for i := range m.Queues {
		m.Queues[i].ID = renamed(n.Objects, m.Queues[i].ID)
	}
	for i := range m.Sources {
		s := &m.Sources[i]
		s.To, s.Class = renamed(n.Objects, s.To), renamed(n.Classes, s.Class)
	}
	for i := range m.Classes {
		m.Classes[i].ID = renamed(n.Classes, m.Classes[i].ID)
	}
	for i := range m.Parameters {
		for j := range m.Parameters[i].Targets {
			t := &m.Parameters[i].Targets[j]
			t.Path = n.path(t.Path, fragments)
		}
	}
	return fragments
}

// path is a path of paths.go with the new names.
func (n Names) path(path string, fragments map[string]map[string]string) string {
	swap := func(kind string, names map[string]string) (string, bool) {
		rest, ok := strings.CutPrefix(path, kind)
		if !ok {
			return "", false
		}
		best := "" // identifiers may contain slashes: the longest is meant
		for old := range names {
			if strings.HasPrefix(rest, old+"/") && len(old) > len(best) {
				best = old
			}
		}
		if best == "" {
			return "", false
		}
		return kind + names[best] + rest[len(best):], true
	}
	for _, kind := range []string{"pools/", "graphs/"} {
		if p, ok := swap(kind, n.Pools); ok {
			path = p
		}
	}
	for _, kind := range []string{"locks/", "queues/"} {
		if p, ok := swap(kind, n.Objects); ok {
			path = p
		}
	}
	for graph, names := range fragments {
		if p, ok := swap("graphs/"+graph+"/fragments/", names); ok {
			return p
		}
	}
	return path
}

// rename gives what the fragments of a graph name its new name, and says which fragments have
// another one now.
func (g *Graph) rename(n Names) map[string]string {
	taken := map[string]bool{}
	for i := range g.Fragments {
		taken[g.Fragments[i].ID] = true
	}
	own := map[string]string{}
	say := func(f *Fragment, pool *string) {
		name, ok := n.Pools[*pool]
		if !ok {
			return
		}
		if id := strings.Replace(f.ID, *pool, name, 1); !taken[id] {
			own[f.ID], taken[id] = id, true
		}
		*pool = name
	}
	for i := range g.Fragments {
		f := &g.Fragments[i]
		switch {
		case f.Spawn != nil:
			say(f, &f.Spawn.Pool)
		case f.Join != nil:
			say(f, &f.Join.Pool)
		case f.In != nil:
			f.In.Queue = renamed(n.Objects, f.In.Queue)
		case f.Out != nil:
			f.Out.To, f.Out.Class = renamed(n.Objects, f.Out.To), renamed(n.Classes, f.Out.Class)
		case f.Sync != nil:
			f.Sync.Lock, f.Sync.Monitor = renamed(n.Objects, f.Sync.Lock), renamed(n.Objects, f.Sync.Monitor)
			for j := range f.Sync.Cases {
				f.Sync.Cases[j].Lock = renamed(n.Objects, f.Sync.Cases[j].Lock)
			}
		}
	}
	g.Entry = renamed(own, g.Entry)
	for i := range g.Fragments {
		f := &g.Fragments[i]
		f.ID = renamed(own, f.ID)
		f.Retarget(func(id string) string { return renamed(own, id) })
	}
	return own
}
