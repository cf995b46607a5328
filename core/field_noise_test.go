package core_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"tierscope/core"
)

// A check whose measurement may be off by as much as models are tells half as much as one that is known, and one of which nothing is
// known tells nothing: the interval is that of a model that nobody checked.
func TestANoisyCheckTellsLess(t *testing.T) {
	t.Parallel()
	seen := func(noise float64) *core.Field {
		return alike.Field([]core.Checked{{At: workers(2), Off: .1, Runs: 1, Noise: noise}})
	}
	mean, half := seen(.05).At(workers(2))
	if want := .1 / 2.2; math.Abs(mean-want) > 1e-12 {
		t.Errorf("the error is %g, want %g", mean, want)
	}
	if want := 1.959964 * .05 * math.Sqrt(1-1/2.2); math.Abs(half-want) > 1e-6 {
		t.Errorf("known to ±%g, want ±%g", half, want)
	}
	_, nothing := law.Field(nil).At(workers(2))
	mean, half = law.Field([]core.Checked{{At: workers(2), Off: 2, Runs: 3, Noise: core.MostOff}}).At(workers(2))
	if math.Abs(mean) > 1e-3 || math.Abs(half/nothing-1) > 2e-3 {
		t.Errorf("a check that says nothing tells of %g ± %g, want 0 ± %g", mean, half, nothing)
	}
}

// Programs drawn of the law, held against a clear check and one that is known to ±30 %: 95 % of the errors elsewhere are inside. Who took the
// second for a clear one would have too many outside.
func TestIntervalsAfterNoisyChecksContainErrors(t *testing.T) {
	t.Parallel()
	const draws, noise = 4000, .3 // a standard error of 0.0034
	random := rand.New(rand.NewPCG(7, 7))
	inside, trusting := 0, 0
	for range draws {
		scale := law.Scale * math.Exp(law.Spread*random.NormFloat64())
		common, here, there := random.NormFloat64(), random.NormFloat64(), random.NormFloat64()
		error := func(own float64) float64 { // alike in nothing but the common part, so far apart are they
			return scale * (math.Sqrt(law.Common)*common + math.Sqrt(1-law.Common)*own)
		}
		near := scale * math.Sqrt(law.Noise) * random.NormFloat64()
		clear := core.Checked{At: workers(1), Off: error(here) + near, Runs: 1}
		vague := core.Checked{At: workers(1 << 40), Off: error(there) + scale*math.Sqrt(law.Noise)*random.NormFloat64() + noise*random.NormFloat64(), Runs: 1, Noise: noise}
		truth := error(there)
		contains := func(c core.Checked) int {
			if mean, half := law.Field([]core.Checked{clear, c}).At(c.At); math.Abs(truth-mean) < half {
				return 1
			}
			return 0
		}
		inside += contains(vague)
		vague.Noise = 0
		trusting += contains(vague)
	}
	if share := float64(inside) / draws; math.Abs(share-.95) > .012 {
		t.Errorf("%.3f of the errors are inside, want 0.95", share)
	}
	if share := float64(trusting) / draws; share > .9 {
		t.Errorf("%.3f are inside where the noise is not counted: the test shows nothing", share)
	}
}
