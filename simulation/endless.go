package simulation

import (
	"fmt"
	"strings"

	"tierscope/core"
	units "tierscope/core/quantity"
	"tierscope/simulation/des"
)

// endlessFactor is how many times as long as in the run that was recorded a
// batch program may take before it counts as endless: far beyond what one run
// says anything about.
const endlessFactor = 1000

// longestOf returns that time, 0 if the model does not know how long the run
// took: what the main thread's fragments took there, in all.
func longestOf(m *core.Model) des.Time {
	recorded := 0.0
	for _, p := range m.Pools {
		for _, g := range m.Graphs {
			if !p.Main || g.ID != p.Graph {
				continue
			}
			for _, f := range g.Fragments {
				recorded += float64(f.Observed.Count) * f.Observed.MeanWall
			}
		}
	}
	return des.Seconds(endlessFactor * recorded)
}

// endless says that a program does not come to its end, and what it waits for
// while other threads go round.
func (c *conductor) endless(r replication) string {
	text := fmt.Sprintf("endless: the program has not ended after %s of simulated time, %d times as long as when it was recorded",
		units.Format(c.longest.Seconds(), "s"), endlessFactor)
	if who, ok := strings.CutPrefix(r.whoWaits(), "deadlock: "); ok {
		text += "; " + who
	}
	return text
}
