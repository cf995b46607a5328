package core_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"tierscope/core"
)

// walk is a random chain of CPU fragments f0, f1, … that ends after the last one: each goes on to
// the next or, with a probability of up to .7, to any other.
func walk(t *rapid.T, end string) (fragments []core.Fragment, p *mat.Dense) {
	n := rapid.IntRange(1, 7).Draw(t, "fragments")
	p = mat.NewDense(n, n, nil)
	for i := range n {
		mean := rapid.Float64Range(1e-3, 1).Draw(t, "mean")
		law := rapid.SampledFrom([]core.Distribution{core.Const(mean), core.Exp(mean), core.ErlangK(3, mean), core.Hyper2(mean, 4),
			{Kind: core.Uniform, Max: 2 * mean}}).Draw(t, "law")
		f := core.Fragment{ID: fmt.Sprint("f", i), Class: core.CPUFragment, Demand: law}
		next := end
		if i+1 < n {
			next = fmt.Sprint("f", i+1)
		}
		to, back := rapid.IntRange(0, n-1).Draw(t, "to"), rapid.Float64Range(.1, .7).Draw(t, "back")
		if to == i+1 {
			back = 0
		} else {
			f.Next = append(f.Next, core.Edge{To: fmt.Sprint("f", to), Probability: back})
			p.Set(i, to, back)
		}
		f.Next = append(f.Next, core.Edge{To: next, Probability: 1 - back})
		if i+1 < n {
			p.Set(i, i+1, 1-back)
		}
		fragments = append(fragments, f)
	}
	return fragments, p
}

// solved returns x with x = b + p·x, by LU decomposition.
func solved(p mat.Matrix, b []float64) []float64 {
	n := len(b)
	a := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			a.Set(i, j, -p.At(i, j))
		}
		a.Set(i, i, 1-p.At(i, i))
	}
	var x mat.VecDense
	if err := x.SolveVec(a, mat.NewVecDense(n, b)); err != nil {
		panic(err)
	}
	return x.RawVector().Data
}

// The visit counts solve V = e₀ + Pᵀ·V (Denning & Buzen 1978).
func TestVisitsSolveTheTrafficEquations(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		fragments, p := walk(t, "end")
		g := graphOf(append(fragments, core.Fragment{ID: "end", Class: core.CPUFragment, Demand: core.Const(0)})...)
		entry := make([]float64, len(fragments))
		entry[0] = 1
		got := g.Visits()
		for i, want := range solved(p.T(), entry) {
			nearly(t, fmt.Sprint("visits of f", i), got.Count[i], want)
		}
		nearly(t, "visits of the end", got.Count[len(fragments)], 1)
	})
}

// One thread whose task walks through a graph is an M/G/1 queue: R = E T + λ·E T²/(2(1−ρ)) (Pollaczek
// 1930, Khinchine 1932). The moments of the walk solve m₁ = τ + P·m₁ and
// m₂ = σ² + τ² + 2τ·(P·m₁) + P·m₂ (Kemeny & Snell 1960, §3.3, with times).
func TestEstimateOfAWalkIsPollaczekKhinchine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		fragments, p := walk(t, "out")
		n := len(fragments)
		tau, second := make([]float64, n), make([]float64, n)
		for i, f := range fragments {
			tau[i] = f.Demand.Expectation()
		}
		first := solved(p, append([]float64{}, tau...))
		var after mat.VecDense
		after.MulVec(p, mat.NewVecDense(n, first))
		for i, f := range fragments {
			second[i] = f.Demand.Variance() + tau[i]*tau[i] + 2*tau[i]*after.AtVec(i)
		}
		mean, square := first[0], solved(p, second)[0]
		rho := rapid.Float64Range(.05, .95).Draw(t, "utilization")

		m := station(rho/mean, mean, 1, 4)
		f := m.Graphs[0].Fragments
		f[1].Next = []core.Edge{{To: "f0", Probability: 1}}
		m.Graphs[0].Fragments = append(append(f[:2:2], fragments...), f[3])
		if err := m.Validate(); err != nil {
			t.Fatalf("the model is not valid: %v", err)
		}
		d := m.Demands()
		nearly(t, "R", d.Estimate().Response, mean+rho/mean*square/(2*(1-rho)))
	})
}
