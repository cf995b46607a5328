package regress

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Uncertainty is how far behaviours lie from what models predict that have not seen
// them: the conformal scores of the held-out rows (Vovk et al. 2005; Lei et al. 2018,
// "Distribution-free predictive inference for regression"). What the choice of terms
// adds is in them, since every split chooses anew.
type Uncertainty struct {
	scores []float64 // sorted
	rows   int       // different ones among them
	grain  float64   // below which a relative error says nothing
	ratio  bool      // scores are of logarithms
}

// grainShare of the median is nothing beside it.
const grainShare = 0.01

// uncertainty returns that of the predictions of all rows but one (−1: of all).
func (e Evaluation) uncertainty(samples []Sample, but int) Uncertainty {
	u := Uncertainty{ratio: nonNegative(samples)}
	var sizes []float64
	for _, s := range samples {
		if s.Y != 0 {
			sizes = append(sizes, math.Abs(s.Y))
		}
	}
	if slices.Sort(sizes); len(sizes) > 0 {
		u.grain = grainShare * stat.Quantile(0.5, stat.Empirical, sizes, nil)
	}
	seen := map[int]bool{}
	for _, p := range e.Predictions {
		if p.Sample != but {
			u.scores = append(u.scores, u.score(p.Measured, p.Predicted))
			seen[p.Sample] = true
		}
	}
	u.rows = len(seen)
	slices.Sort(u.scores)
	return u
}

func (u Uncertainty) score(measured, predicted float64) float64 {
	if u.ratio {
		return math.Abs(math.Log((measured + u.grain) / (math.Max(0, predicted) + u.grain)))
	}
	return math.Abs(measured-predicted) / (math.Abs(predicted) + u.grain)
}

// quantile is the score that a new row exceeds with a probability of at most 1 −
// confidence: the ⌈(n+1)·confidence⌉-th of n; the largest if there are too few.
func (u Uncertainty) quantile(confidence float64) float64 {
	n := float64(u.rows)
	if n == 0 {
		return math.Inf(1)
	}
	share := math.Min(1, math.Ceil((n+1)*confidence)/n)
	return u.scores[max(0, int(math.Ceil(share*float64(len(u.scores))))-1)]
}

// around returns the values with a score up to a limit.
func (u Uncertainty) around(predicted, limit float64) (lo, hi float64) {
	if u.ratio {
		y := math.Max(0, predicted) + u.grain
		return math.Max(0, y*math.Exp(-limit)-u.grain), y*math.Exp(limit) - u.grain
	}
	half := limit * (math.Abs(predicted) + u.grain)
	return predicted - half, predicted + half
}

// Intervals95 returns the 95 % prediction interval of each held-out prediction, by the
// scores of the other rows.
func (e Evaluation) Intervals95(samples []Sample) (lo, hi []float64) {
	others := map[int]Uncertainty{}
	for _, p := range e.Predictions {
		u, ok := others[p.Sample]
		if !ok {
			u = e.uncertainty(samples, p.Sample)
			others[p.Sample] = u
		}
		l, h := u.around(p.Predicted, u.quantile(confidence))
		lo, hi = append(lo, l), append(hi, h)
	}
	return lo, hi
}

// coverage is the share of the held-out rows that lie in the intervals that the
// other rows give.
func (e Evaluation) coverage(samples []Sample) float64 {
	if len(e.Predictions) == 0 {
		return 0
	}
	lo, hi := e.Intervals95(samples)
	inside := 0
	for i, p := range e.Predictions {
		if slack := rounding * math.Abs(p.Measured); lo[i]-slack <= p.Measured && p.Measured <= hi[i]+slack {
			inside++
		}
	}
	return float64(inside) / float64(len(e.Predictions))
}

// rounding is the relative error of the logarithms that a score is made of.
const rounding = 1e-9
