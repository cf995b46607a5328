package loops

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawSizes returns six or more different sizes over a factor of 16 or more, ascending.
func drawSizes(t *rapid.T) []int {
	n := rapid.IntRange(6, 10).Draw(t, "number of sizes")
	first := rapid.IntRange(16, 64).Draw(t, "first size")
	factor := rapid.Float64Range(1.75, 2.5).Draw(t, "factor")
	sizes := make([]int, n)
	for i := range sizes {
		sizes[i] = int(float64(first) * math.Pow(factor, float64(i)))
	}
	return sizes
}

// Counts that an order and the next lower one made, rounded as counts are, are found as that order and
// predict sizes four times beyond those that were run.
func TestAPlantedOrderIsRecovered(t *testing.T) {
	t.Parallel()
	polynomial := slices.DeleteFunc(shapes(), func(s shape) bool { return s.order == Exponential })
	rapid.Check(t, func(t *rapid.T) {
		sizes := drawSizes(t)
		s := rapid.SampledFrom(polynomial).Draw(t, "order")
		factor := rapid.Float64Range(50, 500).Draw(t, "factor")
		less := rapid.Float64Range(0, 10).Draw(t, "factor of the lower order")
		count := func(n float64) float64 {
			v := factor * s.terms[0].At(n)
			if len(s.terms) > 1 {
				v += less * s.terms[1].At(n)
			}
			return v
		}
		at := func(n int) Point { return Point{n, math.Round(count(float64(n)))} }
		counts := make([]float64, len(sizes))
		for i, n := range sizes {
			counts[i] = at(n).Count
		}
		largest := sizes[len(sizes)-1]
		m := FitBeyond(sizes, counts, at(2*largest), at(4*largest))
		if m.Order != s.order || !m.Confirmed {
			t.Fatalf("counts %v at %v of %v·%s and %v times the next are fitted as %s (%s)", counts, sizes, factor, s.terms[0], less, m, m.Order)
		}
		far := 8 * float64(largest)
		if got, want := m.At(far), count(far); math.Abs(got/want-1) > .01 {
			t.Fatalf("%v·%s at %v is predicted as %v, want %v", factor, s.terms[0], far, got, want)
		}
	})
}

// Neither the order in which sizes were run nor the unit of the counts changes the order that is
// found: the relative errors are the same.
func TestTheOrderOfALoopKnowsNoUnit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sizes := drawSizes(t)
		counts, other := make([]float64, len(sizes)), make([]float64, len(sizes))
		at := make([]int, len(sizes))
		unit := rapid.Float64Range(1, 1000).Draw(t, "unit")
		order := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)).Perm(len(sizes))
		for i := range sizes {
			counts[i] = math.Pow(float64(sizes[i]), rapid.Float64Range(0, 3).Draw(t, "power"))
		}
		for i, k := range order {
			at[i], other[i] = sizes[k], unit*counts[k]
		}
		a, b := Fit(sizes, counts), Fit(at, other)
		if a.Order != b.Order || math.Abs(a.Error-b.Error) > 1e-6*math.Max(1, a.Error) {
			t.Fatalf("%s with error %v, and in other units and order %s with %v", a, a.Error, b, b.Error)
		}
		for i := range a.Factor {
			if x, y := unit*a.Factor[i], b.Factor[i]; math.Abs(x-y) > 1e-6*math.Max(math.Abs(x), 1) {
				t.Fatalf("factors %v times %v are %v", a.Factor, unit, b.Factor)
			}
		}
	})
}

// The error of a model is at most that of nothing: a loop that is left out of the model misses
// all of its counts. An order that is typed is found again.
func TestEveryModelIsBetterThanNone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sizes := drawSizes(t)
		counts := make([]float64, len(sizes))
		for i := range counts {
			counts[i] = float64(rapid.IntRange(0, 1_000_000).Draw(t, "count"))
		}
		m := Fit(sizes, counts)
		if m.Order == NoOrder {
			if !math.IsNaN(m.At(100)) || m.Error <= unclear {
				t.Fatalf("no order with an error of %v predicts %v", m.Error, m.At(100))
			}
			return
		}
		if !slices.Contains(Orders(), m.Order) || len(m.Terms) != len(m.Factor) {
			t.Fatalf("the model is %+v", m)
		}
		squares, of := 0.0, 0.0
		for i, n := range sizes {
			w := 1 / math.Max(counts[i], 1)
			squares += math.Pow(w*(m.At(float64(n))-counts[i]), 2)
			of += w * counts[i] * w * counts[i]
		}
		if squares > of*(1+1e-6) {
			t.Fatalf("%s leaves %v of %v", m, squares, of)
		}
		if typed, err := ParseOrder(strings.ReplaceAll(string(m.Order), " ", "  ")); m.Order != Constant && (err != nil || typed != m.Order) {
			t.Fatalf("%q is read as %q: %v", m.Order, typed, err)
		}
	})
}

// What recursive calls do counts where the recursion began: no function is twice in a chain, what is
// left is in the order of the calls, begins in the function in which all began, and has nothing
// more to cut.
func TestAnUnwoundChainHasNoFunctionTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		function := rapid.SampledFrom([]string{"a", "b", "c"})
		own := function.Draw(t, "own")
		var sites []string
		for range rapid.IntRange(0, 8).Draw(t, "calls") {
			sites = append(sites, function.Draw(t, "caller")+":"+rapid.SampledFrom([]string{"1", "2"}).Draw(t, "line"))
		}
		got := unwound(own, strings.Join(sites, chainSeparator))
		if again := unwound(own, got); again != got {
			t.Fatalf("%v of %s unwinds to %q, and that to %q", sites, own, got, again)
		}
		seen, left := map[string]bool{own: true}, sites
		for _, s := range strings.Split(got, chainSeparator) {
			if got == "" {
				break
			}
			if seen[caller(s)] {
				t.Fatalf("%v of %s unwinds to %q: %s is twice in it", sites, own, got, caller(s))
			}
			seen[caller(s)] = true
			at := slices.Index(left, s)
			if at < 0 {
				t.Fatalf("%v of %s unwinds to %q, which is no part of it", sites, own, got)
			}
			left = left[at+1:]
		}
		if last := len(sites) - 1; last >= 0 {
			outermost := own
			if got != "" {
				outermost = caller(got[strings.LastIndex(got, " ")+1:])
			}
			if outermost != caller(sites[last]) {
				t.Fatalf("%v of %s unwinds to %q, which begins in %s", sites, own, got, outermost)
			}
		}
	})
}
