package factor

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// Method is how factors are extracted.
type Method string

// Methods of extraction.
const (
	PrincipalAxis     Method = "principal axis"     // iterated communalities
	MinimumResidual   Method = "minimum residual"   // least squares of the off-diagonal residuals (Harman & Jones 1966)
	MaximumLikelihood Method = "maximum likelihood" // Jöreskog 1967
)

// Loadings are the extracted factors: variables × factors.
type Loadings struct {
	Method       Method
	Matrix       *mat.Dense
	Uniqueness   []float64     // variance of each variable that no factor explains
	Correlations *mat.SymDense // between the factors after Promax; nil: uncorrelated
}

// Explained returns the share of all variance that each factor explains.
func (l Loadings) Explained() []float64 {
	rows, columns := l.Matrix.Dims()
	shares := make([]float64, columns)
	for j := range columns {
		for i := range rows {
			shares[j] += l.Matrix.At(i, j) * l.Matrix.At(i, j) / float64(rows)
		}
	}
	return shares
}

// leastUniqueness keeps a variable from being explained completely (a Heywood
// case), as in R's factanal.
const leastUniqueness = 0.005

// Extract returns unrotated loadings of the given number of factors of a
// correlation matrix.
func Extract(r *mat.SymDense, factors int, method Method) (Loadings, error) {
	n := r.SymmetricDim()
	if factors < 1 || factors >= n {
		return Loadings{}, fmt.Errorf("factor: %d factors of %d variables: want 1…%d", factors, n, n-1)
	}
	var uniqueness []float64
	switch method {
	case PrincipalAxis:
		uniqueness = iterate(r, factors)
	case MinimumResidual:
		uniqueness = minimise(r, func(u []float64) float64 { return residual(r, factors, u) }, nil)
	case MaximumLikelihood:
		uniqueness = minimise(r,
			func(u []float64) float64 { return discrepancy(r, factors, u) },
			func(u []float64) []float64 { return discrepancyGradient(r, factors, u) })
	default:
		return Loadings{}, fmt.Errorf("factor: no method %q", method)
	}
	l := Loadings{Method: method, Uniqueness: uniqueness}
	if method == MaximumLikelihood {
		l.Matrix = scaledLoadings(r, factors, uniqueness)
	} else {
		l.Matrix = reducedLoadings(r, factors, uniqueness)
	}
	reflect(l.Matrix)
	return l, nil
}

// start returns the uniquenesses 1 − R²ᵢ, where R²ᵢ is the squared multiple
// correlation of variable i with all others, or 1/2 where it has none.
func start(r *mat.SymDense) []float64 {
	n := r.SymmetricDim()
	u := make([]float64, n)
	var inverse mat.Dense
	singular := inverse.Inverse(r) != nil
	for i := range u {
		u[i] = 0.5
		if !singular && inverse.At(i, i) >= 1 {
			u[i] = 1 / inverse.At(i, i)
		}
		u[i] = math.Min(math.Max(u[i], 2*leastUniqueness), 1-leastUniqueness)
	}
	return u
}

// iterate repeats: loadings from the reduced matrix, communalities from the
// loadings.
func iterate(r *mat.SymDense, factors int) []float64 {
	u := start(r)
	const rounds, tolerance = 5000, 1e-9
	for range rounds {
		l := reducedLoadings(r, factors, u)
		change := 0.0
		for i := range u {
			next := 1.0
			for j := range factors {
				next -= l.At(i, j) * l.At(i, j)
			}
			next = math.Max(next, leastUniqueness)
			change = math.Max(change, math.Abs(next-u[i]))
			u[i] = next
		}
		if change < tolerance {
			break
		}
	}
	return u
}

// reducedLoadings are the leading eigenvectors of R − Ψ, scaled.
func reducedLoadings(r *mat.SymDense, factors int, uniqueness []float64) *mat.Dense {
	reduced := mat.NewSymDense(len(uniqueness), nil)
	reduced.CopySym(r)
	for i, u := range uniqueness {
		reduced.SetSym(i, i, r.At(i, i)-u)
	}
	values, vectors := eigen(reduced)
	l := mat.NewDense(len(uniqueness), factors, nil)
	for j := range factors {
		s := math.Sqrt(math.Max(values[j], 0))
		for i := range uniqueness {
			l.Set(i, j, s*vectors.At(i, j))
		}
	}
	return l
}

// scaledLoadings are Ψ^½ E (Θ − I)^½ with the leading eigenpairs of
// Ψ^−½ R Ψ^−½.
func scaledLoadings(r *mat.SymDense, factors int, uniqueness []float64) *mat.Dense {
	values, vectors := eigen(scaled(r, uniqueness))
	l := mat.NewDense(len(uniqueness), factors, nil)
	for j := range factors {
		s := math.Sqrt(math.Max(values[j]-1, 0))
		for i, u := range uniqueness {
			l.Set(i, j, math.Sqrt(u)*s*vectors.At(i, j))
		}
	}
	return l
}

func scaled(r *mat.SymDense, uniqueness []float64) *mat.SymDense {
	n := len(uniqueness)
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, r.At(i, j)/math.Sqrt(uniqueness[i]*uniqueness[j]))
		}
	}
	return s
}

// residual is the sum of the squared off-diagonal residuals.
func residual(r *mat.SymDense, factors int, uniqueness []float64) float64 {
	l := reducedLoadings(r, factors, uniqueness)
	var fitted mat.Dense
	fitted.Mul(l, l.T())
	var sum float64
	for i := range uniqueness {
		for j := range i {
			d := r.At(i, j) - fitted.At(i, j)
			sum += d * d
		}
	}
	return sum
}

// discrepancy is Jöreskog's likelihood criterion, 0 for a perfect fit:
// Σ (θⱼ − log θⱼ − 1) over the eigenvalues beyond the factors.
func discrepancy(r *mat.SymDense, factors int, uniqueness []float64) float64 {
	values, _ := eigen(scaled(r, uniqueness))
	var sum float64
	for _, v := range values[factors:] {
		if v <= 0 {
			return math.Inf(1)
		}
		sum += v - math.Log(v) - 1
	}
	return sum
}

func discrepancyGradient(r *mat.SymDense, factors int, uniqueness []float64) []float64 {
	l := scaledLoadings(r, factors, uniqueness)
	gradient := make([]float64, len(uniqueness))
	for i, u := range uniqueness {
		communality := 0.0
		for j := range factors {
			communality += l.At(i, j) * l.At(i, j)
		}
		gradient[i] = (communality + u - r.At(i, i)) / (u * u)
	}
	return gradient
}

// minimise finds the uniquenesses between leastUniqueness and 1 that minimise
// f, by BFGS in a logistic coordinate. A nil gradient is taken numerically.
func minimise(r *mat.SymDense, f func([]float64) float64, gradient func([]float64) []float64) []float64 {
	const span = 1 - leastUniqueness
	inside := func(x []float64) []float64 {
		u := make([]float64, len(x))
		for i, v := range x {
			u[i] = leastUniqueness + span/(1+math.Exp(-v))
		}
		return u
	}
	x := start(r)
	for i, u := range x {
		p := (u - leastUniqueness) / span
		x[i] = math.Log(p / (1 - p))
	}
	objective := func(x []float64) float64 { return f(inside(x)) }
	problem := optimize.Problem{Func: objective, Grad: func(grad, x []float64) {
		if gradient == nil {
			fd.Gradient(grad, objective, x, &fd.Settings{Formula: fd.Central})
			return
		}
		for i, g := range gradient(inside(x)) {
			p := 1 / (1 + math.Exp(-x[i]))
			grad[i] = g * span * p * (1 - p)
		}
	}}
	// An error means that no further progress was possible: the point is the
	// minimum within rounding.
	result, err := optimize.Minimize(problem, x, &optimize.Settings{GradientThreshold: 1e-9, MajorIterations: 2000}, &optimize.BFGS{})
	if result == nil {
		panic("factor: " + err.Error())
	}
	return inside(result.X)
}

// reflect turns every factor so that its loadings sum to a positive number.
func reflect(l *mat.Dense) {
	_, columns := l.Dims()
	for j := range columns {
		column := mat.Col(nil, j, l)
		if mat.Sum(mat.NewVecDense(len(column), column)) < 0 {
			for i, v := range column {
				l.Set(i, j, -v)
			}
		}
	}
}
