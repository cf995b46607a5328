package robust

import (
	"math"
	"slices"
)

// Centre estimates the centre of a symmetric law from independent observations: the median of the means
// of all pairs (Hodges and Lehmann), with the interval of Wilcoxon's signed ranks (Conover 1999, §5.7), which
// contains it with at least that confidence. A few observations far off hardly move either. Too few
// for any interval, fewer than six for 95 %, leave lo and hi infinite.
func Centre(values []float64, confidence float64) (centre, lo, hi float64) {
	var means []float64
	for i, v := range values {
		for _, w := range values[:i+1] {
			means = append(means, (v+w)/2)
		}
	}
	slices.Sort(means)
	centre, lo, hi = Median(means), math.Inf(-1), math.Inf(1)
	if k := outside(len(values), (1-confidence)/2); k > 0 {
		lo, hi = means[k-1], means[len(means)-k]
	}
	return centre, lo, hi
}

// outside is how many of the sums 0, 1, 2, … of the ranks of n observations that are positive are so
// small that no more than the given share of all signs makes sums as small.
func outside(n int, share float64) int {
	law := make([]float64, n*(n+1)/2+1) // of the sum
	law[0] = 1
	for rank := 1; rank <= n; rank++ {
		for s := len(law) - 1; s >= 0; s-- {
			law[s] /= 2
			if s >= rank {
				law[s] += law[s-rank] / 2
			}
		}
	}
	below, k := 0.0, 0
	for k < len(law) && below+law[k] <= share {
		below += law[k]
		k++
	}
	return k
}
