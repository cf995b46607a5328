package core

import (
	"math"
	"slices"
)

// transitionOf is one of the transitions of a fragment.
type transitionOf struct {
	fragment *Fragment
	index    int
}

// edgeFields: how often a transition was taken, which with the counts of the others is its probability. A transition that
// was taken stays possible.
var edgeFields = []field[transitionOf]{
	{name: "count", unit: "times", least: 1,
		get: func(t *transitionOf) float64 { return float64(t.fragment.Next[t.index].Count) },
		set: func(t *transitionOf, v float64) {
			next, all := slices.Clone(t.fragment.Next), 0.0
			next[t.index].Count = int64(math.Round(v))
			for _, e := range next {
				all += float64(e.Count)
			}
			for i := range next {
				next[i].Probability = float64(next[i].Count) / all
			}
			t.fragment.Next, t.fragment.Order = next, nil // in which another number was taken
		}},
}

// Drawn reports whether counted probabilities decide where a fragment goes on: not a queue, and not how often a loop has
// iterated.
func (f *Fragment) Drawn() bool {
	sum := 0.0
	for _, e := range f.Next {
		if sum += e.Probability; e.Count < 1 {
			return false
		}
	}
	return len(f.Next) > 1 && math.Abs(sum-1) < sumTolerance
}
