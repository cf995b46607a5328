package loops

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shapely has loops of twelve complexities, each in a function of its own.
const shapely = `package main

import (
	"os"
	"strconv"
)

var sink int

func nFloorLog(n int) { for i := 0; i < n; i++ { for k := n; k > 1; k /= 2 { sink++ } } }
func nRoot(n int)     { for i := 0; i < n; i++ { for k := 1; k*k <= n; k++ { sink++ } } }
func root(n int)      { for k := 1; k*k <= n; k++ { sink++ } }
func eighth(n int)    { for k := 0; k < 1<<(n/8); k++ { sink++ } }
func sieve(n int) {
	composite := make([]bool, n+1)
	for p := 2; p*p <= n; p++ {
		if composite[p] { continue }
		for k := p * p; k <= n; k += p { composite[k] = true }
	}
}
func triangle(n int) { for i := 0; i < n; i++ { for k := 0; k < i; k++ { sink++ } } }

func halve(n int)      { for k := n; k > 1; k /= 2 { sink++ } }
func harmonic(n int)   { for i := 1; i <= n; i++ { for k := i; k <= n; k += i { sink++ } } }
func logSquare(n int)  { for a := n; a > 1; a /= 2 { for b := n; b > 1; b /= 2 { sink++ } } }
func pyramid(n int)    { for i := 0; i < n; i++ { for j := 0; j <= i; j++ { for k := 0; k <= j; k++ { sink++ } } } }
func squareRoot(n int) { for i := 0; i < n*n; i++ { for k := 1; k*k <= n; k++ { sink++ } } }
func collatz(n int)    { for k := n*7 + 1; k != 1; { if k%2 == 0 { k /= 2 } else { k = 3*k + 1 } } }

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	if os.Args[2] == "steep" { // larger sizes take for ever
		eighth(n); pyramid(n); squareRoot(n)
		return
	}
	nFloorLog(n); nRoot(n); root(n); sieve(n); triangle(n); halve(n); harmonic(n); logSquare(n); collatz(n)
}
`

// The complexities follow from the loops: Σ over p prime of n/p is n log log n
// (Mertens), Σ n/i is n log n (harmonic series), Σ Σ j is n³/6; how long a Collatz
// sequence is nobody knows.
func TestShapesOfLoopsAreFoundOrRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/shapely\n\ngo 1.26\n", "main.go": shapely} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	inner := map[string]Model{} // the loop of a function that stands last
	var warnings []string
	for _, part := range []string{"steep", "flat"} {
		r, err := Count(context.Background(), Plan{Program: dir, Args: []string{SizePlaceholder, part}, Sizes: []int{16, 32, 48, 64, 80, 96}})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range r.Loops {
			inner[strings.TrimPrefix(l.Function, "main.")] = l.Model
			t.Logf("%-10s %-12s %s (beyond, to %d: %.3g)", l.Function, l.Model.Order, l.Model, slices.Max(r.Beyond), l.Model.Beyond)
		}
		warnings = append(warnings, r.Warnings...)
	}
	for function, want := range map[string]Order{"nFloorLog": NLogN, "nRoot": NRoot, "root": Root, "eighth": Exponential, "sieve": NLogLog, "triangle": Square,
		"halve": Log, "harmonic": NLogN, "logSquare": LogSquare, "pyramid": Cube, "squareRoot": SquareRoot, "collatz": NoOrder} {
		if got := inner[function]; got.Order != want || got.Confirmed != (want != NoOrder) {
			t.Errorf("%s is %s (%s), want %s", function, got.Order, got, want)
		}
	}
	// n⌊log₂ n⌋ at 1000 is 9000; 2^(n/8) at 320 is 2⁴⁰.
	if got := inner["nFloorLog"].At(1000); math.Abs(got-9000) > 1 {
		t.Errorf("n⌊log₂ n⌋ at 1000 is predicted as %g, want 9000", got)
	}
	if got := inner["eighth"].At(320); math.Abs(got/math.Exp2(40)-1) > 0.01 {
		t.Errorf("2^(n/8) at 320 is predicted as %g, want 2⁴⁰", got)
	}
	if !strings.Contains(strings.Join(warnings, "\n"), "collatz") {
		t.Errorf("nothing is said of the Collatz sequence: %q", warnings)
	}
}
