package assemble

import (
	"fmt"

	"tierscope/analysis/trail"
	"tierscope/analysis/walks"
	"tierscope/core"
)

// addWalks gives the model the walks of the recorded threads, if they fit into it. Those of a server are of other
// tasks than will come, and those of a program that works for a time are as much as it did in that: they say how well
// times are known. More than a model keeps are more tasks than matter for that.
func addWalks(tr *trail.Trail, m *core.Model, names map[*trail.Pool]map[*trail.Vertex]string) {
	addressed := map[string]bool{}
	for _, l := range m.Locks {
		addressed[l.ID] = true
	}
	for _, q := range m.Queues {
		addressed[q.ID] = true
	}
	w, err := walks.Of(tr, func(g *trail.Pool, v *trail.Vertex) string { return names[g][v] },
		func(r *trail.Resource) bool { return addressed[r.ID] })
	if tr.Server || tr.Timed { // a run is no amount of work
		if err == nil {
			m.Uncertain = m.Sampling(w, tr.Pace != 1)
		}
		return
	}
	if err == nil {
		m.Walks, err = w.PackWithin(core.WalksBudget, m.Times())
	}
	if err != nil {
		m.Provenance.Warnings = append(m.Provenance.Warnings,
			fmt.Sprintf("what each thread did is not kept: %v. The model knows how often a fragment follows another, not when", err))
	}
}
