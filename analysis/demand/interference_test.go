package demand

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Whatever company computations had, what they took with a slowdown gives the slowdown, and
// more company or a larger slowdown takes longer, but never more than 1 + s times as long.
func TestTheSlowdownIsTheOneThatExplainsTheSum(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &withCompany{had: rapid.SliceOfN(rapid.Float64Range(0.01, 1), 1, 20).Draw(t, "shares of company")}
		for range w.had {
			w.cpu = append(w.cpu, rapid.Float64Range(1, 1e9).Draw(t, "ns"))
		}
		s := rapid.Float64Range(0, slowdownMost).Draw(t, "slowdown")
		factor := w.longer(s)
		if factor < 1 || factor > (1+s)*(1+1e-9) || w.longer(s/2) > factor*(1+1e-9) {
			t.Fatalf("it takes %g times as long with a slowdown of %g, %g times with half of it", factor, s, w.longer(s/2))
		}
		if got := w.slowdown(factor, slowdownMost); math.Abs(got-s) > 1e-6 {
			t.Fatalf("the slowdown that takes %g times as long is %g, want %g", factor, got, s)
		}
	})
}
