package demand

import (
	"math"
	"math/rand/v2"
	"testing"
)

// served are busy periods of a server on one core, after exponential pauses of 1 ms: each has 0.5 ms to
// compute, by a normal error of a tenth, and twice as long the first while on a cold core, if slow is 1: 0.2 ms after
// long idleness, of which 1 ms forgets all but 1/e.
func served(random *rand.Rand, n int, slow float64) []BusyPeriod {
	const expected, work, after = 0.5e6, 0.2e6, 1e6
	periods := make([]BusyPeriod, n)
	for i := range periods {
		periods[i] = BusyPeriod{Idle: int64(1e6 * random.ExpFloat64()), Expected: expected, Counts: true}
	}
	coldWork(periods, 1, work, after)
	for i := range periods {
		p := &periods[i]
		p.cost = expected*(1+0.1*random.NormFloat64()) + slow*p.cold
	}
	return periods
}

// Costs that do not depend on idleness show none to 95 of 100 servers; what doubles the cost of the
// first 0.2 ms of cold work, up to two fifths of a request, is found by all of them.
func TestOnlyCostsThatFallWithTheLoadAreColdness(t *testing.T) {
	t.Parallel()
	for _, n := range []int{coldLeast, 1000} {
		wrong := 0
		for seed := range uint64(100) {
			if fitColdness(served(rand.New(rand.NewPCG(seed, 1)), n, 0), 1).extra > 0 {
				wrong++
			}
			f := fitColdness(served(rand.New(rand.NewPCG(seed, 2)), n, 1), 1)
			if f.extra == 0 {
				t.Errorf("of %d busy periods, with seed %d, no coldness is found", n, seed)
			}
			if most := f.extra * f.work; n == 1000 && math.Abs(most/0.2e6-1) > 0.5 {
				t.Errorf("of %d busy periods, with seed %d, a cold core costs %.3g ms more, want 0.2", n, seed, most*1e-6)
			}
		}
		if wrong > 5 {
			t.Errorf("of %d busy periods, %d of 100 servers have coldness where there is none", n, wrong)
		}
	}
}
