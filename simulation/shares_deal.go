package simulation

import (
	"cmp"
	"math"
	"slices"

	"tierscope/core"
)

// inOrder deals the rounds of threads, one after the other's, to n.
func inOrder(rounds [][][]core.Move, n int) (dealt [][][]core.Move) {
	all := slices.Concat(rounds...)
	for k := range n {
		dealt = append(dealt, all[k*len(all)/n:(k+1)*len(all)/n])
	}
	return dealt
}

// inTurns deals the rounds of threads, each as far on its way as the others, to n: to one after the other.
func inTurns(rounds [][][]core.Move, n int) [][][]core.Move {
	type placed struct {
		at    float64 // of the way of its thread
		moves []core.Move
	}
	var all []placed
	for _, own := range rounds {
		for i, r := range own {
			all = append(all, placed{float64(i) / float64(len(own)), r})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	dealt := make([][][]core.Move, n)
	for i, r := range all {
		dealt[i%n] = append(dealt[i%n], r.moves)
	}
	return dealt
}

// byTime reports whether what rounds take depends on when they are done rather than on which they are: the first half of what each thread does is
// then like that of the thread before, and the second half, too; otherwise the first half goes on where that one ended.
func byTime(rounds [][][]core.Move, cost func(core.Move) float64) bool {
	var first, second []float64
	for _, own := range rounds {
		half := len(own) / 2
		if half == 0 {
			return false
		}
		first, second = append(first, meanCost(own[:half], cost)), append(second, meanCost(own[half:], cost))
	}
	when, which := 0.0, 0.0
	for i := 1; i < len(rounds); i++ {
		when += (math.Abs(first[i]-first[i-1]) + math.Abs(second[i]-second[i-1])) / 2
		which += math.Abs(first[i] - second[i-1])
	}
	return when < which
}

func meanCost(rounds [][]core.Move, cost func(core.Move) float64) (mean float64) {
	for _, r := range rounds {
		for _, m := range r {
			mean += cost(m) / float64(len(rounds))
		}
	}
	return mean
}

// costsOf returns how long moves take that compute or wait for a time, ns.
func costsOf(m *core.Model, w *core.Walks) func(graph int32, x core.Move) float64 {
	takes := fragmentsThat(m, w, func(f *core.Fragment) bool { return f.Class == core.CPUFragment || f.Class == core.DelayFragment })
	return func(graph int32, x core.Move) float64 {
		if takes[graph][x.Fragment] {
			return float64(x.Amount)
		}
		return 0
	}
}

// toldBy returns the moves of some with which a thread ends waits of others that await an event.
func toldBy(m *core.Model, w *core.Walks) func(graph int32, moves []core.Move) []core.Move {
	raises := fragmentsThat(m, w, func(f *core.Fragment) bool {
		return f.Sync != nil && (f.Sync.Op == core.Unpark || f.Sync.Op == core.Notify || f.Sync.Op == core.NotifyAll)
	})
	return func(graph int32, moves []core.Move) (told []core.Move) {
		for _, x := range moves {
			if x.Token != 0 && raises[graph][x.Fragment] {
				told = append(told, x)
			}
		}
		return told
	}
}

// fragmentsThat returns, by graph and fragment of walks, which fragments are of a kind.
func fragmentsThat(m *core.Model, w *core.Walks, kind func(*core.Fragment) bool) [][]bool {
	are := make([][]bool, len(w.Graphs))
	for i, g := range w.Graphs {
		are[i] = make([]bool, len(g.Fragments))
		k := slices.IndexFunc(m.Graphs, func(x core.Graph) bool { return x.ID == g.ID })
		if k < 0 {
			continue
		}
		for j := range m.Graphs[k].Fragments {
			f := &m.Graphs[k].Fragments[j]
			if at := slices.Index(g.Fragments, f.ID); at >= 0 {
				are[i][at] = kind(f)
			}
		}
	}
	return are
}
