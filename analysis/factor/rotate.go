package factor

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Varimax rotates the factors, keeping them uncorrelated, so that each
// variable loads on few (Kaiser 1958, with Kaiser's normalisation). Factors
// come in the order of the variance they explain.
func Varimax(l Loadings) Loadings {
	rows, _ := l.Matrix.Dims()
	rotated := l
	rotated.Matrix = mat.DenseCopyOf(l.Matrix)
	length := make([]float64, rows)
	for i := range rows {
		length[i] = mat.Norm(l.Matrix.RowView(i), 2)
		if length[i] > 0 {
			scaleRow(rotated.Matrix, i, 1/length[i])
		}
	}
	rotate(rotated.Matrix)
	for i := range rows {
		scaleRow(rotated.Matrix, i, length[i])
	}
	reflect(rotated.Matrix)
	order(rotated)
	return rotated
}

// rotate maximises the varimax criterion Σⱼ var(z²ⱼ) by turns of two factors at a
// time, each to the angle that is best for the two, until none turns any more. No turn lowers
// the criterion, which repeated singular value decomposition may do.
func rotate(z *mat.Dense) {
	_, columns := z.Dims()
	const sweeps, still = 1000, 1e-9 // radians
	for range sweeps {
		turned := false
		for j := range columns {
			for k := range j {
				if angle := bestAngle(z, k, j); math.Abs(angle) > still {
					turn(z, k, j, angle)
					turned = true
				}
			}
		}
		if !turned {
			return
		}
	}
}

// bestAngle is by how much two factors have to be turned (Kaiser 1958, eq. 8); 0 if
// the criterion is the same at every angle, but for rounding.
func bestAngle(z *mat.Dense, j, k int) float64 {
	rows, _ := z.Dims()
	var a, b, c, d float64
	for i := range rows {
		x, y := z.At(i, j), z.At(i, k)
		u, v := x*x-y*y, 2*x*y
		a, b, c, d = a+u, b+v, c+u*u-v*v, d+2*u*v
	}
	n := float64(rows)
	sin, cos := d-2*a*b/n, c-(a*a-b*b)/n
	if math.Hypot(sin, cos) < 1e-12*n {
		return 0
	}
	return math.Atan2(sin, cos) / 4
}

func turn(z *mat.Dense, j, k int, angle float64) {
	rows, _ := z.Dims()
	sin, cos := math.Sincos(angle)
	for i := range rows {
		x, y := z.At(i, j), z.At(i, k)
		z.Set(i, j, x*cos+y*sin)
		z.Set(i, k, y*cos-x*sin)
	}
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
