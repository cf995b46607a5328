package factor

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Varimax rotates the factors, keeping them uncorrelated, so that each
// variable loads on few (Kaiser 1958, with Kaiser's normalisation). Factors
// come in the order of the variance they explain.
func Varimax(l Loadings) Loadings { return varimax(l, converged) }

// converged is the relative growth of the criterion at which a rotation ends.
const converged = 1e-12

func varimax(l Loadings, tolerance float64) Loadings {
	rows, columns := l.Matrix.Dims()
	rotated := l
	rotated.Matrix = mat.DenseCopyOf(l.Matrix)
	if columns > 1 {
		length := make([]float64, rows)
		normal := mat.DenseCopyOf(l.Matrix)
		for i := range rows {
			length[i] = mat.Norm(normal.RowView(i), 2)
			if length[i] > 0 {
				scaleRow(normal, i, 1/length[i])
			}
		}
		rotated.Matrix.Mul(normal, rotation(normal, tolerance))
		for i := range rows {
			scaleRow(rotated.Matrix, i, length[i])
		}
	}
	reflect(rotated.Matrix)
	order(rotated)
	return rotated
}

// rotation finds the orthogonal matrix that maximises the varimax criterion.
// The search starts where the factors are, and again from a turned position,
// since symmetric loadings are a saddle point that the first does not leave.
func rotation(x *mat.Dense, tolerance float64) *mat.Dense {
	_, columns := x.Dims()
	best, criterion := climb(x, identity(columns), tolerance)
	if t, c := climb(x, turned(columns), tolerance); c > criterion*(1+1e-6) {
		best = t
	}
	return best
}

func identity(n int) *mat.Dense {
	t := mat.NewDense(n, n, nil)
	for i := range n {
		t.Set(i, i, 1)
	}
	return t
}

// turned is a rotation by one radian, of no symmetry, in every plane of
// neighbouring factors.
func turned(n int) *mat.Dense {
	t := identity(n)
	sin, cos := math.Sincos(1)
	for j := range n - 1 {
		plane := identity(n)
		plane.Set(j, j, cos)
		plane.Set(j, j+1, -sin)
		plane.Set(j+1, j, sin)
		plane.Set(j+1, j+1, cos)
		t.Mul(t, plane)
	}
	return t
}

// climb improves an orthogonal matrix by repeated singular value
// decomposition and returns it with the criterion Σⱼ var(z²ⱼ).
func climb(x, t *mat.Dense, tolerance float64) (*mat.Dense, float64) {
	rows, columns := x.Dims()
	const rounds = 1000
	previous := 0.0
	for range rounds {
		var z, b, product mat.Dense
		z.Mul(x, t)
		b.CloneFrom(&z)
		for j := range columns {
			var mean float64
			for i := range rows {
				mean += z.At(i, j) * z.At(i, j) / float64(rows)
			}
			for i := range rows {
				v := z.At(i, j)
				b.Set(i, j, v*v*v-v*mean)
			}
		}
		product.Mul(x.T(), &b)
		var svd mat.SVD
		if !svd.Factorize(&product, mat.SVDFull) {
			break
		}
		var u, v mat.Dense
		svd.UTo(&u)
		svd.VTo(&v)
		t.Mul(&u, v.T())
		sum := 0.0
		for _, s := range svd.Values(nil) {
			sum += s
		}
		if sum < previous*(1+tolerance) {
			break
		}
		previous = sum
	}
	var z mat.Dense
	z.Mul(x, t)
	var criterion float64
	for j := range columns {
		squares := mat.Col(nil, j, &z)
		for i, v := range squares {
			squares[i] = v * v
		}
		criterion += stat.PopVariance(squares, nil)
	}
	return t, criterion
}

// promaxPower is the power to which loadings are raised to make the target.
const promaxPower = 4

// Promax rotates further and lets the factors correlate (Hendrickson & White
// 1964, power 4).
func Promax(l Loadings) Loadings {
	l = Varimax(l)
	rows, columns := l.Matrix.Dims()
	if columns < 2 {
		return l
	}
	target := mat.NewDense(rows, columns, nil)
	for i := range rows {
		for j := range columns {
			v := l.Matrix.At(i, j)
			target.Set(i, j, v*math.Pow(math.Abs(v), promaxPower-1))
		}
	}
	var u, product, inverse mat.Dense
	if u.Solve(l.Matrix, target) != nil {
		return l
	}
	product.Mul(u.T(), &u)
	if inverse.Inverse(&product) != nil {
		return l
	}
	for j := range columns {
		s := math.Sqrt(inverse.At(j, j))
		for i := range columns {
			u.Set(i, j, u.At(i, j)*s)
		}
	}
	rotated := l
	rotated.Matrix = mat.NewDense(rows, columns, nil)
	rotated.Matrix.Mul(l.Matrix, &u)
	// The factors' correlations are (UᵀU)⁻¹.
	product.Mul(u.T(), &u)
	if inverse.Inverse(&product) != nil {
		return l
	}
	rotated.Correlations = mat.NewSymDense(columns, nil)
	for i := range columns {
		for j := i; j < columns; j++ {
			rotated.Correlations.SetSym(i, j, inverse.At(i, j))
		}
	}
	return rotated
}

func scaleRow(m *mat.Dense, i int, by float64) {
	row := m.RawRowView(i)
	for j := range row {
		row[j] *= by
	}
}

// order sorts the factors by explained variance, largest first.
func order(l Loadings) {
	rows, columns := l.Matrix.Dims()
	explained := l.Explained()
	index := make([]int, columns)
	for j := range index {
		index[j] = j
	}
	slices.SortStableFunc(index, func(a, b int) int {
		switch {
		case explained[a] > explained[b]:
			return -1
		case explained[a] < explained[b]:
			return 1
		}
		return 0
	})
	copied := mat.DenseCopyOf(l.Matrix)
	for j, from := range index {
		for i := range rows {
			l.Matrix.Set(i, j, copied.At(i, from))
		}
	}
}
