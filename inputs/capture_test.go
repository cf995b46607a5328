package inputs

import "testing"

// Runs of a few milliseconds are made several times in a round, as those of a program that does nothing are.
func TestShortRunsAreMadeMoreOften(t *testing.T) {
	t.Parallel()
	for first, want := range map[float64]int{0.001: starts, 0.0065: 5, 0.025: 1, 3: 1} {
		if n := inARound([]float64{first, 1}); n != want {
			t.Errorf("a program whose first run takes %g s is run %d times in a round, want %d", first, n, want)
		}
	}
	if n := inARound(nil); n != 1 {
		t.Errorf("a program that has not run is run %d times first, want once", n)
	}
}
