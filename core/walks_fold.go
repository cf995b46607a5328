package core

// Folded is what the walks of a graph are laid over each other.
type Folded struct {
	Visits map[string]int64            // of each fragment
	Next   map[string]map[string]int64 // from a fragment to the next
	Amount map[string]int64            // sum, of the unit that Move.Amount has
}

// Fold lays the walks of each graph over each other: the counts of which the graph is made.
func (w *Walks) Fold() map[string]Folded {
	out := map[string]Folded{}
	for _, g := range w.Graphs {
		out[g.ID] = Folded{Visits: map[string]int64{}, Next: map[string]map[string]int64{}, Amount: map[string]int64{}}
	}
	for i := range w.Threads {
		t := &w.Threads[i]
		g := &w.Graphs[t.Graph]
		f, last := out[g.ID], ""
		for j := range t.Moves {
			m := &t.Moves[j]
			at := g.Fragments[m.Fragment]
			f.Visits[at]++
			f.Amount[at] += m.Amount
			if j > 0 {
				if f.Next[last] == nil {
					f.Next[last] = map[string]int64{}
				}
				f.Next[last][at]++
			}
			last = at
		}
	}
	return out
}

// Times returns what tells whether the amounts of a fragment's moves are times, of a computation or delay.
func (m *Model) Times() func(graph, fragment string) bool {
	times := map[[2]string]bool{}
	for i := range m.Graphs {
		for j := range m.Graphs[i].Fragments {
			f := &m.Graphs[i].Fragments[j]
			times[[2]string{m.Graphs[i].ID, f.ID}] = f.Class == CPUFragment || f.Class == DelayFragment
		}
	}
	return func(graph, fragment string) bool { return times[[2]string{graph, fragment}] }
}
