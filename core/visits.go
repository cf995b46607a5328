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
func (g *Graph) Visits() Visits { return newChain(g).visitCounts() }

func (c *chain) visitCounts() Visits {
	g := c.g
	entry := map[int]float64{c.index[g.Entry]: 1}
	fetches := func(f *Fragment) bool { return f.Class == FetchFragment }

	first := c.absorbedAt(entry, fetches) // where a thread's first task begins
	if len(first) > 0 {
		start := c.recurrent(first, fetches)
		return Visits{Unit: TaskUnit, Count: c.all(c.visits(start, fetches)), start: start}
	}
	run := c.all(c.visits(entry, func(*Fragment) bool { return false }))
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
	return Visits{Unit: CycleUnit, Count: c.all(c.visits(start, func(f *Fragment) bool { return f.ID == id })), start: start}
}

// all puts counts in the order of the graph's fragments.
func (c *chain) all(counts map[int]float64) []float64 {
	v := make([]float64, len(c.next))
	for i, n := range counts {
		v[i] = n
	}
	return v
}

// absorbedAt returns the probabilities with which control that starts as given
// first comes to each of the fragments for which stop is true.
func (c *chain) absorbedAt(start map[int]float64, stop func(*Fragment) bool) map[int]float64 {
	v := c.visits(start, stop)
	at := map[int]float64{}
	for _, i := range sortedKeys(v) {
		if math.IsInf(v[i], 1) {
			continue
		}
		for _, s := range c.next[i] {
			if stop(&c.g.Fragments[s.to]) {
				at[s.to] += v[i] * s.p
			}
		}
	}
	return at
}

// recurrent returns the long-run shares of the fragments at which cycles
// begin, by iterating the chain embedded at them.
func (c *chain) recurrent(start map[int]float64, stop func(*Fragment) bool) map[int]float64 {
	normalize(start)
	embedded := map[int]map[int]float64{} // from one such fragment to the next
	for queue := sortedKeys(start); len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		if _, known := embedded[i]; known {
			continue
		}
		embedded[i] = c.absorbedAt(map[int]float64{i: 1}, stop)
		queue = append(queue, sortedKeys(embedded[i])...)
	}
	if len(embedded) == 1 {
		return start
	}
	const rounds = 1000
	sum := map[int]float64{}
	for range rounds { // a running mean converges for periodic chains too
		next := map[int]float64{}
		for _, i := range sortedKeys(start) {
			for j, p := range embedded[i] {
				next[j] += start[i] * p
			}
		}
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
