package inputs

import (
	"tierscope/analysis/pcg"
	"tierscope/core"
)

// dropPassing takes delays out of the models that some of them do not have and that are insignificant where they are: whether a
// thread had to wait at all at a place, such as for the start of its run-time system, is chance. What is computed after such a
// delay would be something else than what is computed without it.
func dropPassing(models []*core.Model) {
	found := map[string]int{}
	significant := map[string]bool{}
	for _, m := range models {
		for name, share := range parts(m) {
			found[name]++
			significant[name] = significant[name] || share >= pcg.DefaultThreshold
		}
	}
	for _, m := range models {
		for i := range m.Graphs {
			g := &m.Graphs[i]
			names := signatures(g)
			for k := 0; k < len(g.Fragments); k++ {
				name := g.ID + " " + names[g.Fragments[k].ID]
				if found[name] < len(models) && !significant[name] && pass(g, &g.Fragments[k]) {
					g.Fragments = append(g.Fragments[:k], g.Fragments[k+1:]...)
					k--
				}
			}
		}
	}
}

// pass lets control go from what is before a delay to what is after it, and reports whether it can: there is one of each. What is
// computed next begins where the delay did.
func pass(g *core.Graph, delay *core.Fragment) bool {
	if delay.Class != core.DelayFragment || len(delay.Next) != 1 {
		return false
	}
	var before, after *core.Fragment
	into := 0
	for i := range g.Fragments {
		f := &g.Fragments[i]
		for _, s := range g.Successors(f) {
			switch {
			case s.To == delay.ID && (before != nil || len(f.Next) != 1 || f.Next[0].To != delay.ID):
				return false
			case s.To == delay.ID:
				before = f
			case s.To == delay.Next[0].To:
				into++
			}
		}
		if f.ID == delay.Next[0].To {
			after = f
		}
	}
	if before == nil || after == nil {
		return false
	}
	before.Next[0].To = after.ID
	if into == 1 && after.Class == core.CPUFragment && after.Origin == delay.Origin {
		after.Origin, after.Context = before.Origin, before.Context
	}
	return true
}
