package factor

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// ability is the covariance matrix of six ability tests given to 112 people
// (Bartholomew 1987, p. 48, from Smith & Stanley 1983; data set ability.cov of
// R): general, picture, blocks, maze, reading, vocabulary.
func ability() *mat.SymDense {
	covariance := mat.NewSymDense(6, []float64{
		24.641, 5.991, 33.520, 6.023, 20.755, 29.701,
		5.991, 6.700, 18.137, 1.782, 4.936, 7.204,
		33.520, 18.137, 149.831, 19.424, 31.430, 50.753,
		6.023, 1.782, 19.424, 12.711, 4.757, 9.075,
		20.755, 4.936, 31.430, 4.757, 52.604, 66.762,
		29.701, 7.204, 50.753, 9.075, 66.762, 135.292,
	})
	r := mat.NewSymDense(6, nil)
	for i := range 6 {
		for j := i; j < 6; j++ {
			r.SetSym(i, j, covariance.At(i, j)/math.Sqrt(covariance.At(i, i)*covariance.At(j, j)))
		}
	}
	return r
}

// rotatedAsInR is varimax of R's package stats: repeated singular value decomposition, which stops
// when the sum of the singular values grows by less than 1e-5, a little short of the maximum.
func rotatedAsInR(t *testing.T, loadings *mat.Dense) *mat.Dense {
	rows, columns := loadings.Dims()
	x := mat.DenseCopyOf(loadings)
	for i := range rows {
		scaleRow(x, i, 1/mat.Norm(loadings.RowView(i), 2))
	}
	turn := identity(columns)
	for previous, sum := 0.0, 1.0; sum >= previous*(1+1e-5); {
		previous = sum
		var z, b, product, u, v mat.Dense
		z.Mul(x, turn)
		b.CloneFrom(&z)
		for j := range columns {
			square := mat.Dot(z.ColView(j), z.ColView(j)) / float64(rows)
			for i := range rows {
				b.Set(i, j, math.Pow(z.At(i, j), 3)-z.At(i, j)*square)
			}
		}
		product.Mul(x.T(), &b)
		var svd mat.SVD
		if !svd.Factorize(&product, mat.SVDFull) {
			t.Fatal("no singular values")
		}
		svd.UTo(&u)
		svd.VTo(&v)
		turn.Mul(&u, v.T())
		sum = mat.Sum(mat.NewVecDense(columns, svd.Values(nil)))
	}
	var rotated mat.Dense
	rotated.Mul(loadings, turn)
	reflect(&rotated)
	order(Loadings{Matrix: &rotated})
	return &rotated
}

// The published maximum-likelihood solution with two factors after varimax:
// output of factanal(factors = 2, covmat = ability.cov) in the R manual. Ours goes on to the maximum,
// where loadings differ in the third digit only.
func TestMaximumLikelihoodGivesThePublishedLoadingsOfTheAbilityTests(t *testing.T) {
	t.Parallel()
	l, err := Extract(ability(), 2, MaximumLikelihood)
	if err != nil {
		t.Fatal(err)
	}
	early, full := rotatedAsInR(t, l.Matrix), Varimax(l).Matrix
	uniqueness := []float64{0.455, 0.589, 0.218, 0.769, 0.052, 0.334}
	loadings := [][2]float64{{0.499, 0.543}, {0.156, 0.622}, {0.206, 0.860}, {0.109, 0.468}, {0.956, 0.182}, {0.785, 0.225}}
	for i, want := range loadings {
		if math.Abs(l.Uniqueness[i]-uniqueness[i]) > 0.0006 {
			t.Errorf("uniqueness of test %d is %.4f, published %.3f", i, l.Uniqueness[i], uniqueness[i])
		}
		for j := range want {
			if got := early.At(i, j); math.Abs(got-want[j]) > 0.0006 {
				t.Errorf("loading of test %d on factor %d is %.4f, published %.3f", i, j+1, got, want[j])
			}
			if got := full.At(i, j); math.Abs(got-want[j]) > 0.01 {
				t.Errorf("loading of test %d on factor %d is %.4f at the maximum, published %.3f", i, j+1, got, want[j])
			}
		}
	}
	if a, b := kaiser(early), kaiser(full); b < a {
		t.Errorf("the criterion is %.9f at convergence and %.9f at the early stop", b, a)
	}
}

// The published maximum-likelihood solution, unrotated, of the correlations of
// marks in six school subjects of 220 boys (Lawley & Maxwell 1971; Johnson &
// Wichern, Applied Multivariate Statistical Analysis, example 9.8, table 9.5):
// Gaelic, English, history, arithmetic, algebra, geometry.
func TestMaximumLikelihoodGivesThePublishedLoadingsOfTheExaminations(t *testing.T) {
	t.Parallel()
	r := mat.NewSymDense(6, []float64{
		1, .439, .410, .288, .329, .248,
		.439, 1, .351, .354, .320, .329,
		.410, .351, 1, .164, .190, .181,
		.288, .354, .164, 1, .595, .470,
		.329, .320, .190, .595, 1, .464,
		.248, .329, .181, .470, .464, 1,
	})
	l, err := Extract(r, 2, MaximumLikelihood)
	if err != nil {
		t.Fatal(err)
	}
	published := [][3]float64{{.553, .429, .490}, {.568, .288, .406}, {.392, .450, .356}, {.740, -.273, .623}, {.724, -.211, .569}, {.595, -.132, .372}}
	for i, want := range published {
		got := [3]float64{l.Matrix.At(i, 0), l.Matrix.At(i, 1), 1 - l.Uniqueness[i]}
		for k := range want {
			if math.Abs(got[k]-want[k]) > 0.0011 {
				t.Errorf("subject %d: loadings and communality %.4f, published %.3f", i+1, got, want)
				break
			}
		}
	}
}
