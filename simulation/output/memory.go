package output

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Memory is what equally long batches of several replications say about how far apart
// observations must be to be independent, and how skewed their means are.
type Memory struct {
	// Correlation is that of neighbouring batches of one replication about the mean of all
	// replications. Batches several times as long as the process remembers have almost
	// none; batches much shorter than that, close to 1, whatever the replications are.
	Correlation float64
	Skewness    float64 // of the means of whole replications, from that of their batches
	Error       float64 // standard error of the mean of all, from the batches and their correlation
	Batches     int     // in all; 0: too few observations to say anything
}

// batchesOfMemory is the number of batches per replication: a replication then is 8 times
// as long as a batch.
const batchesOfMemory = 8

// MemoryOf cuts the observations of every series between the times from and end into
// batches of equal length. Only bins that lie between are used.
func MemoryOf(series []*Series, from, end int64) Memory {
	var means [][]float64
	var all Tally
	for _, s := range series {
		first, last := int((from+s.width-1)/s.width), min(int(end/s.width), len(s.bins))
		size := (last - first) / batchesOfMemory
		if size < 1 {
			return Memory{}
		}
		var own []float64
		for b := range batchesOfMemory {
			sum, n := 0.0, int64(0)
			for _, x := range s.bins[first+b*size : first+(b+1)*size] {
				sum, n = sum+x.sum, n+x.n
			}
			if n == 0 {
				return Memory{}
			}
			own = append(own, sum/float64(n))
			all.Add(sum / float64(n))
		}
		means = append(means, own)
	}
	if len(means) < 2 || all.Variance() == 0 {
		return Memory{}
	}
	var products, squares, cubes, pairs float64
	for _, own := range means {
		for i, x := range own {
			d := x - all.Mean()
			squares += d * d
			cubes += d * d * d
			if i > 0 {
				products += d * (own[i-1] - all.Mean())
				pairs++
			}
		}
	}
	n := float64(all.Count())
	variance := squares / n
	correlation := products / pairs / variance
	return Memory{
		Correlation: correlation,
		Skewness:    cubes / n / math.Pow(variance, 1.5) / math.Sqrt(batchesOfMemory),
		Error:       math.Sqrt(variance / n * (1 + 2*max(correlation, 0))),
		Batches:     int(n),
	}
}

// doubtful is the relative half-width from which an interval is compared with what the
// batches say: few replications that happen to agree make it too narrow, and those are
// the ones with which a run is taken to be long enough.
const doubtful = 0.03

// Remembering returns e, the t interval of a mean over replications, in the light of the
// batches of which they consist.
func (e Estimate) Remembering(m Memory) Estimate {
	h := e.HalfWidth()
	if e.N < 2 || math.IsInf(h, 0) || math.IsNaN(h) {
		return e
	}
	if least := studentT(e.N-1, e.Confidence) * m.Error; e.Precision() > doubtful && least > h {
		e.Lo, e.Hi = e.Mean-least, e.Mean+least
	}
	return e.Skewed(m.Skewness)
}

// QuantileRemembering returns e, the interval of the p-quantile of correlated
// observations, in the light of how many independent ones they are worth: n = Var/SE² of
// their mean. Of those about m = n(1−p) lie beyond the quantile, give or take t√m, which
// bounds it by two other quantiles (order statistics, with the effective sample size in
// the place of the sample's). Where fewer than t² lie beyond, its upper end is open.
func (e Estimate) QuantileRemembering(p float64, all *Sketch, mean Estimate) Estimate {
	h := mean.HalfWidth()
	if e.N < 2 || h == 0 || math.IsInf(h, 0) || math.IsNaN(h) || math.IsInf(e.Hi, 0) {
		return e
	}
	t := studentT(mean.N-1, mean.Confidence)
	beyond := all.Variance() / (h / t * h / t) * (1 - p)
	width := normal(e.Confidence) / math.Sqrt(beyond)
	if width >= 1 {
		e.Hi = math.Inf(1)
		return e
	}
	e.Lo = min(e.Lo, all.Quantile(max(0, 1-(1-p)*(1+width))))
	e.Hi = max(e.Hi, all.Quantile(1-(1-p)*(1-width)))
	return e
}

// normal is the two-sided critical value of the normal distribution.
func normal(confidence float64) float64 { return distuv.UnitNormal.Quantile((1 + confidence) / 2) }

// Skewed returns e, a t interval, with its upper end moved up for observations of the
// given skewness γ: the quantile of Student's statistic of skewed observations is below
// −t by γ(2t²+1)/(6√n), the first term of its Edgeworth expansion (Hall 1992, §3.10.6;
// Johnson 1978). The lower end, which would move up too, stays: the skewness is an
// estimate itself.
func (e Estimate) Skewed(skewness float64) Estimate {
	h := e.HalfWidth()
	if !(skewness > 0) || e.N < 2 || math.IsInf(h, 0) || math.IsNaN(h) {
		return e
	}
	t := studentT(e.N-1, e.Confidence)
	e.Hi += h / t * skewness * (2*t*t + 1) / (6 * math.Sqrt(float64(e.N)))
	return e
}

// AtLeast returns e with its lower end only: what the rest of it says is not known.
func (e Estimate) AtLeast() Estimate {
	e.Hi = math.Inf(1)
	return e
}
