package factor

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Scree is what the number of factors is decided by.
type Scree struct {
	Eigenvalues []float64 // of the correlation matrix, descending
	Random      []float64 // 95th percentile of those of unrelated variables
	Factors     int       // leading eigenvalues above Random (Horn 1965)
	Kaiser      int       // eigenvalues above 1, for comparison
}

// ParallelAnalysis compares the eigenvalues of a correlation matrix from the
// given number of runs with those of independent normal variables over trials
// random tables of the same size.
func ParallelAnalysis(r *mat.SymDense, runs, trials int, seed uint64) Scree {
	n := r.SymmetricDim()
	s := Scree{Random: make([]float64, n)}
	s.Eigenvalues, _ = eigen(r)
	random := rand.New(rand.NewPCG(seed, 0))
	samples := make([][]float64, n)
	table := mat.NewDense(runs, n, nil)
	for range trials {
		for i := range runs {
			for j := range n {
				table.Set(i, j, random.NormFloat64())
			}
		}
		var c mat.SymDense
		stat.CorrelationMatrix(&c, table, nil)
		values, _ := eigen(&c)
		for j, v := range values {
			samples[j] = append(samples[j], v)
		}
	}
	for j, v := range samples {
		slices.Sort(v)
		s.Random[j] = stat.Quantile(0.95, stat.Empirical, v, nil)
	}
	for s.Factors < n && s.Eigenvalues[s.Factors] > s.Random[s.Factors] {
		s.Factors++
	}
	for _, v := range s.Eigenvalues {
		if v > 1 {
			s.Kaiser++
		}
	}
	return s
}
