package inputs

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"tierscope/analysis/regress"
)

// A recording is one run of its input, at the speed that the machine had then. Of four recordings that differ by no more than runs
// of one input do, some curve goes through the times of a fragment all the same, and four times the largest input has a multiple of it.

// noise is how runs of the same input differ.
type noise struct {
	variance float64 // of the logarithm of a time
	freedom  float64 // of the variance; 0: there were no two runs of an input
}

func noiseOf(all []Captured) (n noise) {
	for _, c := range all {
		if len(c.Times) < 2 {
			continue
		}
		var logs []float64
		for _, t := range c.Times {
			logs = append(logs, math.Log(t))
		}
		free := float64(len(logs) - 1)
		n.variance += free * stat.Variance(logs, nil)
		n.freedom += free
	}
	if n.freedom > 0 {
		n.variance /= n.freedom
	}
	return n
}

// explains reports whether values differ by no more than runs of one input do: the F test of two variances.
func (n noise) explains(of []regress.Sample) bool {
	if n.freedom == 0 || n.variance == 0 {
		return false
	}
	var logs []float64
	for _, s := range of {
		if s.Y <= 0 {
			return false
		}
		logs = append(logs, math.Log(s.Y))
	}
	ratio := distuv.F{D1: float64(len(logs) - 1), D2: n.freedom}
	return stat.Variance(logs, nil)/n.variance < ratio.Quantile(1-significant)
}

// significant is the probability that values which follow nothing are found to. Convention: 5 %.
const significant = 0.05
