package pcg

import (
	"tierscope/analysis/trail"
)

// Graphs counts the transitions of all pools of the model.
func Graphs(tr *trail.Trail) {
	for _, g := range tr.Modelled {
		tr.Graphs[g] = trail.CountGroup(g)
	}
}
