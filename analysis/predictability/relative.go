package predictability

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"tierscope/core/robust"
)

const (
	huber      = 1.345 // standard deviations within which a residual counts in full (Huber 1981: 95 % efficient)
	reweights  = 20
	madToSigma = 1.4826 // of a normal law
)

// relative fits coefficients, none negative, by least squares of the relative
// residuals with Huber's weights, so that a run that something disturbed does not
// decide. It returns false if the rows do not tell the coefficients.
func relative(rows [][]float64, values []float64) (coefficients []float64, ok bool) {
	weights := make([]float64, len(rows))
	for i := range weights {
		weights[i] = 1
	}
	for range reweights {
		if coefficients, ok = nonNegative(rows, values, weights); !ok {
			return nil, false
		}
		residuals, sizes := make([]float64, len(rows)), make([]float64, len(rows))
		for i, row := range rows {
			residuals[i] = -1
			for j, x := range row {
				residuals[i] += coefficients[j] * x / values[i]
			}
			sizes[i] = math.Abs(residuals[i])
		}
		sigma := madToSigma * robust.Median(sizes)
		for i, size := range sizes {
			if weights[i] = 1; size > huber*sigma && size > 0 {
				weights[i] = huber * sigma / size
			}
		}
	}
	return coefficients, true
}

// nonNegative solves the weighted problem; columns whose coefficient would be
// negative are left out, the most negative first.
func nonNegative(rows [][]float64, values, weights []float64) ([]float64, bool) {
	columns := make([]int, len(rows[0]))
	for j := range columns {
		columns[j] = j
	}
	for len(columns) > 0 && len(rows) >= len(columns) {
		a, b := mat.NewDense(len(rows), len(columns), nil), mat.NewVecDense(len(rows), nil)
		scale := make([]float64, len(columns))
		for k, j := range columns {
			for _, row := range rows {
				scale[k] = math.Max(scale[k], math.Abs(row[j]))
			}
			if scale[k] == 0 {
				return nil, false
			}
		}
		for i, row := range rows {
			w := math.Sqrt(weights[i])
			for k, j := range columns {
				a.Set(i, k, w*row[j]/scale[k]/values[i])
			}
			b.SetVec(i, w)
		}
		var x mat.VecDense
		if err := x.SolveVec(a, b); err != nil {
			return nil, false
		}
		worst := 0
		for k := range columns {
			if x.AtVec(k) < x.AtVec(worst) {
				worst = k
			}
		}
		if x.AtVec(worst) >= 0 {
			out := make([]float64, len(rows[0]))
			for k, j := range columns {
				out[j] = x.AtVec(k) / scale[k]
			}
			return out, true
		}
		columns = slices.Delete(columns, worst, worst+1)
	}
	return nil, false
}
