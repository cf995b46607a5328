package java

import "testing"

// Between two readings the CPU time grows evenly: of what compilers and all
// threads had used, 30 and 60 ns at 200, 50 and 80 at 300, they had 40 and 70 half
// way. Before the first reading nothing is known, after the last nothing is added.
func TestTheAccountOfAMomentIsBetweenThoseOfTwoReadings(t *testing.T) {
	t.Parallel()
	a := &account{reads: []reading{{time: 100, all: 10, compiler: 7}, {time: 200, all: 60, compiler: 30, garbage: 4}, {time: 300, all: 80, compiler: 50, garbage: 8}}}
	for _, c := range []struct {
		moment                 int64
		all, compiler, garbage int64
	}{{50, 0, 0, 0}, {100, 10, 7, 0}, {250, 70, 40, 6}, {300, 80, 50, 8}, {400, 80, 50, 8}} {
		if got := a.at(c.moment); got.all != c.all || got.compiler != c.compiler || got.garbage != c.garbage {
			t.Errorf("at %d: %+v, want %d, %d and %d ns", c.moment, got, c.all, c.compiler, c.garbage)
		}
	}
}
