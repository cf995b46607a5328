package factor

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"tierscope/core/robust"
)

// Correlation returns the correlation matrix of the columns of observations
// (rows are runs). It fails with the name of a column that does not vary or is
// not finite, since it has no correlation with anything.
func Correlation(observations *mat.Dense, names []string) (*mat.SymDense, error) {
	rows, columns := observations.Dims()
	if rows < 3 {
		return nil, fmt.Errorf("factor: %d runs are too few to correlate anything: at least 3 are needed", rows)
	}
	for j := range columns {
		column := mat.Col(nil, j, observations)
		if slices.ContainsFunc(column, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
			return nil, fmt.Errorf("factor: module %q has a value that is not a finite number", names[j])
		}
		if slices.Min(column) == slices.Max(column) {
			return nil, fmt.Errorf("factor: module %q takes the same time in every run: leave it out", names[j])
		}
	}
	var r mat.SymDense
	stat.CorrelationMatrix(&r, observations, nil)
	return &r, nil
}

// Center returns the logarithms of times relative to their module's geometric
// mean, less each run's median over the modules: what moves all modules of a
// run alike is load from outside, not a dependency. Times must be positive.
func Center(times *mat.Dense) *mat.Dense {
	rows, columns := times.Dims()
	centered := mat.NewDense(rows, columns, nil)
	centered.Apply(func(_, _ int, v float64) float64 { return math.Log(v) }, times)
	for j := range columns {
		mean := stat.Mean(mat.Col(nil, j, centered), nil)
		for i := range rows {
			centered.Set(i, j, centered.At(i, j)-mean)
		}
	}
	for i := range rows {
		row := centered.RawRowView(i)
		common := robust.Median(row)
		for j := range row {
			row[j] -= common
		}
	}
	return centered
}

// eigen returns the eigenvalues in descending order and their vectors as
// columns.
func eigen(s *mat.SymDense) ([]float64, *mat.Dense) {
	var e mat.EigenSym
	if !e.Factorize(s, true) {
		panic("factor: a symmetric matrix of finite numbers has no eigenvalues")
	}
	values := e.Values(nil)
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	n := len(values)
	ordered := mat.NewDense(n, n, nil)
	for j := range n {
		ordered.SetCol(j, mat.Col(nil, n-1-j, &vectors))
	}
	slices.Reverse(values)
	return values, ordered
}
