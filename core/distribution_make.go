package core

import (
	"math"
	"slices"
)

// Const returns the law of a value that never varies.
func Const(value float64) Distribution { return Distribution{Kind: Constant, Value: value} }

// Exp returns the exponential law with the given mean.
func Exp(mean float64) Distribution { return Distribution{Kind: Exponential, Mean: mean} }

// ErlangK returns the sum of phases exponentials with the given total mean.
func ErlangK(phases int, mean float64) Distribution {
	return Distribution{Kind: Erlang, Mean: mean, Phases: phases}
}

// Hyper2 returns the hyperexponential law with the given mean and squared
// coefficient of variation scv ≥ 1 whose two branches carry equal shares of
// the mean ("balanced means", Law & Kelton). It panics if scv < 1.
func Hyper2(mean, scv float64) Distribution {
	if !(scv >= 1) {
		panic("core: Hyper2 needs a squared coefficient of variation ≥ 1")
	}
	p := (1 + math.Sqrt((scv-1)/(scv+1))) / 2
	return Distribution{Kind: Hyperexponential, Weights: []float64{p, 1 - p},
		Means: []float64{mean / (2 * p), mean / (2 * (1 - p))}}
}

// Numbers of samples and of distinct values up to which FromSamples keeps
// the samples as they are.
const (
	keepSamples  = 40
	keepDistinct = 32
	keepIntegers = 256
)

// sketchBoundaries are the probabilities at which FromSamples always cuts:
// dense in the tails, because percentiles are read there.
var sketchBoundaries = []float64{.001, .005, .01, .02, .05, .1, .15, .2, .25, .3, .35, .4, .45, .5,
	.55, .6, .65, .7, .75, .8, .85, .9, .925, .95, .97, .98, .99, .995, .998, .999, .9995, .9999}

// sketchRefinements is how many more cuts it makes, each where the samples of
// a piece spread most.
const sketchRefinements = 16

// FromSamples returns the empirical law of non-negative observations:
// constant or discrete when there are few distinct values, otherwise a
// quantile sketch of fewer than a hundred knots. The expectation is the sample
// mean to rounding error, and so is the variance except where a piece of the
// sketch is more skewed than a uniform law can be. It returns the zero value
// for no samples and panics if one is negative or not finite.
func FromSamples(samples []float64) Distribution {
	if len(samples) == 0 {
		return Distribution{}
	}
	sorted := slices.Clone(samples)
	slices.Sort(sorted)
	if first, last := sorted[0], sorted[len(sorted)-1]; !(first >= 0) || math.IsInf(last, 1) || math.IsNaN(last) {
		panic("core: FromSamples needs samples that are finite and ≥ 0")
	}
	d := exactSamples(sorted)
	if d.IsZero() {
		d = sketch(sorted)
	}
	d.Samples = int64(len(samples))
	return d
}

// exactSamples returns the law of sorted samples with few distinct values,
// the zero value when there are too many.
func exactSamples(sorted []float64) Distribution {
	limit := keepDistinct
	if len(sorted) <= keepSamples {
		limit = keepSamples
	}
	if !slices.ContainsFunc(sorted, func(x float64) bool { return x != math.Trunc(x) }) {
		limit = keepIntegers
	}
	var values, weights []float64
	for i := 0; i < len(sorted); {
		j := i
		for j < len(sorted) && sorted[j] == sorted[i] {
			j++
		}
		if len(values) == limit {
			return Distribution{}
		}
		values = append(values, sorted[i])
		weights = append(weights, float64(j-i)/float64(len(sorted)))
		i = j
	}
	if len(values) == 1 {
		return Const(values[0])
	}
	return Distribution{Kind: Discrete, Values: values, Weights: weights}
}

// sketch replaces each piece of the sorted samples by a uniform law with the
// piece's mean and, where it fits between the piece's ends, its variance.
func sketch(sorted []float64) Distribution {
	n := len(sorted)
	cuts := []int{0}
	for _, p := range sketchBoundaries {
		if i := int(math.Round(p * float64(n))); i > cuts[len(cuts)-1] && i < n {
			cuts = append(cuts, i)
		}
	}
	cuts = append(cuts, n)
	sums := prefixSums(sorted)
	for range sketchRefinements {
		worst, spread := -1, 0.0
		for i := range len(cuts) - 1 {
			if _, ss := sums.piece(cuts[i], cuts[i+1]); cuts[i+1]-cuts[i] > 1 && ss > spread {
				worst, spread = i, ss
			}
		}
		if worst < 0 {
			break
		}
		at := sums.bestCut(cuts[worst], cuts[worst+1])
		cuts = slices.Insert(cuts, worst+1, at)
	}
	var d Distribution
	d.Kind = Empirical
	for i := range len(cuts) - 1 {
		a, b := cuts[i], cuts[i+1]
		mean, ss := sums.piece(a, b)
		mean = min(max(mean, sorted[a]), sorted[b-1]) // rounding
		half := math.Sqrt(3 * ss / float64(b-a))      // a uniform law of half-width h has variance h²/3
		half = min(half, mean-sorted[a], sorted[b-1]-mean)
		d.Values = append(d.Values, mean-half, mean+half)
		d.Probabilities = append(d.Probabilities, float64(a)/float64(n), float64(b)/float64(n))
	}
	return d
}

// sampleSums are prefix sums of samples and of their squares around origin.
type sampleSums struct {
	origin      float64
	one, square []float64
}

func prefixSums(sorted []float64) sampleSums {
	s := sampleSums{origin: sorted[len(sorted)/2], one: make([]float64, len(sorted)+1), square: make([]float64, len(sorted)+1)}
	for i, x := range sorted {
		s.one[i+1] = s.one[i] + (x - s.origin)
		s.square[i+1] = s.square[i] + sq(x-s.origin)
	}
	return s
}

// piece returns the mean and the sum of squared deviations of samples a…b−1.
func (s sampleSums) piece(a, b int) (mean, ss float64) {
	n := float64(b - a)
	m := (s.one[b] - s.one[a]) / n
	return s.origin + m, math.Max(0, s.square[b]-s.square[a]-n*m*m)
}

// bestCut returns the index in (a, b) that leaves the least squared deviation.
func (s sampleSums) bestCut(a, b int) int {
	best, least := a+1, math.Inf(1)
	for i := a + 1; i < b; i++ {
		_, left := s.piece(a, i)
		_, right := s.piece(i, b)
		if left+right < least {
			best, least = i, left+right
		}
	}
	return best
}
