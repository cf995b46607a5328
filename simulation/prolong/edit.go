package prolong

import (
	"slices"
	"strconv"
	"strings"

	"tierscope/core"
)

// mark begins the names of inserted fragments; no front end makes such names.
const mark = "prolong "

// behind and at are where a delay stands beside a fragment of the model.
const (
	behind = " behind "
	at     = " at "
)

// inserted names the delay of a module beside a fragment.
func (m *Module) inserted(where, fragment string) string { return mark + m.Name + where + fragment }

// Prolonged returns the model with a delay, in seconds, in every execution of
// the module: in equal parts directly behind the places where it acquires locks, or
// at its entry.
func (m *Module) Prolonged(model core.Model, delay float64, atEntry bool) core.Model {
	model.Graphs = slices.Clone(model.Graphs)
	for gi := range model.Graphs {
		g := &model.Graphs[gi]
		if len(m.fragments[g.ID]) == 0 {
			continue
		}
		g.Fragments = slices.Clone(g.Fragments)
		if len(m.sites) > 0 && !atEntry {
			m.delayAfterLocks(g, delay/float64(len(m.sites)))
		} else {
			m.delayEntries(g, delay)
		}
	}
	return model
}

func wait(id string, delay float64, next []core.Edge) core.Fragment {
	return core.Fragment{ID: id, Class: core.DelayFragment, Delay: core.Const(delay), Next: next}
}

func (m *Module) delayAfterLocks(g *core.Graph, delay float64) {
	for _, s := range m.sites {
		for _, a := range s.at {
			if a.graph != g.ID {
				continue
			}
			id := m.inserted(behind, a.fragment)
			f := &g.Fragments[slices.IndexFunc(g.Fragments, func(f core.Fragment) bool { return f.ID == a.fragment })]
			if a.of < 0 {
				w := wait(id, delay, f.Next)
				w.Order = f.Order
				f.Next, f.Order = []core.Edge{{To: id, Probability: 1}}, nil
				g.Fragments = append(g.Fragments, w)
				continue
			}
			id += " case " + strconv.Itoa(a.of)
			sync := *f.Sync
			sync.Cases = slices.Clone(sync.Cases)
			w := wait(id, delay, []core.Edge{{To: sync.Cases[a.of].To, Probability: 1}})
			sync.Cases[a.of].To = id
			f.Sync = &sync
			g.Fragments = append(g.Fragments, w)
		}
	}
}

// delayEntries puts a delay before every fragment of the module to which
// control comes from outside.
func (m *Module) delayEntries(g *core.Graph, delay float64) {
	inside := m.fragments[g.ID]
	delayed := map[string]string{}
	name := func(to string) string {
		if !inside[to] || strings.HasPrefix(to, mark) {
			return to
		}
		if delayed[to] == "" {
			delayed[to] = m.inserted(at, to)
			g.Fragments = append(g.Fragments, wait(delayed[to], delay, []core.Edge{{To: to, Probability: 1}}))
		}
		return delayed[to]
	}
	for i := range len(g.Fragments) {
		f := g.Fragments[i]
		if inside[f.ID] || f.Class == core.InFragment {
			continue // what an in fragment goes on to are its virtual successors
		}
		f.Retarget(name)
		g.Fragments[i] = f
	}
	if inside[g.Entry] {
		g.Entry = name(g.Entry)
	}
}

// delays reports whether f is a delay that was inserted into an execution of
// the module: behind a lock acquired in it, or at the entry of itself or of one
// that it calls.
func (m *Module) delays(g *core.Graph, f *core.Fragment) bool {
	rest, ok := strings.CutPrefix(f.ID, mark)
	if !ok {
		return false
	}
	if _, acquired, ok := strings.Cut(rest, behind); ok {
		acquired, _, _ = strings.Cut(acquired, " case ")
		return m.fragments[g.ID][acquired]
	}
	module, entered, _ := strings.Cut(rest, at)
	return m.fragments[g.ID][entered] && (module == m.Name || m.calls[module])
}

// entries returns the fragments outside the module from which control comes
// into it, with the probability that it does; the graph's entry if that is
// where a thread begins.
func (m *Module) entries(g *core.Graph) map[string]float64 {
	out := map[string]float64{}
	inside := func(f *core.Fragment) bool { return m.fragments[g.ID][f.ID] || m.delays(g, f) }
	for i := range g.Fragments {
		f := &g.Fragments[i]
		if inside(f) {
			if f.ID == g.Entry {
				out[f.ID] = 1
			}
			continue
		}
		for _, s := range g.Successors(f) {
			if inside(g.Fragment(s.To)) {
				out[f.ID] += s.Probability
			}
		}
	}
	return out
}

// Calls returns, for a list of modules, which calls which, directly or not.
func Calls(modules []Module) [][]bool {
	out := make([][]bool, len(modules))
	for i, a := range modules {
		out[i] = make([]bool, len(modules))
		for j, b := range modules {
			out[i][j] = i != j && a.calls[b.Name]
		}
	}
	return out
}
