package difference

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tierscope/core/quantity"
	"tierscope/gui/diagram"
	"tierscope/gui/session"
	"tierscope/simulation/difference"
)

// marks are the heat of every node and the words on it: its largest significant
// change. A node that is new or gone is as hot as one that doubled.
func marks(r *difference.Report, d *diagram.Diagram) (heat []float64, notes []string) {
	heat, notes = make([]float64, len(d.Nodes)), make([]string, len(d.Nodes))
	index := map[string]int{}
	for i, n := range d.Nodes {
		heat[i], notes[i] = -1, "same"
		index[n.Path] = i
	}
	for _, c := range r.Changes {
		i, drawn := index[c.Of]
		if !drawn || c.Significant == difference.Insignificant {
			continue
		}
		h, note := 1.0, string(c.Kind)
		if by := c.Relative(); c.Kind == difference.Changed && !math.IsNaN(by) {
			h = min(math.Abs(math.Log2(max(1+by, 0.5))), 1)
			note = quantity.Change(by) + " " + c.What
		}
		if h > heat[i] {
			heat[i], notes[i] = h, note
		}
	}
	return heat, notes
}

// command is what does the same without the window.
func (p *Page) command() string {
	s := p.host.Session
	words := []string{"tierctl", "diff", session.Quote(p.other.Text), session.Quote(s.Path()), "--attribute"}
	settings := s.Scenario().Settings
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		words = append(words, "--set", session.Quote(fmt.Sprintf("%s=%g", name, settings[name])))
	}
	in := s.Options().Inputs()
	return strings.Join(words, " ") + fmt.Sprintf(" --seed %d --reps %d", in.Seed, in.Replications)
}
