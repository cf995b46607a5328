package factor

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

// observed is a table of runs in which factors are, and noise.
func observed(seed uint64, runs, variables, factors int) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 2))
	table := mat.NewDense(runs, variables, nil)
	for i := range runs {
		f := make([]float64, factors)
		for j := range f {
			f[j] = r.NormFloat64()
		}
		for j := range variables {
			table.Set(i, j, .7*f[j%factors]+.7*r.NormFloat64())
		}
	}
	return table
}

func correlated(t interface{ Fatal(...any) }, table *mat.Dense) *mat.SymDense {
	_, columns := table.Dims()
	r, err := Correlation(table, make([]string, columns))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Pearson's coefficient by its definition; the unit and the zero of a column do not
// matter; the eigenvalues of p variables add up to p.
func TestCorrelationIsPearsons(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		runs, variables := rapid.IntRange(3, 40).Draw(t, "runs"), rapid.IntRange(2, 6).Draw(t, "variables")
		table := observed(rapid.Uint64().Draw(t, "seed"), runs, variables, 1)
		r := correlated(t, table)
		other := mat.DenseCopyOf(table)
		for j := range variables {
			unit, zero := rapid.Float64Range(1e-3, 1e3).Draw(t, "unit"), rapid.Float64Range(-10, 10).Draw(t, "zero")
			for i := range runs {
				other.Set(i, j, unit*table.At(i, j)+zero)
			}
		}
		if s := correlated(t, other); !mat.EqualApprox(r, s, 1e-7) {
			t.Fatalf("correlations\n%.6f\nand in other units\n%.6f", mat.Formatted(r), mat.Formatted(s))
		}
		for j := range variables {
			for k := range variables {
				var sj, sk, jj, kk, jk, n float64
				for i := range runs {
					a, b := table.At(i, j), table.At(i, k)
					n, sj, sk, jj, kk, jk = n+1, sj+a, sk+b, jj+a*a, kk+b*b, jk+a*b
				}
				if want := (n*jk - sj*sk) / math.Sqrt((n*jj-sj*sj)*(n*kk-sk*sk)); math.Abs(r.At(j, k)-want) > 1e-9 {
					t.Fatalf("%d and %d correlate by %v, want %v", j, k, r.At(j, k), want)
				}
			}
		}
		if values, _ := eigen(r); math.Abs(floats.Sum(values)-float64(variables)) > 1e-9 {
			t.Fatalf("the eigenvalues of %d variables are %v", variables, values)
		}
	})
}

// What slows a whole run, or all runs of a module, by a factor is gone.
func TestCenteringForgetsFactorsOfRunsAndModules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		runs, modules := rapid.IntRange(1, 10).Draw(t, "runs"), rapid.IntRange(2, 7).Draw(t, "modules")
		factor := rapid.Float64Range(.01, 100)
		times, other := mat.NewDense(runs, modules, nil), mat.NewDense(runs, modules, nil)
		ofModule := make([]float64, modules)
		for j := range ofModule {
			ofModule[j] = factor.Draw(t, "module")
		}
		for i := range runs {
			ofRun := factor.Draw(t, "run")
			for j := range modules {
				v := factor.Draw(t, "time")
				times.Set(i, j, v)
				other.Set(i, j, v*ofRun*ofModule[j])
			}
		}
		if a, b := Center(times), Center(other); !mat.EqualApprox(a, b, 1e-9) {
			t.Fatalf("centered\n%.4f\nand with factors\n%.4f", mat.Formatted(a), mat.Formatted(b))
		}
	})
}

// The derivative of Jöreskog's criterion (Lawley & Maxwell 1971, §4.3) is that of finite
// differences.
func TestTheGradientOfTheLikelihoodIsItsDerivative(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		r := correlated(t, observed(seed, 60, 7, 2))
		random := rand.New(rand.NewPCG(seed, 3))
		u := make([]float64, 7)
		for i := range u {
			u[i] = .2 + .6*random.Float64()
		}
		want := fd.Gradient(nil, func(u []float64) float64 { return discrepancy(r, 2, u) }, u, &fd.Settings{Formula: fd.Central})
		for i, g := range discrepancyGradient(r, 2, u) {
			if math.Abs(g-want[i]) > 1e-4*math.Max(1, math.Abs(want[i])) {
				t.Errorf("seed %d: derivative %d is %v, by differences %v", seed, i, g, want[i])
			}
		}
	}
}

// At its end every method leaves each variable with a variance of 1, of which factors explain
// the communality (unless none is left beside them, a Heywood case), and each is best by
// its own criterion.
func TestEveryMethodIsTheBestByItsCriterion(t *testing.T) {
	t.Parallel()
	const variables, factors = 8, 2
	for seed := range uint64(15) {
		r := correlated(t, observed(seed, 150, variables, factors))
		found := map[Method]Loadings{}
		for _, method := range []Method{PrincipalAxis, MinimumResidual, MaximumLikelihood} {
			l, err := Extract(r, factors, method)
			if err != nil {
				t.Fatal(err)
			}
			found[method] = l
			for i, u := range l.Uniqueness {
				if all := l.explains().At(i, i) + u; u > 2*leastUniqueness && math.Abs(all-1) > 1e-4 {
					t.Errorf("seed %d, %s: communality and uniqueness of variable %d add up to %v", seed, method, i, all)
				}
			}
		}
		for method, l := range found {
			if best, other := residual(r, factors, found[MinimumResidual].Uniqueness), residual(r, factors, l.Uniqueness); best > other+1e-7 {
				t.Errorf("seed %d: residuals %v of %s, and %v of %s", seed, best, MinimumResidual, other, method)
			}
			if best, other := discrepancy(r, factors, found[MaximumLikelihood].Uniqueness), discrepancy(r, factors, l.Uniqueness); best > other+1e-7 {
				t.Errorf("seed %d: discrepancy %v of %s, and %v of %s", seed, best, MaximumLikelihood, other, method)
			}
		}
	}
}

// A sensitivity is the slope of least squares (gonum's), its interval that of Draper & Smith 1998, §1.4,
// and it is twice as large in half the unit.
func TestASensitivityIsTheSlopeOfLeastSquares(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 30).Draw(t, "runs")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		x, y, twice := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = r.Float64(), 3+r.NormFloat64()
			twice[i] = 2 * y[i]
		}
		s, d := slope(x, y), slope(x, twice)
		_, want := stat.LinearRegression(x, y, nil, false)
		if math.Abs(s.Slope-want) > 1e-9*math.Max(1, math.Abs(want)) || math.Abs(d.Slope-2*s.Slope) > 1e-9*math.Max(1, math.Abs(want)) {
			t.Fatalf("slope %v and of twice the times %v, want %v", s.Slope, d.Slope, want)
		}
		// The interval excludes 0 exactly where the test finds a difference at 5 %.
		if excludes := s.Lo > 0 || s.Hi < 0; excludes != (s.P < .05) && math.Abs(s.P-.05) > 1e-6 {
			t.Fatalf("the interval is [%v, %v] and P = %v", s.Lo, s.Hi, s.P)
		}
	})
}

// A pair is significant if its adjusted p-value min{pₗ·m/l : l ≥ k} is at most the share of false
// discoveries that is allowed (Benjamini & Hochberg 1995).
func TestSignificanceIsThatOfTheAdjustedPValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "modules")
		s := make([][]Sensitivity, n)
		var all []float64
		for i := range s {
			s[i] = make([]Sensitivity, n)
			for j := range s[i] {
				s[i][j].P = math.Pow(10, rapid.Float64Range(-5, 0).Draw(t, "log p"))
				if i != j {
					all = append(all, s[i][j].P)
				}
			}
		}
		markSignificant(s)
		adjusted := func(p float64) float64 {
			least := 1.0
			for _, q := range all {
				if q >= p {
					rank := 0 // of q
					for _, other := range all {
						if other <= q {
							rank++
						}
					}
					least = min(least, q*float64(len(all))/float64(rank))
				}
			}
			return least
		}
		for i := range s {
			for j := range s[i] {
				if a := adjusted(s[i][j].P); i != j && s[i][j].Significant != (a <= discoveries) && math.Abs(a/discoveries-1) > 1e-9 {
					t.Fatalf("p = %v, adjusted %v: significant is %v", s[i][j].P, a, s[i][j].Significant)
				}
			}
		}
	})
}
