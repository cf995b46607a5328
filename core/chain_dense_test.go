package core

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// randomGraph is a graph of n fragments of which each leads to three at random, the last of them to the
// end of the thread once in a while.
func randomGraph(n int, seed uint64) *Graph {
	random := rand.New(rand.NewPCG(seed, 0))
	g := &Graph{ID: "random", Entry: "f0"}
	for i := range n {
		f := Fragment{ID: fmt.Sprintf("f%d", i), Class: CPUFragment, Demand: Distribution{Kind: Constant, Value: 1}}
		if i%50 != 49 {
			weights := map[string]float64{}
			for range 3 {
				weights[fmt.Sprintf("f%d", random.IntN(n))] += 1. / 3
			}
			for _, to := range sortedKeys(weights) {
				f.Next = append(f.Next, Edge{To: to, Probability: weights[to]})
			}
		}
		g.Fragments = append(g.Fragments, f)
	}
	return g
}

// V(j) = s(j) + Σᵢ V(i)·p(i, j) and H(i) = time(i) + Σⱼ p(i, j)·H(j) are what visits and remaining must
// fulfil; a random graph fills in, so that most of it is eliminated as a matrix. With 1 s a
// fragment, H of the entry is the sum of all visits.
func TestVisitsOfARandomGraphFulfilTheTrafficEquations(t *testing.T) {
	t.Parallel()
	g := randomGraph(1000, 1)
	c := newChain(g)
	never := func(*Fragment) bool { return false }
	e := newElimination(c, map[int]float64{0: 1}, never)
	if e.run(); e.dense == nil || len(e.dense.nodes) < 100 {
		t.Fatal("a random graph was eliminated without a matrix")
	}
	v := c.visits(map[int]float64{0: 1}, never)
	want := map[int]float64{0: 1}
	total := 0.0
	for i, n := range v {
		total += n
		for _, s := range c.next[i] {
			want[s.to] += n * s.p
		}
	}
	for i := range g.Fragments {
		if math.Abs(v[i]-want[i]) > 1e-9*(1+want[i]) {
			t.Fatalf("fragment %d has %g visits, want %g", i, v[i], want[i])
		}
	}
	h := c.remaining(map[int]float64{0: 1}, never, func(int) float64 { return 1 })
	if math.Abs(h[0]-total) > 1e-9*total {
		t.Errorf("%g s remain at the entry, want the sum of all visits, %g", h[0], total)
	}
}
