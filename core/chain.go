package core

import (
	"cmp"
	"math"
	"slices"
)

// chain is an absorbing Markov chain over the fragments of a graph: the
// transitions that are left when control is stopped at some fragments.
type chain struct {
	next []map[int]float64 // transitions between fragments, self-loops included
	exit []float64         // probability of being absorbed
}

// newChain returns the chain of a graph's successors. A step into a fragment
// for which stop is true is absorbed, as is a thread's end.
func newChain(g *Graph, stop func(*Fragment) bool) *chain {
	index := g.index()
	c := &chain{next: make([]map[int]float64, len(g.Fragments)), exit: make([]float64, len(g.Fragments))}
	for i := range g.Fragments {
		c.next[i] = map[int]float64{}
		left := 1.0
		for _, s := range g.Successors(&g.Fragments[i]) {
			left -= s.Probability
			switch j := index[s.To]; {
			case s.Probability == 0:
			case stop(&g.Fragments[j]):
				c.exit[i] += s.Probability
			default:
				c.next[i][j] += s.Probability
			}
		}
		if left > sumTolerance {
			c.exit[i] += left
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

// visits returns the expected number of executions of every fragment before
// absorption, V(j) = s(j) + Σᵢ V(i)·p(i, j), for the starting probabilities s;
// +Inf where control never leaves. The chain is destroyed.
//
// It eliminates one fragment after the other, least connected first, in the way
// of Grassmann, Taksar & Heyman (1985): no subtraction, so no cancellation
// however often a loop turns, and little fill-in, because call graphs are
// nearly trees.
func (c *chain) visits(start map[int]float64) []float64 {
	n := len(c.next)
	before := make([]map[int]bool, n)
	for i := range before {
		before[i] = map[int]bool{}
	}
	// Only what can be reached matters.
	reached := make([]bool, n)
	var order []int
	for i := range start {
		if !reached[i] {
			reached[i] = true
			order = append(order, i)
		}
	}
	slices.Sort(order)
	for k := 0; k < len(order); k++ {
		i := order[k]
		for _, j := range sortedKeys(c.next[i]) {
			before[j][i] = true
			if !reached[j] {
				reached[j] = true
				order = append(order, j)
			}
		}
	}
	type eliminated struct {
		node int
		stay float64         // probability of leaving the node for another one: 1 − p(j, j)
		in   map[int]float64 // p(i, j) of the nodes that are eliminated later
	}
	var done []eliminated
	pending := slices.Clone(order)
	gone := make([]bool, n)
	for len(pending) > 0 {
		at := 0
		for k, j := range pending {
			if len(before[j])*len(c.next[j]) < len(before[pending[at]])*len(c.next[pending[at]]) {
				at = k
			}
			if len(before[pending[at]])*len(c.next[pending[at]]) <= 1 {
				break
			}
		}
		j := pending[at]
		pending = slices.Delete(pending, at, at+1)
		gone[j] = true
		leave := c.exit[j]
		for _, k := range sortedKeys(c.next[j]) {
			if k != j {
				leave += c.next[j][k]
			}
		}
		e := eliminated{node: j, stay: leave, in: map[int]float64{}}
		for i := range before[j] {
			if i == j || gone[i] {
				continue
			}
			p := c.next[i][j]
			delete(c.next[i], j)
			e.in[i] = p
			if leave == 0 {
				continue
			}
			c.exit[i] += p * c.exit[j] / leave
			for k, q := range c.next[j] {
				if k != j {
					c.next[i][k] += p * q / leave
					before[k][i] = true
				}
			}
		}
		for k := range c.next[j] {
			delete(before[k], j)
		}
		done = append(done, e)
	}
	// The starting mass moves on with every elimination, and comes back with
	// the visits of the nodes eliminated later.
	mass := make([]float64, n)
	for i, s := range start {
		mass[i] = s
	}
	held := make([]float64, len(done))
	for d, e := range done {
		held[d] = mass[e.node]
		if e.stay > 0 {
			for k, q := range c.next[e.node] {
				if k != e.node {
					mass[k] += mass[e.node] * q / e.stay
				}
			}
		}
	}
	v := make([]float64, n)
	for d := len(done) - 1; d >= 0; d-- {
		e := done[d]
		sum := held[d]
		for _, i := range sortedKeys(e.in) {
			if v[i] > 0 {
				sum += v[i] * e.in[i]
			}
		}
		switch {
		case sum == 0:
		case e.stay == 0:
			v[e.node] = math.Inf(1)
		default:
			v[e.node] = sum / e.stay
		}
	}
	return v
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
