package demand

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

// madeRuns are runs of a program as a front end makes them: n recorded ones on all cores and on one,
// of which the threads' time is compared, n plain ones and the one that becomes the model, all with the same
// spread of the logarithm. Company multiplies the threads' time, probes the recorded run's.
func madeRuns(random *rand.Rand, n int, spread, company, probes float64) []Observation {
	var runs []Observation
	add := func(of string, mean float64, causes ...string) {
		runs = append(runs, Observation{Of: of, CPU: mean * math.Exp(spread*random.NormFloat64()), Causes: causes})
	}
	for range n {
		add("threads", company, "company")
		add("threads", 1)
		add("process", 1.3)
	}
	add("process", 1.3*probes, "probes")
	return runs
}

var twoCauses = []Cause{{Name: "company", Slows: true}, {Name: "probes"}}

// Of programs on which nothing has an effect no more than noiseKept get a factor; of 400, with
// a standard deviation of 4.4, a correct program has more than 20 + 3·4.4 once in 700 tries with fresh seeds.
func TestNoFactorIsKeptForNoise(t *testing.T) {
	t.Parallel()
	const programs = 400
	for _, n := range []int{3, 5, 9} {
		kept := 0
		for seed := range uint64(programs) {
			f := FitRuns(madeRuns(rand.New(rand.NewPCG(seed, 1)), n, 0.03, 1, 1), twoCauses)
			if f.Factor("company").Kept || f.Factor("probes").Kept {
				kept++
			}
		}
		if kept > 33 {
			t.Errorf("with %d runs of each kind, %d of %d programs have a factor where there is none", n, kept, programs)
		}
	}
}

// A planted factor lies in its 95 % interval for 95 of 100 programs: of 400, 380 ± 3·4.4. Company of 30 %
// and probes of 15 % are told from a spread of 2 % with three runs of each kind by all but a few:
// they are more than eight and five standard errors.
func TestPlantedFactorsAreFoundWithinTheirIntervals(t *testing.T) {
	t.Parallel()
	const programs, company, probes = 400, 1.3, 1.15
	for _, n := range []int{3, 5, 9} {
		covered, kept := map[string]int{}, map[string]int{}
		for seed := range uint64(programs) {
			f := FitRuns(madeRuns(rand.New(rand.NewPCG(seed, 2)), n, 0.02, company, probes), twoCauses)
			for cause, want := range map[string]float64{"company": company, "probes": probes} {
				k := f.Factor(cause)
				if low, high := k.Interval(0.95); low <= want && want <= high {
					covered[cause]++
				}
				if k.Kept {
					kept[cause]++
				}
			}
		}
		for _, cause := range []string{"company", "probes"} {
			if c := covered[cause]; c < 367 || c > 393 {
				t.Errorf("with %d runs of each kind the 95 %% interval of %s holds the factor of %d of %d programs", n, cause, c, programs)
			}
			if kept[cause] < 380 {
				t.Errorf("with %d runs of each kind the factor of %s is kept for %d of %d programs only", n, cause, kept[cause], programs)
			}
		}
	}
}

// Of programs whose factors are as what is usual has them, the estimates are nearer to the factors than those of a test that keeps what is told
// from none, and nearer than what the runs alone say; the intervals hold.
func TestWhatIsUsualBringsEstimatesNearer(t *testing.T) {
	t.Parallel()
	const programs, n, spread, usual = 400, 3, 0.06, 0.08
	told := []Cause{{Name: "company", Slows: true}, {Name: "probes"}}
	known := []Cause{{Name: "company", Slows: true, Usual: usual}, {Name: "probes"}}
	var tested, alone, shrunk float64
	covered := 0
	for seed := range uint64(programs) {
		random := rand.New(rand.NewPCG(seed, 4))
		factor := math.Abs(usual * random.NormFloat64())
		runs := madeRuns(random, n, spread, math.Exp(factor), 1)
		miss := func(f Factor, kept bool) float64 {
			if !kept {
				return factor * factor
			}
			return math.Pow(math.Log(f.Estimate)-factor, 2)
		}
		before, f := FitRuns(runs, told).Factor("company"), FitRuns(runs, known).Factor("company")
		tested, alone, shrunk = tested+miss(before, before.Kept), alone+miss(before, before.Estimate > 1), shrunk+miss(f, f.Kept)
		if low, high := f.Interval(0.95); math.Log(low) <= factor && factor <= math.Log(high) {
			covered++
		}
	}
	if shrunk > 0.95*tested || shrunk > 0.95*alone {
		t.Errorf("squares of what is missed: %.3g with what is usual, %.3g of a test, %.3g of the runs alone", shrunk, tested, alone)
	}
	if covered < 367 {
		t.Errorf("the 95 %% interval holds the factor of %d of %d programs", covered, programs)
	}
}

// Where there are too few runs, programs spread as the recordings do: the variance of each is drawn
// from their distribution, and the intervals hold.
func TestFewRunsHaveTheUsualSpread(t *testing.T) {
	t.Parallel()
	const programs, company = 400, 1.2
	covered := 0
	for seed := range uint64(programs) {
		random := rand.New(rand.NewPCG(seed, 3))
		// χ² of d degrees of freedom is twice a gamma variable of shape d/2
		chi := 2 * mathext.GammaIncRegInv(usualFreedom/2, random.Float64())
		spread := usualSpread * math.Sqrt(usualFreedom/chi)
		f := FitRuns(madeRuns(random, 1, spread, company, 1), twoCauses)
		if low, high := f.Factor("company").Interval(0.95); low <= company && company <= high {
			covered++
		}
	}
	if covered < 367 || covered > 393 {
		t.Errorf("with one run of each kind the 95 %% interval holds the factor of %d of %d programs", covered, programs)
	}
}

// A cause that can only slow runs has no factor below one, and what all runs have in common, or
// none has, is none that they tell.
func TestOnlyWhatRunsCanTellIsAFactor(t *testing.T) {
	t.Parallel()
	f := FitRuns(madeRuns(rand.New(rand.NewPCG(1, 1)), 5, 0.01, 0.5, 1), append(twoCauses, Cause{Name: "nobody's"}))
	if k := f.Factor("company"); k.Kept || math.Abs(k.Estimate/0.5-1) > 0.03 {
		t.Errorf("what can only slow is %+v where runs with it cost half", k)
	}
	if k := f.Factor("nobody's"); k != (Factor{}) {
		t.Errorf("a cause that no run has is %+v", k)
	}
	if c := FitRuns(nil, twoCauses).Cost("threads"); c != 0 {
		t.Errorf("no run costs %g s", c)
	}
}
