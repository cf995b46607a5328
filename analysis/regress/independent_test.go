package regress_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tierscope/analysis/regress"
)

// The reference implementations of this file follow the paper's words with the
// plainest means: Gaussian elimination of the normal equations instead of a
// singular value decomposition, and every split tried by counting.

// plainFit solves the weighted normal equations by elimination.
func plainFit(x [][]float64, y []float64) []float64 {
	k := len(x[0])
	a := make([][]float64, k)
	for i := range a {
		a[i] = make([]float64, k+1)
		for r := range x {
			w := 1 / (y[r] * y[r])
			for j := range k {
				a[i][j] += w * x[r][i] * x[r][j]
			}
			a[i][k] += w * x[r][i] * y[r]
		}
	}
	for i := range k {
		pivot := i
		for r := i + 1; r < k; r++ {
			if math.Abs(a[r][i]) > math.Abs(a[pivot][i]) {
				pivot = r
			}
		}
		a[i], a[pivot] = a[pivot], a[i]
		for r := range k {
			if r != i {
				f := a[r][i] / a[i][i]
				for j := i; j <= k; j++ {
					a[r][j] -= f * a[i][j]
				}
			}
		}
	}
	b := make([]float64, k)
	for i := range b {
		b[i] = a[i][k] / a[i][i]
	}
	return b
}

// plainAccuracy is 4-fold cross-validated: row i is in fold i mod 4.
func plainAccuracy(columns [][]float64, y []float64) float64 {
	row := func(i int) []float64 {
		out := []float64{1}
		for _, c := range columns {
			out = append(out, c[i])
		}
		return out
	}
	var sum float64
	for f := range 4 {
		var x [][]float64
		var seen []float64
		for i := range y {
			if i%4 != f {
				x, seen = append(x, row(i)), append(seen, y[i])
			}
		}
		b := plainFit(x, seen)
		for i := range y {
			if i%4 == f {
				var p float64
				for j, v := range row(i) {
					p += b[j] * v
				}
				sum += max(0, 1-math.Abs(y[i]-p)/y[i])
			}
		}
	}
	return sum / float64(len(y))
}

// Forward stepwise selection finds the same terms and coefficients as the plain
// reference on tables of three variables with noise, for 20 tables.
func TestStepwiseSelectionAgreesWithAPlainImplementation(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 2))
		var samples []regress.Sample
		var y []float64
		columns := map[string][]float64{}
		for range 40 {
			v := map[string]float64{"a": 1 + 9*random.Float64(), "b": 1 + 9*random.Float64(), "c": 1 + 9*random.Float64()}
			n := float64(1 + random.IntN(8))
			value := 50 + 20*v["a"]/n + 3*v["b"]*(0.8+0.4*random.Float64())
			samples = append(samples, regress.Sample{Variables: v, Threads: n, Y: value})
			y = append(y, value)
			for _, name := range []string{"a", "b", "c"} {
				columns[name] = append(columns[name], v[name])
				columns[name+"/n"] = append(columns[name+"/n"], v[name]/n)
			}
		}
		// The group {I, I/n} alone: the target lies just below what it reaches.
		var chosen []string
		of := func(names []string) (out [][]float64) {
			for _, name := range names {
				out = append(out, columns[name])
			}
			return out
		}
		best := plainAccuracy(nil, y)
		for len(chosen) < 6 {
			winner, gain := "", best+2e-3
			for _, name := range []string{"a", "a/n", "b", "b/n", "c", "c/n"} {
				if slices.Contains(chosen, name) {
					continue
				}
				if a := plainAccuracy(of(append(slices.Clone(chosen), name)), y); a > gain {
					winner, gain = name, a
				}
			}
			if winner == "" {
				break
			}
			chosen, best = append(chosen, winner), gain
		}
		m, err := regress.Fit(samples, regress.Options{Ladder: []float64{best - 1e-9}})
		if err != nil {
			t.Fatal(err)
		}
		var x [][]float64
		for i := range y {
			row := []float64{1}
			for _, name := range chosen {
				row = append(row, columns[name][i])
			}
			x = append(x, row)
		}
		want := plainFit(x, y)
		var got []string
		for _, term := range m.Terms {
			got = append(got, term.String())
		}
		if !slices.Equal(got, chosen) || math.Abs(m.CrossValidated-best) > 1e-9 {
			t.Fatalf("table %d: terms %v with accuracy %.6f, the plain implementation %v with %.6f", seed, got, m.CrossValidated, chosen, best)
		}
		for k := range want {
			if math.Abs(m.Coefficients[k]-want[k]) > 1e-6*math.Abs(want[k]) {
				t.Errorf("table %d: coefficient %d is %g, of the plain implementation %g", seed, k, m.Coefficients[k], want[k])
			}
		}
	}
}

// plainTree grows CART on one variable by trying every threshold, and returns
// the prediction for x: a leaf is the value of least squared relative error.
func plainTree(x, y []float64, at float64, levels int) float64 {
	error2 := func(v []float64) float64 {
		var mean, sum float64
		for _, e := range v {
			mean += e / float64(len(v))
		}
		for _, e := range v {
			sum += (e - mean) * (e - mean)
		}
		return sum
	}
	best, threshold := 0.0, 0.0
	sorted := slices.Sorted(slices.Values(x))
	for i := 1; i < len(sorted) && levels > 0; i++ {
		if sorted[i] == sorted[i-1] {
			continue
		}
		c := (sorted[i] + sorted[i-1]) / 2
		var low, high []float64
		for j, v := range x {
			if v <= c {
				low = append(low, y[j])
			} else {
				high = append(high, y[j])
			}
		}
		if gain := error2(y) - error2(low) - error2(high); gain > best*(1+1e-9)+1e-9 {
			best, threshold = gain, c
		}
	}
	if best == 0 {
		var inverse, square float64
		for _, v := range y {
			inverse, square = inverse+1/v, square+1/(v*v)
		}
		return inverse / square
	}
	var lx, ly []float64
	for j, v := range x {
		if (v <= threshold) == (at <= threshold) {
			lx, ly = append(lx, v), append(ly, y[j])
		}
	}
	return plainTree(lx, ly, at, levels-1)
}

// A regression tree predicts what the plain reference predicts. The behaviour is
// a staircase, which no formula of the pool reaches.
func TestTreesAgreeWithAPlainImplementation(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(9, 9))
	var samples []regress.Sample
	var x, y []float64
	for range 80 {
		v := 100 * random.Float64()
		value := []float64{10, 400, 30, 900, 5}[int(v/20)]
		samples = append(samples, regress.Sample{Variables: map[string]float64{"size": v}, Threads: 1, Y: value})
		x, y = append(x, v), append(y, value)
	}
	m, err := regress.Fit(samples, regress.Options{})
	if err != nil || m.Form != regress.TreeForm {
		t.Fatalf("a staircase is fitted by %s, %v", m.Form, err)
	}
	for i := range samples {
		at := samples[i].Variables["size"]
		if got, want := m.Predict(samples[i].Variables, 1), plainTree(x, y, at, 10); math.Abs(got-want) > 1e-9*want {
			t.Errorf("at %.2f the tree predicts %g, the plain implementation %g", at, got, want)
		}
	}
}
