package factor

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

// drawLoadings returns any loadings of communalities below 1.
func drawLoadings(t *rapid.T) Loadings {
	variables := rapid.IntRange(3, 12).Draw(t, "variables")
	factors := rapid.IntRange(1, min(5, variables-1)).Draw(t, "factors")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	l := Loadings{Matrix: mat.NewDense(variables, factors, nil)}
	for i := range variables {
		row := l.Matrix.RawRowView(i)
		square := 0.0
		for j := range row {
			row[j] = r.NormFloat64()
			square += row[j] * row[j]
		}
		scaleRow(l.Matrix, i, math.Sqrt((.05+.9*r.Float64())/square))
		l.Uniqueness = append(l.Uniqueness, 1-mat.Dot(l.Matrix.RowView(i), l.Matrix.RowView(i)))
	}
	return l
}

// explains is Λ·Φ·Λᵀ, the correlations that the factors explain.
func (l Loadings) explains() *mat.Dense {
	var scaled, product mat.Dense
	scaled.CloneFrom(l.Matrix)
	if l.Correlations != nil {
		scaled.Mul(l.Matrix, l.Correlations)
	}
	product.Mul(&scaled, l.Matrix.T())
	return &product
}

// kaiser is the varimax criterion Σⱼ var(z²ⱼ) of rows of length 1 (Kaiser 1958).
func kaiser(l *mat.Dense) (sum float64) {
	rows, columns := l.Dims()
	squares := make([]float64, rows)
	for j := range columns {
		for i := range rows {
			squares[i] = math.Pow(l.At(i, j)/mat.Norm(l.RowView(i), 2), 2)
		}
		sum += stat.PopVariance(squares, nil)
	}
	return sum
}

func identity(n int) *mat.Dense {
	t := mat.NewDense(n, n, nil)
	for i := range n {
		t.Set(i, i, 1)
	}
	return t
}

// A rotation explains what the factors explained: communalities, correlations and the total
// variance stay, and the matrix that leads to the new loadings is orthogonal (Harman 1976, §12.2).
func TestVarimaxIsARotation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := drawLoadings(t)
		v := Varimax(l)
		if !mat.EqualApprox(l.explains(), v.explains(), 1e-9) {
			t.Fatalf("the factors explain\n%.4f\nand after the rotation\n%.4f", mat.Formatted(l.explains()), mat.Formatted(v.explains()))
		}
		var turn, product mat.Dense
		if err := turn.Solve(l.Matrix, v.Matrix); err != nil {
			t.Fatal(err)
		}
		product.Mul(turn.T(), &turn)
		if !mat.EqualApprox(&product, identity(v.Matrix.RawMatrix().Cols), 1e-6) {
			t.Fatalf("the rotation is not orthogonal: TᵀT is\n%.6f", mat.Formatted(&product))
		}
		before, after := 0.0, 0.0
		for j, share := range v.Explained() {
			after += share
			if before += l.Explained()[j]; j > 0 && share > v.Explained()[j-1]+1e-12 {
				t.Fatalf("factors explain %v: not in descending order", v.Explained())
			}
		}
		if math.Abs(before-after) > 1e-9 {
			t.Fatalf("all factors explain %v of the variance, and %v after the rotation", before, after)
		}
	})
}

// At the maximum no turn of two factors, by whatever angle, raises the criterion.
func TestVarimaxIsAMaximum(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := drawLoadings(t)
		v := Varimax(l)
		best := kaiser(v.Matrix)
		if start := kaiser(l.Matrix); start > best+1e-9 {
			t.Fatalf("the criterion is %v after the rotation and %v before", best, start)
		}
		_, columns := v.Matrix.Dims()
		for a := range columns {
			for b := range a {
				for angle := -.75; angle <= .75; angle += .05 {
					plane := identity(columns)
					sin, cos := math.Sincos(angle)
					plane.Set(a, a, cos)
					plane.Set(b, b, cos)
					plane.Set(a, b, -sin)
					plane.Set(b, a, sin)
					var turned mat.Dense
					turned.Mul(v.Matrix, plane)
					if c := kaiser(&turned); c > best+1e-6 {
						t.Fatalf("factors %d and %d turned by %v have the criterion %v, more than %v", a, b, angle, c, best)
					}
				}
			}
		}
	})
}

// An oblique rotation explains the same with factors that correlate: Λ·Φ·Λᵀ stays, and Φ is a
// correlation matrix (Hendrickson & White 1964).
func TestPromaxExplainsTheSameWithCorrelatedFactors(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := drawLoadings(t)
		p := Promax(l)
		if !mat.EqualApprox(l.explains(), p.explains(), 1e-7) {
			t.Fatalf("the factors explain\n%.4f\nand after the rotation\n%.4f", mat.Formatted(l.explains()), mat.Formatted(p.explains()))
		}
		if p.Correlations == nil {
			return // one factor
		}
		var e mat.EigenSym
		if !e.Factorize(p.Correlations, false) || e.Values(nil)[0] < 0 {
			t.Fatalf("correlations of the factors\n%.4f", mat.Formatted(p.Correlations))
		}
		for j := range p.Correlations.SymmetricDim() {
			if math.Abs(p.Correlations.At(j, j)-1) > 1e-9 {
				t.Fatalf("a factor correlates with itself by %v", p.Correlations.At(j, j))
			}
		}
	})
}
