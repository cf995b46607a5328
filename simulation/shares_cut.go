package simulation

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/interp"

	"tierscope/core"
)

// What the threads of a team compute outside of recorded loops may be parts of one computation: with n threads in place of the m
// recorded ones each computes m/n as long on average. The parts lie side by side, as ranges of rows do, and
// so do the new ones. How much is done up to where is known at the ends of the recorded parts, and grows smoothly between them:
//
//	2 threads: 10 │ 30      1 thread: 40      4 threads: 3 7 │ 12 18, and not 5 15 5 15
//
// The recorded thread that a new one follows says everything else.

// cuts are the computations that the threads of a pool divide among themselves.
type cuts struct {
	graph    string
	divided  map[string]bool // fragments
	recorded int             // threads
	threads  int             // that there are
}

// cutsOf returns the computations of a pool that a configuration makes shorter by as much as it has more threads.
func cutsOf(base, configured *core.Model, pool int) cuts {
	before, now := base.Pools[pool], configured.Pools[pool]
	c := cuts{before.Graph, map[string]bool{}, before.Size, now.Size}
	k := slices.IndexFunc(base.Graphs, func(g core.Graph) bool { return g.ID == before.Graph })
	if k < 0 {
		return c
	}
	mean := func(f *core.Fragment) float64 { return f.Demand.Expectation() * orOne(f.Scale) }
	for j := range base.Graphs[k].Fragments {
		f, g := &base.Graphs[k].Fragments[j], &configured.Graphs[k].Fragments[j]
		if f.Class == core.CPUFragment && mean(f) > 0 && math.Abs(mean(g)*float64(now.Size)/(mean(f)*float64(before.Size))-1) <= sharing {
			c.divided[f.ID] = true
		}
	}
	return c
}

// deal returns walks in which every team of the pool has as many threads as there are, that do what those of the
// recording did, one after the other; w if they cannot.
func (c cuts) deal(m *core.Model, w *core.Walks, pool string) *core.Walks {
	if len(c.divided) == 0 && (c.threads <= c.recorded || !led(m, w, pool)) {
		return w
	}
	out := redeal(m, w, pool, func(n int) int { return inPlaceOf(n, c.recorded, c.threads) }, func(team []int32) (threads []core.Walk) {
		n := inPlaceOf(len(team), c.recorded, c.threads)
		var copied [][]core.Move // what a thread does whose walk another one follows, too
		if n > len(team) {
			copied = withoutLeads(m, w, team)
		}
		for k := range n {
			t := w.Threads[team[k%len(team)]]
			if k >= len(team) {
				t.Moves, t.Copy = copied[k%len(team)], true
			}
			t.Moves = slices.Clone(t.Moves)
			threads = append(threads, t)
		}
		return c.cut(w, team, threads)
	})
	if out == nil {
		return w
	}
	return out
}

// cut gives the threads that there are in place of a team their parts of what it divides; where its threads divide different
// things, what they have stays. Amounts are those before they are scaled to the mean of the graph.
func (c cuts) cut(w *core.Walks, team []int32, threads []core.Walk) []core.Walk {
	var parts [][]int64 // by computation, by thread
	var what []int32    // fragments
	for k, i := range team {
		own := c.computations(w, w.Threads[i])
		if k == 0 {
			parts = make([][]int64, len(own))
		} else if len(own) != len(what) {
			return threads
		}
		for at, m := range own {
			if k == 0 {
				what = append(what, m.Fragment)
			} else if what[at] != m.Fragment {
				return threads
			}
			parts[at] = append(parts[at], m.Amount)
		}
	}
	mine := make([][]*core.Move, len(threads))
	for k, t := range threads {
		mine[k] = c.computations(w, t)
		if !slices.EqualFunc(mine[k], what, func(m *core.Move, f int32) bool { return m.Fragment == f }) {
			return threads
		}
	}
	for at := range parts {
		for k, amount := range recut(parts[at], len(threads)) {
			mine[k][at].Amount = amount
		}
	}
	return threads
}

// computations returns the moves of a thread that are its parts.
func (c cuts) computations(w *core.Walks, t core.Walk) (own []*core.Move) {
	g := w.Graphs[t.Graph]
	if g.ID != c.graph {
		return nil
	}
	for i := range t.Moves {
		if m := &t.Moves[i]; c.divided[g.Fragments[m.Fragment]] {
			own = append(own, m)
		}
	}
	return own
}

// recut returns parts that lie side by side as n others of the same mean. What is done up to a place is a monotone
// cubic (Fritsch & Butland 1984) through what is known.
func recut(parts []int64, n int) []int64 {
	at, done := []float64{0}, []float64{0}
	for i, p := range parts {
		at, done = append(at, float64(i+1)), append(done, done[i]+float64(p))
	}
	var upTo interp.FritschButland
	if err := upTo.Fit(at, done); err != nil {
		panic("places do not grow: " + err.Error())
	}
	cut := make([]int64, n)
	ratio := float64(n) / float64(len(parts))
	until := func(k int) int64 { return int64(math.Round(upTo.Predict(float64(k)/ratio) * ratio)) }
	for k := range cut {
		cut[k] = until(k+1) - until(k)
	}
	return cut
}
