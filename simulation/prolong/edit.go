package prolong

import (
	"slices"
	"strings"

	"tierscope/core"
)

// mark begins the names of inserted fragments; no front end makes such names.
const mark = "prolong "

// inserted names the delay of a module beside a fragment.
func (m *Module) inserted(fragment string) string { return mark + m.Name + " at " + fragment }

// Prolonged returns the model with a delay, in seconds, in every execution of
// the module: directly after its first lock acquisition, or at its entry.
func (m *Module) Prolonged(model core.Model, delay float64, atEntry bool) core.Model {
	model.Graphs = slices.Clone(model.Graphs)
	for gi := range model.Graphs {
		g := &model.Graphs[gi]
		if len(m.fragments[g.ID]) == 0 {
			continue
		}
		g.Fragments = slices.Clone(g.Fragments)
		if len(m.acquires) > 0 && !atEntry {
			m.delayAfterLocks(g, delay)
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
	for i := range g.Fragments {
		f := &g.Fragments[i]
		if m.acquires[g.ID][f.ID] {
			id := m.inserted(f.ID)
			g.Fragments = append(g.Fragments, wait(id, delay, f.Next))
			f = &g.Fragments[i]
			f.Next = []core.Edge{{To: id, Probability: 1}}
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
			delayed[to] = m.inserted(to)
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

// delays reports whether f is a delay that was inserted into the module or into
// one that it calls, which counts as its time.
func (m *Module) delays(g *core.Graph, f *core.Fragment) bool {
	rest, ok := strings.CutPrefix(f.ID, mark)
	if !ok {
		return false
	}
	module, at, _ := strings.Cut(rest, " at ")
	return m.fragments[g.ID][at] && (module == m.Name || m.calls[module])
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
