package optimise

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// surrogate is a Gaussian process (Rasmussen & Williams 2006, ch. 2) of a quantity over the space: from
// the points that were simulated it predicts the others, and says how sure that is. It
// has a squared-exponential kernel with a length scale of its own on every coordinate, and the noise of
// each simulation as the simulation estimates it.
type surrogate struct {
	x      [][]float64 // features
	mean   float64
	scale  []float64 // of the length: by coordinate
	spread float64   // standard deviation of the process
	alpha  *mat.VecDense
	chol   mat.Cholesky
	fitted bool
}

// priorSpread is the standard deviation of what is not known yet, in logarithms: estimates are right
// within a factor of about two.
const priorSpread = 0.5

// Length scales and spreads among which the likelihood decides, in widths of the space and in logarithms.
var (
	lengths = []float64{0.15, 0.3, 0.6, 1.2, 2.5, 6}
	spreads = []float64{0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6}
)

// fitSurrogate learns from values y at x with standard errors noise. When ctx ends it has not decided all scales.
func fitSurrogate(ctx context.Context, x [][]float64, y, noise []float64) *surrogate {
	g := &surrogate{x: x, spread: priorSpread}
	if len(x) == 0 {
		return g
	}
	g.scale = make([]float64, len(x[0]))
	for k := range g.scale {
		g.scale[k] = 1.2
	}
	g.mean = stat.Mean(y, nil)
	best := g.likelihood(y, noise)
	if len(y) < leastLearned {
		return g
	}
	improve := func(at *float64, among []float64) {
		now := *at
		for _, v := range among {
			if ctx.Err() != nil {
				break
			}
			*at = v
			if l := g.likelihood(y, noise); l > best {
				best, now = l, v
			}
		}
		*at = now
	}
	const rounds = 2
	for range rounds { // coordinate by coordinate
		improve(&g.spread, spreads)
		for k := range g.scale {
			improve(&g.scale[k], lengths)
		}
	}
	g.likelihood(y, noise)
	return g
}

// likelihood factorises the covariance and returns the logarithm of the marginal likelihood of y, up to
// a constant (ibid., eq. 2.30).
func (g *surrogate) likelihood(y, noise []float64) float64 {
	n := len(y)
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			k.SetSym(i, j, g.kernel(g.x[i], g.x[j]))
		}
		const jitter = 1e-6
		k.SetSym(i, i, g.spread*g.spread+noise[i]*noise[i]+jitter)
	}
	if g.fitted = g.chol.Factorize(k); !g.fitted {
		return math.Inf(-1)
	}
	residual := mat.NewVecDense(n, nil)
	for i := range y {
		residual.SetVec(i, y[i]-g.mean)
	}
	g.alpha = mat.NewVecDense(n, nil)
	if err := g.chol.SolveVecTo(g.alpha, residual); err != nil {
		g.fitted = false
		return math.Inf(-1)
	}
	prior := math.Log(g.spread / priorSpread) // few points must not make it too sure
	return -0.5*mat.Dot(residual, g.alpha) - 0.5*g.chol.LogDet() - 0.5*prior*prior
}

func (g *surrogate) kernel(a, b []float64) float64 {
	sum := 0.0
	for k := range a {
		d := (a[k] - b[k]) / g.scale[k]
		sum += d * d
	}
	return g.spread * g.spread * math.Exp(-sum/2)
}

// predict returns means and standard deviations at points.
func (g *surrogate) predict(x [][]float64) (mean, deviation []float64) {
	mean, deviation = make([]float64, len(x)), make([]float64, len(x))
	if !g.fitted {
		for j := range x {
			mean[j], deviation[j] = g.mean, max(g.spread, priorSpread)
		}
		return mean, deviation
	}
	k := mat.NewDense(len(g.x), len(x), nil)
	for i, a := range g.x {
		for j, b := range x {
			v := g.kernel(a, b)
			k.Set(i, j, v)
			mean[j] += v * g.alpha.AtVec(i)
		}
	}
	blas64.Trsm(blas.Left, blas.Trans, 1, g.chol.RawU().(mat.RawTriangular).RawTriangular(), k.RawMatrix())
	for i := range g.x {
		for j, v := range k.RawRowView(i) {
			deviation[j] += v * v
		}
	}
	for j := range x {
		mean[j] += g.mean
		deviation[j] = math.Sqrt(max(0, g.spread*g.spread-deviation[j]))
	}
	return mean, deviation
}
