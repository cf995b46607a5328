// Boxedlu is the LU decomposition of a matrix of boxed numbers: every
// multiplication allocates, and the matrix is replaced row by row. It shows how
// a memory limit (GOMEMLIMIT) makes the collector thrash. One argument, the
// order n of the matrix.
package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
)

// number is an immutable number behind an interface.
type number interface{ value() float64 }

type real struct{ v float64 }

func (r *real) value() float64 { return r.v }

func minus(a, b number) number { return &real{a.value() - b.value()} }
func times(a, b number) number { return &real{a.value() * b.value()} }

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: boxedlu N")
		os.Exit(2)
	}
	n, err := strconv.Atoi(os.Args[1])
	if err != nil || n < 1 {
		fmt.Fprintf(os.Stderr, "boxedlu: %q: want the order of a matrix\n", os.Args[1])
		os.Exit(2)
	}
	random := rand.New(rand.NewPCG(7, 0))
	a := make([][]number, n)
	for i := range a {
		a[i] = make([]number, n)
		for j := range a[i] {
			a[i][j] = &real{random.Float64()}
		}
		a[i][i] = &real{float64(n)}
	}
	for k := range n {
		for i := k + 1; i < n; i++ {
			a[i] = eliminated(a[i], a[k], k)
		}
	}
	log := 0.0
	for i := range a {
		log += math.Log(math.Abs(a[i][i].value()))
	}
	fmt.Println("log |det| =", log)
}

// eliminated returns a row without its component along the pivot's column k.
func eliminated(from, pivot []number, k int) []number {
	factor := &real{from[k].value() / pivot[k].value()}
	row := make([]number, len(from))
	copy(row, from[:k])
	row[k] = factor
	for j := k + 1; j < len(row); j++ {
		row[j] = minus(from[j], times(factor, pivot[j]))
	}
	return row
}
