package processor

import (
	"math"
	"testing"

	"tierscope/simulation/des"
)

// Cores that are used for a share of the time, turn by turn, have that utilization after many half-lives, and the kernel looks at
// n·(1 − (1.17 x)²) of them for an idle one: at none of two that are used for more than 60.4 % of the time, of four for more than 74 %.
func TestHowFarTheKernelLooksForAnIdleCore(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		cores int
		used  float64
		far   int32
	}{
		{2, 0, 2}, {2, .5, 1}, {2, .6, 1}, {2, .61, 0}, {2, 1, 0}, {4, .73, 1}, {4, .75, 0}, {8, .5, 5}, {64, .9, 0}, {1, .5, 0},
	} {
		l := newLoads(x.cores)
		const period = 100 * des.Microsecond
		for k := range des.Time(10_000) {
			for i := range l.cores {
				l.cores[i].starts(k * period)
				l.cores[i].stops(k*period + des.Time(x.used*float64(period)))
			}
			if k%40 == 39 {
				l.update((k + 1) * period)
			}
		}
		for i := range l.cores {
			if got := l.cores[i].value; math.Abs(got-x.used) > 1e-9 {
				t.Errorf("%d cores used for %g of the time: core %d has %g", x.cores, x.used, i, got)
			}
		}
		if l.far != x.far {
			t.Errorf("%d cores used for %g of the time: it looks at %d, want %d", x.cores, x.used, l.far, x.far)
		}
	}
}

// A core that begins to compute has half of its utilization after 32 periods of 1024 µs, and three quarters after twice as long,
// however often that is looked at.
func TestTheUtilizationOfACoreHasAHalfLife(t *testing.T) {
	t.Parallel()
	for _, looks := range []des.Time{1, 2, 7, 64} {
		l := newLoads(1)
		l.cores[0].starts(0)
		for k := range looks {
			l.update((k + 1) * 2 * loadHalfLife / looks)
		}
		if got := l.cores[0].value; math.Abs(got-.75) > 1e-6 {
			t.Errorf("after two half-lives, seen %d times, it is %g, want 3/4", looks, got)
		}
	}
}
