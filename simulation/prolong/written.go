package prolong

import (
	"fmt"
	"maps"
	"slices"

	"tierscope/core"
)

// withFunctions returns the model with functions where it names none: one that an
// analyst wrote knows no source. What is executed under a lock, with the wait for it,
// is a function, named by its pool's graph and what takes the lock; so is every other
// computation, wait or operation, or a group of them. named says whether the model
// named any itself.
func withFunctions(m *core.Model) (out core.Model, named bool) {
	for _, g := range m.Graphs {
		if slices.ContainsFunc(g.Fragments, func(f core.Fragment) bool { return f.Origin.Function != "" || len(f.Context) > 0 }) {
			return *m, true
		}
	}
	out = *m
	out.Graphs = slices.Clone(m.Graphs)
	for i := range out.Graphs {
		g := &out.Graphs[i]
		g.Fragments = slices.Clone(g.Fragments)
		under := sections(g)
		for k := range g.Fragments {
			f := &g.Fragments[k]
			switch label := under[f.ID]; {
			case label != "":
				f.Origin.Function = fmt.Sprintf("%s: %s", g.ID, label)
			case f.Group != "":
				f.Origin.Function = fmt.Sprintf("%s: %s", g.ID, f.Group)
			case slices.Contains([]core.FragmentClass{core.CPUFragment, core.IOFragment, core.DelayFragment, core.SyncFragment}, f.Class):
				f.Origin.Function = fmt.Sprintf("%s: %s", g.ID, f.ID)
			}
		}
	}
	return out, false
}

// sections returns for every fragment that is executed under a lock the fragment that
// took the outermost one; for that itself, and for what releases it, too.
func sections(g *core.Graph) map[string]string {
	type state struct {
		outermost string
		held      map[string]int
	}
	out := map[string]string{}
	states := map[string]state{g.Entry: {held: map[string]int{}}}
	for queue := []string{g.Entry}; len(queue) > 0; queue = queue[1:] {
		f := g.Fragment(queue[0])
		if f == nil {
			continue
		}
		s := states[f.ID]
		s.held = maps.Clone(s.held)
		if f.Sync != nil && acquires(f.Sync.Op) {
			if len(s.held) == 0 {
				s.outermost = f.ID
			}
			s.held[f.Sync.Lock]++
		}
		if len(s.held) > 0 {
			out[f.ID] = s.outermost
		}
		if f.Sync != nil && (f.Sync.Op == core.Exit || f.Sync.Op == core.ExitRead) {
			if s.held[f.Sync.Lock]--; s.held[f.Sync.Lock] <= 0 {
				delete(s.held, f.Sync.Lock)
			}
		}
		for _, next := range g.Successors(f) {
			if _, seen := states[next.To]; !seen {
				states[next.To] = s
				queue = append(queue, next.To)
			}
		}
	}
	return out
}
