package loops

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const twoSizes = `package main

import (
	"os"
	"strconv"
)

var sink int

func product(n, m int) { for i := 0; i < n; i++ { for j := 0; j < m; j++ { for k := 0; k < m; k++ { sink++ } } } }
func sum(n, m int)     { for i := 0; i < n*n+3*m; i++ { sink++ } }
func search(n, m int)  { for i := 0; i < m; i++ { for k := n; k > 1; k /= 2 { sink++ } } }
func odd(n, m int)     { for i := 0; i < n*7919%101+m*104729%97; i++ { sink++ } }

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	m, _ := strconv.Atoi(os.Args[2])
	product(n, m); sum(n, m); search(n, m); odd(n, m)
}
`

// The counts follow from the loops: n·m², n² + 3m, m⌊log₂ n⌋, and remainders, which have
// no order.
func TestLoopsOfTwoSizesHaveProductsAndSums(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/two\n\ngo 1.26\n", "main.go": twoSizes} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := CountMany(context.Background(), Plan{Program: dir, Args: []string{"{n}", "{m}"}},
		[]Variable{{"n", []int{8, 12, 16, 24, 32, 48}}, {"m", []int{6, 10, 16, 20, 30, 40}}})
	if err != nil {
		t.Fatal(err)
	}
	inner := map[string]Many{}
	for _, l := range r.Loops {
		inner[strings.TrimPrefix(l.Function, "main.")] = l.Model
		t.Logf("%-8s %-12s %s (beyond %.3g)", l.Function, l.Model.Order, l.Model, l.Model.Beyond)
	}
	for function, want := range map[string]struct {
		order string
		count func(n, m float64) float64
	}{
		"product": {"n·m²", func(n, m float64) float64 { return n * m * m }},
		"sum":     {"n²", func(n, m float64) float64 { return n*n + 3*m }},
		"search":  {"⌊log₂ n⌋·m", func(n, m float64) float64 { return m * math.Floor(math.Log2(n)) }},
		"odd":     {"", nil},
	} {
		got := inner[function]
		if got.Order != want.order || got.Confirmed != (want.count != nil) {
			t.Errorf("%s is %q (%s), want %q", function, got.Order, got, want.order)
			continue
		}
		if want.count != nil {
			if at, exact := got.At([]float64{200, 300}), want.count(200, 300); math.Abs(at/exact-1) > 0.01 {
				t.Errorf("%s at n = 200, m = 300 is %g, want %g", function, at, exact)
			}
		}
	}
}
