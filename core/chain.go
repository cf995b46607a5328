package core

import (
	"cmp"
	"math"
	"slices"
)

// chain holds the transitions of a graph as a Markov chain over its fragments.
type chain struct {
	g     *Graph
	index map[string]int
	next  [][]step
	end   []float64 // probability that the thread ends after the fragment
}

// step is a transition with positive probability.
type step struct {
	to int
	p  float64
}

func newChain(g *Graph) *chain {
	c := &chain{g: g, index: g.index(), next: make([][]step, len(g.Fragments)), end: make([]float64, len(g.Fragments))}
	for i := range g.Fragments {
		left := 1.0
		for _, s := range g.Successors(&g.Fragments[i]) {
			if s.Probability > 0 {
				left -= s.Probability
				c.next[i] = append(c.next[i], step{c.index[s.To], s.Probability})
			}
		}
		if left > sumTolerance {
			c.end[i] = left
		}
	}
	return c
}

func (g *Graph) index() map[string]int {
	index := make(map[string]int, len(g.Fragments))
	for i, f := range g.Fragments {
		index[f.ID] = i
	}
	return index
}

// visits returns the expected number of executions of every fragment that is
// reached before a step into a fragment for which stop is true, or the
// thread's end: V(j) = s(j) + Σᵢ V(i)·p(i, j) for the starting probabilities s;
// +Inf where control never leaves.
//
// It eliminates one fragment after the other, least connected first, in the way
// of Grassmann, Taksar & Heyman (1985): no subtraction, so no cancellation
// however often a loop turns, and little fill-in, because call graphs are
// nearly trees.
func (c *chain) visits(start map[int]float64, stop func(*Fragment) bool) map[int]float64 {
	e := newElimination(c, start, stop)
	e.run()
	return e.counts()
}

// elimination is the chain restricted to what can be reached, while its nodes
// are taken out one by one.
type elimination struct {
	next    map[int]map[int]float64 // transitions among nodes that are left, self-loops included
	exit    map[int]float64         // probability of being absorbed
	before  map[int]map[int]bool    // nodes with a transition to this one
	mass    map[int]float64         // starting probability, moved on by every elimination
	time    map[int]float64         // time spent per visit, moved back by every elimination
	pending []int
	done    []eliminated
	dense   *dense // what was left when nearly all were connected with all; nil: nothing
}

// eliminated is what is needed to find a node's visits once those of the nodes
// that left after it are known.
type eliminated struct {
	node  int
	leave float64         // probability of leaving for another node: 1 − p(j, j)
	mass  float64         // starting probability when it left
	time  float64         // spent in it and in nodes that left before, per visit
	out   map[int]float64 // p(j, k) of the nodes that left later
	in    map[int]float64 // p(i, j) of the nodes that left later
}

func newElimination(c *chain, start map[int]float64, stop func(*Fragment) bool) *elimination {
	e := &elimination{next: map[int]map[int]float64{}, exit: map[int]float64{}, before: map[int]map[int]bool{}, mass: map[int]float64{}, time: map[int]float64{}}
	reach := func(i int) {
		if e.before[i] == nil {
			e.before[i] = map[int]bool{}
			e.pending = append(e.pending, i)
		}
	}
	for _, i := range sortedKeys(start) {
		reach(i)
		e.mass[i] = start[i]
	}
	for k := 0; k < len(e.pending); k++ {
		i := e.pending[k]
		e.exit[i] = c.end[i]
		e.next[i] = make(map[int]float64, len(c.next[i]))
		for _, s := range c.next[i] {
			if stop(&c.g.Fragments[s.to]) {
				e.exit[i] += s.p
				continue
			}
			reach(s.to)
			e.next[i][s.to] += s.p
			e.before[s.to][i] = true
		}
	}
	return e
}

// candidates is how many nodes least looks at: enough to avoid the hubs.
const candidates = 64

// run takes all nodes out.
func (e *elimination) run() {
	for len(e.pending) > 0 {
		j, ways := e.least()
		if ways > denseWays && len(e.pending) < mostDense {
			e.pending = append(e.pending, j)
			e.runDense()
			return
		}
		e.eliminate(j)
	}
}

// least takes a node with few connections out of pending, and returns the number of ways
// through it.
func (e *elimination) least() (node, ways int) {
	at, fewest := 0, math.MaxInt
	for k, j := range e.pending[:min(candidates, len(e.pending))] {
		if n := len(e.before[j]) * len(e.next[j]); n < fewest {
			if at, fewest = k, n; n <= 1 {
				break
			}
		}
	}
	j := e.pending[at]
	last := len(e.pending) - 1
	e.pending[at] = e.pending[last]
	e.pending = e.pending[:last]
	return j, fewest
}

// eliminate joins the ways into j with the ways out of it.
func (e *elimination) eliminate(j int) {
	out := e.next[j]
	delete(out, j)
	leave := e.exit[j]
	targets := sortedKeys(out)
	for _, k := range targets {
		leave += out[k]
		delete(e.before[k], j)
	}
	left := eliminated{node: j, leave: leave, mass: e.mass[j], time: e.time[j], out: out, in: make(map[int]float64, len(e.before[j]))}
	for i := range e.before[j] {
		if i == j {
			continue
		}
		p := e.next[i][j]
		delete(e.next[i], j)
		left.in[i] = p
		if leave == 0 {
			continue
		}
		e.exit[i] += p * e.exit[j] / leave
		e.time[i] += p * e.time[j] / leave
		for _, k := range targets {
			e.next[i][k] += p * out[k] / leave
			e.before[k][i] = true
		}
	}
	if leave > 0 {
		for _, k := range targets {
			e.mass[k] += left.mass * out[k] / leave
		}
	}
	e.done = append(e.done, left)
}

// counts returns the visits, from the node that left last to the first.
func (e *elimination) counts() map[int]float64 {
	v := make(map[int]float64, len(e.done))
	e.dense.counts(v)
	for _, left := range slices.Backward(e.done) {
		sum := left.mass
		for _, i := range sortedKeys(left.in) {
			if v[i] > 0 {
				sum += v[i] * left.in[i]
			}
		}
		switch {
		case sum == 0:
		case left.leave == 0:
			v[left.node] = math.Inf(1)
		default:
			v[left.node] = sum / left.leave
		}
	}
	return v
}

// remaining returns the expected time from the start of every fragment that is
// reached until absorption, H(i) = time(i) + Σⱼ p(i, j)·H(j).
func (c *chain) remaining(start map[int]float64, stop func(*Fragment) bool, time func(i int) float64) map[int]float64 {
	e := newElimination(c, start, stop)
	for _, i := range e.pending {
		e.time[i] = time(i)
	}
	e.run()
	h := make(map[int]float64, len(e.done))
	e.dense.remaining(h)
	for _, left := range slices.Backward(e.done) {
		sum := left.time
		for _, k := range sortedKeys(left.out) {
			sum += left.out[k] * h[k]
		}
		if left.leave == 0 {
			sum = math.Inf(1)
		} else {
			sum /= left.leave
		}
		h[left.node] = sum
	}
	return h
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
