package regress

import (
	"math"
	"slices"
)

// scatter is how far runs lie from a function: in part a share of what they do, in part the same for small and large ones, as the
// start of a thread or a tick of a clock is (the two components of Rocke & Lorenzato 1995). So large inputs may scatter less than
// those that were seen.
type scatter struct {
	size     float64   // of a typical run
	constant []float64 // the constant part by the other, both variances and at that size
	relative []float64 // the other's variance
	weight   []float64 // belief in each
}

// constants are the ratios that are compared. Half of the belief is that there is no constant part, until runs say otherwise.
var constants = []float64{0, 1. / 16, 1. / 4, 1, 4, 16, 64}

// scatterOf compares the relative residuals of runs of given sizes, as they are fitted, by the likelihood of each ratio.
func scatterOf(sizes, residuals []float64, freedom int) (s scatter) {
	sorted := slices.Sorted(slices.Values(sizes))
	s.size = sorted[len(sorted)/2]
	n := float64(len(sizes))
	best := math.Inf(-1)
	for _, c := range constants {
		squares, logs := 0.0, 0.0
		for i, size := range sizes {
			g := 1 + c*math.Pow(s.size/size, 2)
			squares += (residuals[i]*residuals[i] + rounding*rounding) / g
			logs += math.Log(g)
		}
		prior := 0.5
		if c > 0 {
			prior /= float64(len(constants) - 1)
		}
		l := math.Log(prior) - (n*math.Log(squares/n)+logs)/2
		best = math.Max(best, l)
		s.constant, s.relative, s.weight = append(s.constant, c), append(s.relative, squares/float64(freedom)), append(s.weight, l)
	}
	sum := 0.0
	for i, l := range s.weight {
		s.weight[i] = math.Exp(l - best)
		sum += s.weight[i]
	}
	for i := range s.weight {
		s.weight[i] /= sum
	}
	return s
}

// variance is that of a run of a size, relative.
func (s scatter) variance(size float64) (v float64) {
	for i, w := range s.weight {
		v += w * s.relative[i] * (1 + s.constant[i]*math.Pow(s.size/size, 2))
	}
	return v
}
