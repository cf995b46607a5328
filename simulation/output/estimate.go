package output

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// Estimate is a number with its confidence interval and the doubts about it.
type Estimate struct {
	Mean       float64 // NaN: nothing was observed
	Lo, Hi     float64 // bounds of the Confidence interval; infinite when there is none
	N          int     // independent observations behind it
	Confidence float64
	// Samples are the observations, in replication order, for paired
	// differences: means per replication, or jackknife pseudo-values where
	// the estimate is a ratio of sums (equal to the means when all
	// replications weigh the same).
	Samples []float64
	// Inputs are by how much it changes when what is not known of the model is drawn
	// instead of left as it is, by draw; nil: everything is known, or nobody drew.
	Inputs   []float64
	Warnings []string // travel with the number into every table and plot
}

// HalfWidth returns the larger distance of Mean from Lo and Hi.
func (e Estimate) HalfWidth() float64 { return max(e.Mean-e.Lo, e.Hi-e.Mean) }

// Precision returns the relative half-width HalfWidth/|Mean|: 0 for a number
// known exactly, +Inf without an interval.
func (e Estimate) Precision() float64 {
	h := e.HalfWidth()
	switch {
	case h == 0:
		return 0
	case math.IsNaN(h) || math.IsNaN(e.Mean):
		return math.Inf(1)
	}
	return h / math.Abs(e.Mean)
}

// Warn returns e with one more warning.
func (e Estimate) Warn(format string, args ...any) Estimate {
	e.Warnings = append(e.Warnings[:len(e.Warnings):len(e.Warnings)], fmt.Sprintf(format, args...))
	return e
}

// Scaled returns the estimate of the number times a positive factor.
func (e Estimate) Scaled(by float64) Estimate {
	e.Mean, e.Lo, e.Hi = by*e.Mean, by*e.Lo, by*e.Hi
	e.Samples, e.Inputs = scaled(e.Samples, by), scaled(e.Inputs, by)
	return e
}

func scaled(values []float64, by float64) []float64 {
	values = slices.Clone(values)
	floats.Scale(by, values)
	return values
}

// FewObservations is the number of independent observations below which an
// interval carries a warning: with fewer, the t interval leans on normality
// that nobody can check.
const FewObservations = 5

// Replications estimates a mean from one observation per independent
// replication, with the t interval (Law & Kelton, 3rd ed., §9.4.1):
// X̄ ± t(n−1, 1−α/2)·S/√n. Observations that are NaN are left out. It panics
// unless 0 < confidence < 1.
func Replications(values []float64, confidence float64) Estimate {
	return interval(values, math.NaN(), confidence)
}

// Ratio estimates the ratio E[sum]/E[weight] from one pair per independent
// replication, such as the sum of the response times and the number of tasks,
// by the jackknife (Law & Kelton, 3rd ed., §9.5.3): pseudo-values
// Jᵢ = n·R − (n−1)·R₋ᵢ and their t interval. Unlike the mean of the
// replications' ratios it has a bias of order 1/n² only, and replications in
// which nothing happened count as what they are. It panics unless
// len(sums) = len(weights) and 0 < confidence < 1.
func Ratio(sums, weights []float64, confidence float64) Estimate {
	if len(sums) != len(weights) {
		panic("output: as many weights as sums are needed")
	}
	var sum, weight float64
	equal := true
	for i := range sums {
		sum += sums[i]
		weight += weights[i]
		equal = equal && weights[i] == weights[0]
	}
	n := len(sums)
	if weight == 0 {
		return interval(nil, math.NaN(), confidence)
	}
	pseudo := make([]float64, n)
	for i := range pseudo {
		switch rest := weight - weights[i]; {
		case equal:
			pseudo[i] = sums[i] / weights[i]
		case rest <= 0: // everything happened in this replication
			return interval([]float64{sum / weight}, math.NaN(), confidence)
		default:
			pseudo[i] = float64(n)*sum/weight - float64(n-1)*(sum-sums[i])/rest
		}
	}
	return interval(pseudo, math.NaN(), confidence)
}

// Quantile estimates the p-quantile of the observations of all replications
// by sectioning (Asmussen & Glynn 2007, §III.5a; Nakayama 2014): the quantile
// of all observations together, and around it the t interval with the spread
// of the replications' own quantiles. It panics unless 0 ≤ p ≤ 1 and
// 0 < confidence < 1.
func Quantile(replications []*Sketch, p, confidence float64) Estimate {
	return Merged(replications).quantile(replications, p, confidence)
}

// Quantiles is Quantile for several probabilities, which share the work of
// putting all observations together.
func Quantiles(replications []*Sketch, ps []float64, confidence float64) []Estimate {
	all := Merged(replications)
	estimates := make([]Estimate, len(ps))
	for i, p := range ps {
		estimates[i] = all.quantile(replications, p, confidence)
	}
	return estimates
}

// Merged returns a sketch of all observations of several.
func Merged(sketches []*Sketch) *Sketch {
	all := new(Sketch)
	for _, s := range sketches {
		all.Merge(s)
	}
	return all
}

// quantile is Quantile with all observations in s.
func (s *Sketch) quantile(replications []*Sketch, p, confidence float64) Estimate {
	values := make([]float64, len(replications))
	for i, r := range replications {
		values[i] = r.Quantile(p)
	}
	e := interval(values, s.Quantile(p), confidence)
	if beyond := (1 - p) * float64(s.n); s.n > 0 && beyond < minBeyond {
		e = e.Warn("only %.0f observations lie beyond the %g %% quantile", math.Ceil(beyond), 100*p)
	}
	return e
}

// minBeyond is the number of observations beyond a quantile below which its
// estimate is warned of.
const minBeyond = 20

// interval returns the t interval of values around centre, which is the mean
// of the values if NaN.
func interval(values []float64, centre, confidence float64) Estimate {
	checkConfidence(confidence)
	var t Tally
	for _, v := range values {
		if !math.IsNaN(v) {
			t.Add(v)
		}
	}
	n := t.Count()
	mean, variance := t.Mean(), t.Variance()
	if !math.IsNaN(centre) {
		d := mean - centre
		variance += float64(n) / float64(n-1) * d * d // Σ(x−c)² = Σ(x−x̄)² + n(x̄−c)²
		mean = centre
	}
	e := Estimate{Mean: mean, Lo: math.Inf(-1), Hi: math.Inf(1), N: int(n), Confidence: confidence, Samples: values}
	switch n {
	case 0:
		return e.Warn("nothing was observed")
	case 1:
		return e.Warn("one observation: no interval")
	}
	h := studentT(int(n)-1, confidence) * math.Sqrt(variance/float64(n))
	e.Lo, e.Hi = mean-h, mean+h
	if n < FewObservations && h > 0 {
		e = e.Warn("only %d independent observations: the interval is rough", n)
	}
	return e
}

// Exactly returns the estimate of a number that is known without error.
func Exactly(x, confidence float64) Estimate {
	return Estimate{Mean: x, Lo: x, Hi: x, N: 1, Confidence: confidence}
}

// studentT returns t(df, 1−α/2), the two-sided critical value.
func studentT(df int, confidence float64) float64 {
	if t := usualT(); confidence == usualConfidence && df > 0 && df < len(t) {
		return t[df]
	}
	return quantileT(df, confidence)
}

// usualConfidence is that of most intervals: a short run takes as long for its critical values as for its events.
const usualConfidence = .95

// usualT has the critical values of the usual numbers of replications.
var usualT = sync.OnceValue(func() (t [64]float64) {
	for df := 1; df < len(t); df++ {
		t[df] = quantileT(df, usualConfidence)
	}
	return t
})

func quantileT(df int, confidence float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(df)}.Quantile((1 + confidence) / 2)
}

func checkConfidence(c float64) {
	if !(c > 0 && c < 1) {
		panic("output: confidence outside 0…1")
	}
}

// ProbabilityBelow returns how likely the estimated number is at most x: the
// confidence at which a one-sided interval would just reach x, by the t
// distribution that the interval rests on. NaN without an interval.
func (e Estimate) ProbabilityBelow(x float64) float64 {
	h := (e.Hi - e.Lo) / 2
	switch {
	case math.IsNaN(e.Mean) || math.IsInf(h, 0) || math.IsNaN(h):
		return math.NaN()
	case h == 0 && e.Mean <= x:
		return 1
	case h == 0:
		return 0
	}
	df := max(e.N-1, 1)
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(df)}.CDF((x - e.Mean) / h * studentT(df, e.Confidence))
}
