package difference

import (
	"cmp"
	"regexp"
	"slices"

	"tierscope/core"
)

// moving are the parts of a name that change when source is edited elsewhere:
// line numbers, and the numbers of function literals.
var moving = regexp.MustCompile(`([:@→])\d+|(\.func)\d+`)

// stable returns a name without its moving parts.
func stable(id string) string { return moving.ReplaceAllString(id, "$1$2") }

// Match says which elements of a new model are which of an old one: the old
// identifier by the new one, for each kind of element. What has no partner is
// not in it.
type Match struct {
	Pools, Queues, Locks, Disks, Sources, Sinks map[string]string
	Graphs                                      map[string]string
	Fragments                                   map[string]map[string]string // by graph of the new model
}

// Find matches two models.
func Find(before, after *core.Model) Match {
	m := Match{
		Queues:    pair(before.Queues, after.Queues, func(q core.Queue) (string, string) { return q.ID, stable(q.ID) }),
		Locks:     pair(before.Locks, after.Locks, func(l core.Lock) (string, string) { return l.ID, stable(l.ID) }),
		Disks:     pair(before.Disks, after.Disks, func(d core.Disk) (string, string) { return d.ID, "" }),
		Sources:   pair(before.Sources, after.Sources, func(s core.Source) (string, string) { return s.ID, string(s.Kind) }),
		Sinks:     pair(before.Sinks, after.Sinks, func(s core.Sink) (string, string) { return s.ID, "" }),
		Pools:     map[string]string{},
		Graphs:    map[string]string{},
		Fragments: map[string]map[string]string{},
	}
	for _, p := range pools(before, after) {
		m.Pools[p.after.ID] = p.before.ID
		if _, known := m.Graphs[p.after.Graph]; known {
			continue // two pools may share a graph
		}
		m.Graphs[p.after.Graph] = p.before.Graph
		m.Fragments[p.after.Graph] = pair(graph(before, p.before.Graph).Fragments, graph(after, p.after.Graph).Fragments, fragmentKey)
	}
	return m
}

// graph returns the call graph of that name, nil if there is none.
func graph(m *core.Model, id string) *core.Graph {
	if i := slices.IndexFunc(m.Graphs, func(g core.Graph) bool { return g.ID == id }); i >= 0 {
		return &m.Graphs[i]
	}
	return nil
}

func fragmentKey(f core.Fragment) (id, key string) { return f.ID, string(f.Class) + " " + stable(f.ID) }

// pair matches elements of equal keys: first those of equal identifiers, then
// the others in their order. The keys of old and new by the identifier of the
// new one.
func pair[T any](before, after []T, keyed func(T) (id, key string)) map[string]string {
	found := map[string]string{}
	free := map[string][]string{} // identifiers of the old ones by key
	taken := map[string]bool{}
	for _, e := range before {
		id, key := keyed(e)
		free[key] = append(free[key], id)
	}
	for _, e := range after {
		if id, key := keyed(e); slices.Contains(free[key], id) {
			found[id] = id
			taken[id] = true
		}
	}
	for _, e := range after {
		id, key := keyed(e)
		if _, done := found[id]; done {
			continue
		}
		if i := slices.IndexFunc(free[key], func(id string) bool { return !taken[id] }); i >= 0 {
			found[id] = free[key][i]
			taken[free[key][i]] = true
		}
	}
	return found
}

// pooled is a pair of thread pools that look like the same.
type pooled struct {
	before, after *core.Pool
	alike         float64
}

// leastAlike is the share of common fragments from which two pools of other
// names are the same; pools of equal names are so in any case.
const leastAlike = 0.5

// pools matches thread pools by what they execute, the most alike first.
func pools(before, after *core.Model) []pooled {
	var all []pooled
	for i := range before.Pools {
		for j := range after.Pools {
			p, q := &before.Pools[i], &after.Pools[j]
			alike := likeness(graph(before, p.Graph), graph(after, q.Graph))
			if p.ID == q.ID {
				alike += leastAlike
			}
			if alike >= leastAlike {
				all = append(all, pooled{p, q, alike})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b pooled) int { return cmp.Compare(b.alike, a.alike) })
	taken := map[*core.Pool]bool{}
	return slices.DeleteFunc(all, func(p pooled) bool {
		if taken[p.before] || taken[p.after] {
			return true
		}
		taken[p.before], taken[p.after] = true, true
		return false
	})
}

// likeness is the share of the fragments of two graphs that both have.
func likeness(a, b *core.Graph) float64 {
	common := len(pair(a.Fragments, b.Fragments, fragmentKey))
	if union := len(a.Fragments) + len(b.Fragments) - common; union > 0 {
		return float64(common) / float64(union)
	}
	return 0
}
