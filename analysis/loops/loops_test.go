package loops

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const kernels = `package main

import (
	"flag"
	"math/rand/v2"
	"os"
)

func multiply(a, b [][]float64) [][]float64 {
	n := len(a)
	c := make([][]float64, n)
	for i := range c {
		c[i] = make([]float64, n)
		for j := range c[i] {
			for k := range n {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

func flat(a [][]float64) (v []float64) {
	for _, row := range a {
		v = append(v, row...)
	}
	return v
}

// sort is a heap sort.
func sort(v []float64) {
	down := func(i, n int) {
		for {
			c := 2*i + 1
			if c >= n {
				return
			}
			if c+1 < n && v[c+1] > v[c] {
				c++
			}
			if v[i] >= v[c] {
				return
			}
			v[i], v[c] = v[c], v[i]
			i = c
		}
	}
	for i := len(v)/2 - 1; i >= 0; i-- {
		down(i, len(v))
	}
	for i := len(v) - 1; i > 0; i-- {
		v[0], v[i] = v[i], v[0]
		down(0, i)
	}
}

func triangle(n int) (s int) {
outer:
	for i := 0; i < n; i++ {
		for j := 0; ; j++ {
			if j == i {
				continue outer
			}
			s++
		}
	}
	return s
}

func main() {
	n := flag.Int("n", 1, "size")
	flag.Parse()
	if *n > 1000 {
		os.Exit(1)
	}
	random := rand.New(rand.NewPCG(1, 2)) // chance could make n log n look like n² once in a while
	a := make([][]float64, *n)
	for i := range a {
		a[i] = make([]float64, *n)
		for j := range a[i] {
			a[i][j] = random.Float64()
		}
	}
	c := multiply(a, a)
	x := sum(c[0])
	x += sum(flat(c))
	sort(c[0])
	sort(flat(c))
	triangle(*n)
	if x > 0 {
		os.Exit(0)
	}
}
`

func subject(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/kernels\n\ngo 1.26\n", "main.go": kernels} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Matrix multiplication has n³ iterations, a sum those of what its caller gives
// it, a heap sort m log m of m elements, a triangle n²/2: known from textbooks.
func TestComplexitiesAreFoundPerChainOfCallers(t *testing.T) {
	t.Parallel()
	r, err := Count(context.Background(), Plan{Program: subject(t), Args: []string{"-n", SizePlaceholder}, Sizes: []int{16, 32, 48, 64, 80, 96, 2000}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Failed) != 1 || !strings.Contains(r.Failed[0], "size 2000: the program failed with exit status 1") {
		t.Errorf("failures %q, want that of size 2000, and the rest to continue", r.Failed)
	}
	found := map[string][]Order{}
	for _, l := range r.Loops {
		found[l.Function] = append(found[l.Function], l.Model.Order)
		t.Logf("%s:%d %-40s %s", l.Function, l.Line, l.Chain, l.Model)
	}
	for function, want := range map[string][]Order{
		"main.multiply": {LinearN, Square, Cube}, "main.sum": {LinearN, Square}, "main.triangle": {LinearN, Square}, "main.flat": {LinearN, LinearN},
	} {
		if got := found[function]; strings.Join(text(got), ", ") != strings.Join(text(want), ", ") {
			t.Errorf("the loops of %s have %q iterations, want %q", function, got, want)
		}
	}
	// The two calls of sort have n and n² elements.
	sorts := strings.Join(text(found["main.sort"]), ", ")
	if !strings.Contains(sorts, string(NLogN)) || !strings.Contains(sorts, string(SquareLog)) {
		t.Errorf("the loops of main.sort have %s iterations, want n log n and, for n² elements, n² log n", sorts)
	}
}

func text(orders []Order) (out []string) {
	for _, o := range orders {
		out = append(out, string(o))
	}
	return out
}

// A loop may be exponential in its size: only small ones can be run.
func TestExponentialsAreFoundFromSmallSizes(t *testing.T) {
	t.Parallel()
	sizes := []int{8, 10, 12, 14, 16, 18}
	for base, rate := range map[float64]float64{2: 1, 3: math.Log2(3), (1 + math.Sqrt(5)) / 2: 0.694242} {
		count := func(n int) float64 { return math.Round(5*math.Pow(base, float64(n)) + 3) }
		var counts []float64
		for _, n := range sizes {
			counts = append(counts, count(n))
		}
		m := FitBeyond(sizes, counts, Point{20, count(20)}, Point{23, count(23)})
		if m.Order != Exponential || math.Abs(m.Rate-rate) > 1e-3 || math.Abs(m.At(40)/count(40)-1) > 0.02 {
			t.Errorf("5·%.3gⁿ + 3 is fitted as %s; want the rate %.4g", base, m, rate)
		}
	}
}

// A loop whose counts jump about fits a high order by chance.
func TestTheComplexityIsThatOfTheLoopsThatFollowAnOrder(t *testing.T) {
	t.Parallel()
	r := Result{Loops: []Loop{{Model: Model{Order: LinearN, Error: 0.01}}, {Model: Model{Error: 0.4}}, {Model: Model{Order: Constant}}}}
	if got := r.Highest(); got != LinearN {
		t.Errorf("the highest order is %s, want n: the other loop has no order", got)
	}
}

func TestWhatCannotBeCountedIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := Count(context.Background(), Plan{Program: ".", Args: []string{"-n", "5"}}); err == nil || !strings.Contains(err.Error(), "{n}") {
		t.Errorf("without a size: error %v", err)
	}
	if _, err := Count(context.Background(), Plan{Program: subject(t), Args: []string{SizePlaceholder, "-x"}, Sizes: []int{1, 2}}); err == nil || !strings.Contains(err.Error(), "at least 5") {
		t.Errorf("with two sizes: error %v", err)
	}
}
