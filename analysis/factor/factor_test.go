package factor_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tierscope/analysis/factor"
)

// A matrix that factors made is decomposed into exactly those factors, by
// every method: R = ΛΛᵀ + Ψ with a simple structure, which varimax finds.
func TestEveryMethodRecoversFactorsThatMadeTheMatrix(t *testing.T) {
	t.Parallel()
	true2 := mat.NewDense(8, 2, []float64{.9, 0, .8, 0, .7, 0, .6, 0, 0, .85, 0, .75, 0, .65, 0, .55})
	var product mat.Dense
	product.Mul(true2, true2.T())
	r := mat.NewSymDense(8, nil)
	for i := range 8 {
		for j := i; j < 8; j++ {
			r.SetSym(i, j, product.At(i, j))
		}
		r.SetSym(i, i, 1)
	}
	for _, method := range []factor.Method{factor.PrincipalAxis, factor.MinimumResidual, factor.MaximumLikelihood} {
		l, err := factor.Extract(r, 2, method)
		if err != nil {
			t.Fatal(err)
		}
		l = factor.Varimax(l)
		for i := range 8 {
			for j := range 2 {
				if got, want := l.Matrix.At(i, j), true2.At(i, j); math.Abs(got-want) > 5e-4 {
					t.Errorf("%s: loading of variable %d on factor %d is %.4f, made with %.2f", method, i, j+1, got, want)
				}
			}
		}
	}
}

// Factors that are correlated are found with their correlation by promax; the
// loadings on the other factor stay small.
func TestPromaxFindsCorrelatedFactors(t *testing.T) {
	t.Parallel()
	loadings := mat.NewDense(6, 2, []float64{.8, 0, .7, 0, .9, 0, 0, .8, 0, .7, 0, .9})
	phi := mat.NewSymDense(2, []float64{1, .4, .4, 1})
	var a, product mat.Dense
	a.Mul(loadings, phi)
	product.Mul(&a, loadings.T())
	r := mat.NewSymDense(6, nil)
	for i := range 6 {
		for j := i; j < 6; j++ {
			r.SetSym(i, j, product.At(i, j))
		}
		r.SetSym(i, i, 1)
	}
	l, err := factor.Extract(r, 2, factor.MinimumResidual)
	if err != nil {
		t.Fatal(err)
	}
	l = factor.Promax(l)
	if got := l.Correlations.At(0, 1); math.Abs(got-.4) > 0.05 {
		t.Errorf("the factors correlate with %.3f, made with .4", got)
	}
	for i := range 6 {
		small := min(math.Abs(l.Matrix.At(i, 0)), math.Abs(l.Matrix.At(i, 1)))
		if small > 0.06 {
			t.Errorf("variable %d loads %.3f on the other factor, made with 0", i, small)
		}
	}
}

// Horn's rule counts the factors that are in the data and none in noise. With
// other seeds a correct program fails in fewer than 1 of 20 cases for noise.
func TestParallelAnalysisCountsTheFactorsThatAreThere(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	const runs = 120
	table := mat.NewDense(runs, 9, nil)
	for i := range runs {
		f := [3]float64{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
		for j := range 9 {
			table.Set(i, j, .8*f[j/3]+.6*random.NormFloat64())
		}
	}
	names := strings.Split("a b c d e f g h i", " ")
	r, err := factor.Correlation(table, names)
	if err != nil {
		t.Fatal(err)
	}
	if s := factor.ParallelAnalysis(r, runs, 200, 1); s.Factors != 3 {
		t.Errorf("%d factors found where 3 are: eigenvalues %.2f against %.2f", s.Factors, s.Eigenvalues, s.Random)
	}
	for i := range runs {
		for j := range 9 {
			table.Set(i, j, random.NormFloat64())
		}
	}
	if r, err = factor.Correlation(table, names); err != nil {
		t.Fatal(err)
	}
	if s := factor.ParallelAnalysis(r, runs, 200, 1); s.Factors != 0 {
		t.Errorf("%d factors found in noise", s.Factors)
	}
}

func TestCenteringTakesOutWhatSlowsAllModulesOfARun(t *testing.T) {
	t.Parallel()
	times := mat.NewDense(2, 3, []float64{1, 2, 4, 10, 20, 40})
	c := factor.Center(times)
	for j := range 3 {
		if d := c.At(0, j) - c.At(1, j); math.Abs(d) > 1e-12 {
			t.Errorf("a run that is ten times slower in all modules differs in module %d by %g", j, d)
		}
	}
}

func TestColumnsWithoutACorrelationAreNamed(t *testing.T) {
	t.Parallel()
	for text, table := range map[string]*mat.Dense{
		`"b" takes the same time`:         mat.NewDense(4, 2, []float64{1, 5, 2, 5, 3, 5, 4, 5}),
		`"a" has a value that is not`:     mat.NewDense(3, 2, []float64{math.NaN(), 5, 2, 6, 3, 7}),
		"1 runs are too few to correlate": mat.NewDense(1, 2, []float64{1, 2}),
	} {
		if _, err := factor.Correlation(table, []string{"a", "b"}); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("error %v, want one about %s", err, text)
		}
	}
	if _, err := factor.Extract(mat.NewSymDense(2, []float64{1, .5, .5, 1}), 2, factor.PrincipalAxis); err == nil {
		t.Error("two factors of two variables are extracted")
	}
}
