package core

import "math"

// Unit is what the visit counts of a graph are counted per.
type Unit string

// Units of visit counts.
const (
	TaskUnit  Unit = "task"  // from one fetch to the next
	RunUnit   Unit = "run"   // from the thread's start to its end
	CycleUnit Unit = "cycle" // between two visits of the fragment to which a thread that never ends comes back
)

// Visits are the visit counts V of operational analysis for one graph: the
// expected number of executions of each fragment per Unit. They know nothing
// of queues and locks and assume what Graph.Successors says: fetches succeed,
// nothing times out, the cases of a select are equally likely.
type Visits struct {
	Unit  Unit
	Count []float64 // in the order of Graph.Fragments
	start map[int]float64
}

// Visits returns the visit counts of g, V(entry) = 1 + inflow and
// V(j) = Σᵢ V(i)·p(i, j). A graph that fetches tasks is counted per task; one
// that can end, per run; any other, per cycle through its first recurrent
// fragment. It panics if g is not valid.
func (g *Graph) Visits() Visits {
	index := g.index()
	entry := map[int]float64{index[g.Entry]: 1}
	fetches := func(f *Fragment) bool { return f.Class == FetchFragment }

	first := g.absorbedAt(entry, fetches) // where a thread's first task begins
	if len(first) > 0 {
		start := g.recurrent(first, fetches)
		return Visits{Unit: TaskUnit, Count: newChain(g, fetches).visits(start), start: start}
	}
	run := newChain(g, func(*Fragment) bool { return false }).visits(entry)
	closed := -1
	for i, v := range run {
		if math.IsInf(v, 1) && (closed < 0 || g.Fragments[i].Class == OutFragment && g.Fragments[closed].Class != OutFragment) {
			closed = i
		}
	}
	if closed < 0 {
		return Visits{Unit: RunUnit, Count: run, start: entry}
	}
	start := map[int]float64{closed: 1}
	id := g.Fragments[closed].ID
	return Visits{Unit: CycleUnit, Count: newChain(g, func(f *Fragment) bool { return f.ID == id }).visits(start), start: start}
}

// absorbedAt returns the probabilities with which control that starts as given
// first comes to each of the fragments for which stop is true.
func (g *Graph) absorbedAt(start map[int]float64, stop func(*Fragment) bool) map[int]float64 {
	index := g.index()
	v := newChain(g, stop).visits(start)
	at := map[int]float64{}
	for i, n := range v {
		if n == 0 || math.IsInf(n, 1) {
			continue
		}
		for _, s := range g.Successors(&g.Fragments[i]) {
			if j := index[s.To]; s.Probability > 0 && stop(&g.Fragments[j]) {
				at[j] += n * s.Probability
			}
		}
	}
	return at
}

// recurrent returns the long-run shares of the fragments at which cycles
// begin, by iterating the chain embedded at them.
func (g *Graph) recurrent(start map[int]float64, stop func(*Fragment) bool) map[int]float64 {
	normalize(start)
	if len(start) == 1 {
		only := sortedKeys(start)[0]
		next := g.absorbedAt(start, stop)
		if _, same := next[only]; len(next) == 0 || (same && len(next) == 1) {
			return start
		}
	}
	const rounds = 64
	sum := map[int]float64{}
	for range rounds { // a running mean converges for periodic chains too
		next := g.absorbedAt(start, stop)
		if len(next) == 0 {
			break
		}
		normalize(next)
		start = next
		for i, p := range next {
			sum[i] += p
		}
	}
	if len(sum) == 0 {
		return start
	}
	normalize(sum)
	return sum
}

func normalize(p map[int]float64) {
	var sum float64
	for _, i := range sortedKeys(p) {
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
}
