package output

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Lag1 estimates the correlation of neighbouring values from von Neumann's
// ratio, and returns the probability that independent values would show a
// positive correlation at least as large (von Neumann 1941; Fishman 1978;
// Alexopoulos & Seila 1998, §7.3.2). NaN and 1 if there are fewer than four
// values or they are all equal.
func Lag1(values []float64) (correlation, p float64) {
	var t Tally
	for _, v := range values {
		t.Add(v)
	}
	n := float64(len(values))
	if n < 4 || t.Min() == t.Max() {
		return math.NaN(), 1
	}
	mean := t.Mean()
	var differences, squares float64
	for i, v := range values {
		squares += (v - mean) * (v - mean)
		if i > 0 {
			differences += (v - values[i-1]) * (v - values[i-1])
		}
	}
	// Without correlation the statistic has mean 0 and variance
	// (n−2)/(n²−1), and is near normal from n = 8 on.
	c := 1 - differences/(2*squares)
	z := c / math.Sqrt((n-2)/(n*n-1))
	return c, distuv.UnitNormal.Survival(z)
}

// correlationLevel is the probability with which independent batches are
// warned of.
const correlationLevel = 0.01

// CheckBatches returns e with a warning if the batch means that it was
// estimated from are correlated, in which case its interval is too narrow.
func CheckBatches(e Estimate) Estimate {
	if c, p := Lag1(e.Samples); p < correlationLevel {
		return e.Warn("neighbouring batches are correlated (%.2f): the interval is too narrow; run longer", c)
	}
	return e
}

// BatchMeans estimates the steady-state mean of one long run from the
// observations of a series after the time from, cut into the given number of
// batches of equal length (Law & Kelton, 3rd ed., §9.5.3). It warns if
// batches half as long are still correlated. It panics unless batches ≥ 2 and
// 0 < confidence < 1; a series with fewer than twice as many bins after from
// gives fewer batches.
func BatchMeans(s *Series, from int64, batches int, confidence float64) Estimate {
	if batches < 2 {
		panic("output: at least two batches are needed")
	}
	first := int((from + s.width - 1) / s.width)
	bins := s.bins[min(first, len(s.bins)):max(first, s.Len())]
	half := max(len(bins)/(2*batches), 1) // bins in half a batch
	var fine []float64
	var sums, weights []float64
	for i := 0; i+2*half <= len(bins); i += 2 * half {
		var batch bin
		for j := range 2 {
			var b bin
			for _, x := range bins[i+j*half : i+(j+1)*half] {
				b.sum += x.sum
				b.n += x.n
			}
			if b.n > 0 {
				fine = append(fine, b.sum/float64(b.n))
			}
			batch.sum += b.sum
			batch.n += b.n
		}
		sums = append(sums, batch.sum)
		weights = append(weights, float64(batch.n))
	}
	e := Ratio(sums, weights, confidence)
	if c, p := Lag1(fine); p < correlationLevel {
		e = e.Warn("batches half as long are correlated (%.2f): the interval may be too narrow; run longer", c)
	}
	return e
}
