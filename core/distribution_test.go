package core_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"tierscope/core"
)

// laws have moments known from the textbooks (Law & Kelton, 3rd ed., ch. 6).
var laws = []struct {
	name           string
	d              core.Distribution
	mean, variance float64
}{
	{"constant", core.Const(3), 3, 0},
	{"exponential", core.Exp(2), 2, 4},
	{"erlang of 4 phases", core.ErlangK(4, 2), 2, 1},
	{"hyperexponential: .5·1 + .5·3, second moment .5·2·1 + .5·2·9 = 10", core.Distribution{Kind: core.Hyperexponential,
		Weights: []float64{.5, .5}, Means: []float64{1, 3}}, 2, 6},
	{"lognormal by mean and CV", core.Distribution{Kind: core.Lognormal, Mean: 2, CV: 1.5}, 2, 9},
	{"gamma by mean and CV", core.Distribution{Kind: core.Gamma, Mean: 2, CV: .5}, 2, 1},
	{"weibull of shape 1 is exponential", core.Distribution{Kind: core.Weibull, Mean: 2, Shape: 1}, 2, 4},
	{"weibull of shape 2 is Rayleigh: variance (4/π − 1)·mean²", core.Distribution{Kind: core.Weibull, Mean: 1, Shape: 2}, 1, 4/math.Pi - 1},
	{"pareto, min 1, α 3: mean 3/2, variance 3/4", core.Distribution{Kind: core.Pareto, Min: 1, Shape: 3}, 1.5, .75},
	{"uniform on 1…4", core.Distribution{Kind: core.Uniform, Min: 1, Max: 4}, 2.5, .75},
	{"sketch of uniform on 0…2", core.Distribution{Kind: core.Empirical, Values: []float64{0, 1, 2}, Probabilities: []float64{0, .5, 1}}, 1, 1. / 3},
	{"sketch with a jump: half the time 1, half the time uniform on 3…5",
		core.Distribution{Kind: core.Empirical, Values: []float64{1, 1, 3, 5}, Probabilities: []float64{0, .5, .5, 1}}, 2.5, 2.25 + 1./6},
	{"die", core.Distribution{Kind: core.Discrete, Values: []float64{1, 2, 3, 4, 5, 6},
		Weights: []float64{1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6}}, 3.5, 35. / 12},
	{"mixture of two constants 0 and 2", core.Distribution{Kind: core.Mixture, Weights: []float64{.5, .5},
		Components: []core.Distribution{core.Const(0), core.Const(2)}}, 1, 1},
}

func TestMomentsAreThoseOfTheTextbook(t *testing.T) {
	t.Parallel()
	for _, law := range laws {
		if err := law.d.Validate(); err != nil {
			t.Errorf("%s: %v", law.name, err)
		}
		if got := law.d.Expectation(); math.Abs(got-law.mean) > 1e-12 {
			t.Errorf("%s: expectation %v, want %v", law.name, got, law.mean)
		}
		if got := law.d.Variance(); math.Abs(got-law.variance) > 1e-9 {
			t.Errorf("%s: variance %v, want %v", law.name, got, law.variance)
		}
		scaled := law.d.Scaled(3)
		if got := scaled.Variance(); math.Abs(got-9*law.variance) > 1e-8 {
			t.Errorf("%s: variance of 3·X is %v, want 9 times %v", law.name, got, law.variance)
		}
	}
}

// E X = ∫₀¹ Q(u) du and E X² = ∫₀¹ Q(u)² du tie the quantile function to the
// moments; the midpoint rule stops at the tail, so the tolerance is a percent.
func TestQuantilesIntegrateToTheMoments(t *testing.T) {
	t.Parallel()
	const n = 20_000
	for _, law := range laws {
		var one, two float64
		for i := range n {
			q := law.d.Quantile((float64(i) + .5) / n)
			one += q / n
			two += q * q / n
		}
		if math.Abs(one-law.mean) > .001*law.mean {
			t.Errorf("%s: ∫Q = %v, want the mean %v", law.name, one, law.mean)
		}
		if want := law.variance + law.mean*law.mean; math.Abs(two-want) > .03*want {
			t.Errorf("%s: ∫Q² = %v, want the second moment %v", law.name, two, want)
		}
	}
}

func TestQuantileInvertsTheDistributionFunction(t *testing.T) {
	t.Parallel()
	for _, law := range laws {
		for _, p := range []float64{.001, .1, .25, .5, .75, .9, .999} {
			x := law.d.Quantile(p)
			if law.d.CDF(x) < p-1e-6 {
				t.Errorf("%s: P(X ≤ Q(%v) = %v) = %v, want at least %v", law.name, p, x, law.d.CDF(x), p)
			}
			if below := x - 1e-6*(1+x); below > 0 && law.d.CDF(below) > p+1e-6 {
				t.Errorf("%s: P(X ≤ %v) = %v although Q(%v) = %v", law.name, below, law.d.CDF(below), p, x)
			}
		}
	}
}

func TestBalancedHyperexponentialHasTheAskedMoments(t *testing.T) {
	t.Parallel()
	d := core.Hyper2(3, 5)
	if math.Abs(d.Expectation()-3) > 1e-12 || math.Abs(d.SCV()-5) > 1e-12 {
		t.Errorf("Hyper2(3, 5) has mean %v and squared coefficient of variation %v", d.Expectation(), d.SCV())
	}
}

// A sketch of samples conserves time: its mean is the sample mean, and its
// variance and percentiles are close. Three shapes that programs show:
// exponential, heavy-tailed, and two clusters (cache hits and misses).
func TestSketchKeepsWhatTheSamplesSay(t *testing.T) {
	t.Parallel()
	shapes := map[string]func(r *rand.Rand) float64{
		"exponential":  func(r *rand.Rand) float64 { return r.ExpFloat64() },
		"heavy-tailed": func(r *rand.Rand) float64 { return math.Exp(1.5 * r.NormFloat64()) },
		"two clusters": func(r *rand.Rand) float64 {
			if r.IntN(4) == 0 {
				return 1 + .1*r.Float64()
			}
			return .001 * (1 + r.Float64())
		},
	}
	for name, draw := range shapes {
		for _, n := range []int{1, 7, 100, 20_000} {
			r := rand.New(rand.NewPCG(1, uint64(n)))
			samples := make([]float64, n)
			var sum, squares float64
			for i := range samples {
				samples[i] = draw(r)
				sum += samples[i]
				squares += samples[i] * samples[i]
			}
			mean := sum / float64(n)
			variance := squares/float64(n) - mean*mean
			d := core.FromSamples(samples)
			if err := d.Validate(); err != nil {
				t.Fatalf("%s, %d samples: %v", name, n, err)
			}
			if got := d.Expectation(); math.Abs(got-mean) > 1e-9*mean {
				t.Errorf("%s, %d samples: mean %v, want the sample mean %v", name, n, got, mean)
			}
			if got := d.Variance(); math.Abs(got-variance) > .03*variance+1e-12 {
				t.Errorf("%s, %d samples: variance %v, want the sample variance %v within 3 %%", name, n, got, variance)
			}
			if len(d.Values) > 200 {
				t.Errorf("%s, %d samples: %d knots, want a sketch", name, n, len(d.Values))
			}
			if d.Samples != int64(n) {
				t.Errorf("%s: says that %d observations are behind it, want %d", name, d.Samples, n)
			}
			if n < 20_000 {
				continue
			}
			for _, p := range []float64{.01, .1, .5, .9, .99, .999} {
				below := 0
				for _, x := range samples {
					if x <= d.Quantile(p) {
						below++
					}
				}
				if share := float64(below) / float64(n); math.Abs(share-p) > .01 {
					t.Errorf("%s: %v of the samples lie below the sketch's %v quantile", name, share, p)
				}
			}
		}
	}
}

func TestCountsStayExact(t *testing.T) {
	t.Parallel()
	d := core.FromSamples([]float64{0, 3, 0, 0})
	if d.Kind != core.Discrete || len(d.Values) != 2 || d.Values[1] != 3 || d.Weights[1] != .25 {
		t.Errorf("four observations of a count became %+v, want 0 with .75 and 3 with .25", d)
	}
	if d := core.FromSamples([]float64{2, 2}); d.Kind != core.Constant || d.Value != 2 {
		t.Errorf("equal observations became %+v, want the constant 2", d)
	}
}

func TestScalingByZeroIsTheConstantZero(t *testing.T) {
	t.Parallel()
	for _, law := range laws {
		if d := law.d.Scaled(0); d.Validate() != nil || d.Expectation() != 0 || d.Variance() != 0 {
			t.Errorf("%s scaled by 0 is %+v", law.name, d)
		}
	}
}
