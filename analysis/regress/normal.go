package regress

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// normal are the normal equations of a least-squares fit: X′W²X, of columns that are scaled so that their units do not
// decide the rank.
type normal struct {
	scale    []float64
	cholesky mat.Cholesky
}

// normalOf returns the equations; false if columns follow from each other.
func normalOf(x [][]float64, w []float64) (*normal, bool) {
	k := len(x[0])
	n := &normal{scale: make([]float64, k)}
	for i, row := range x {
		for j, v := range row {
			n.scale[j] = math.Max(n.scale[j], math.Abs(v*w[i]))
		}
	}
	if slices.Min(n.scale) == 0 {
		return nil, false
	}
	products := mat.NewSymDense(k, nil)
	for i, row := range x {
		for j, v := range row {
			for l := j; l < k; l++ {
				products.SetSym(j, l, products.At(j, l)+w[i]*w[i]*v/n.scale[j]*row[l]/n.scale[l])
			}
		}
	}
	if !n.cholesky.Factorize(products) || n.cholesky.Cond() > 1/(rankTolerance*rankTolerance) {
		return nil, false
	}
	return n, true
}

// solve returns the coefficients.
func (n *normal) solve(x [][]float64, y, w []float64) []float64 {
	right := mat.NewVecDense(len(n.scale), nil)
	for i, row := range x {
		for j, v := range row {
			right.SetVec(j, right.AtVec(j)+w[i]*w[i]*v/n.scale[j]*y[i])
		}
	}
	var b mat.VecDense
	if n.cholesky.SolveVecTo(&b, right) != nil {
		return nil
	}
	out := make([]float64, len(n.scale))
	for j := range out {
		out[j] = b.AtVec(j) / n.scale[j]
	}
	return out
}

// variances are those of the coefficients, by that of a run: the diagonal of (X′W²X)⁻¹.
func (n *normal) variances() []float64 {
	out := make([]float64, len(n.scale))
	for j := range out {
		unit := make([]float64, len(out))
		unit[j] = 1
		out[j] = n.leverage(unit)
	}
	return out
}

// leverage is the variance of the fitted value of a row, by that of a run.
func (n *normal) leverage(row []float64) float64 {
	scaled, solved := mat.NewVecDense(len(row), nil), mat.VecDense{}
	for j, v := range row {
		scaled.SetVec(j, v/n.scale[j])
	}
	if n.cholesky.SolveVecTo(&solved, scaled) != nil {
		return math.Inf(1)
	}
	return mat.Dot(scaled, &solved)
}
