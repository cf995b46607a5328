package regress

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// rankTolerance is the ratio of singular values below which a direction
// carries no information.
const rankTolerance = 1e-8

// leastScale is the largest value of a column below which the column is nothing. Theory: about the square root of the smallest
// number, so that neither what is divided by it nor its coefficient overflows.
const leastScale = 1e-150

// leastSquares returns the coefficients b that minimise Σ (wᵢ(yᵢ − xᵢ·b))²,
// with the smallest norm where several do. Columns are scaled first, so that
// their units do not decide the rank. It returns nil if nothing can be
// determined. x has one row per observation.
func leastSquares(x [][]float64, y, w []float64) []float64 {
	rows, columns := len(x), len(x[0])
	scale := make([]float64, columns)
	for _, row := range x {
		for j, v := range row {
			scale[j] = math.Max(scale[j], math.Abs(v))
		}
	}
	for j := range scale {
		if scale[j] < leastScale {
			scale[j] = 0
		}
	}
	a, b := mat.NewDense(rows, columns, nil), mat.NewDense(rows, 1, nil)
	for i, row := range x {
		for j, v := range row {
			if scale[j] > 0 {
				a.Set(i, j, w[i]*v/scale[j])
			}
		}
		b.Set(i, 0, w[i]*y[i])
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return nil
	}
	rank := svd.Rank(rankTolerance)
	if rank == 0 {
		return nil
	}
	var solution mat.Dense
	svd.SolveTo(&solution, b, rank)
	coefficients := make([]float64, columns)
	for j := range coefficients {
		if scale[j] > 0 {
			coefficients[j] = solution.At(j, 0) / scale[j]
		}
		if math.IsNaN(coefficients[j]) || math.IsInf(coefficients[j], 0) {
			return nil
		}
	}
	return coefficients
}
