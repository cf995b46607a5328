package output

import "math"

// Course averages series of several replications bin by bin: the sum of all
// observations over their number, the estimate of the process's mean as a
// function of time that Welch's graphical method draws (Law & Kelton, 3rd
// ed., §9.5.1). Only bins that end at or before the time end are given; a bin
// in which no replication observed anything is NaN. Width is the length of a
// bin in ticks. The series may have been coarsened to different degrees, from
// one initial width; they are not changed.
func Course(series []*Series, end int64) (values []float64, width int64) {
	most := 0
	for _, s := range series {
		width = max(width, s.width)
		most = max(most, len(s.bins))
	}
	if width == 0 {
		return nil, 0
	}
	bins := make([]bin, min(end/width, int64(most))) // nothing was observed beyond
	for _, s := range series {
		step := int(width / s.width)
		for i, b := range s.bins {
			if j := i / step; j < len(bins) {
				bins[j].sum += b.sum
				bins[j].n += b.n
			}
		}
	}
	values = make([]float64, len(bins))
	for i, b := range bins {
		values[i] = b.sum / float64(b.n) // 0/0 is NaN
	}
	return values, width
}

// mserBatch is the batch size of MSER-5.
const mserBatch = 5

// MSER5 returns how many leading values to cut as warm-up so that the mean of
// the rest has the smallest standard error, on batches of five (White, Cobb &
// Spratt 2000): the cut d minimises Σ_{i≥d}(Yᵢ−Ȳ)²/(n−d)² over the batch means
// Y. Only cuts in the first half are considered; steady is false if the best
// is at that limit, which says that the values are still moving. Values that
// are NaN are left out of their batch.
//
// Apply it to the course averaged over pilot replications, and make the same
// cut in all of the others: MSER cuts where chance had a low mean. Applied to
// each short replication on its own, intervals cover 65–82 % instead of 95 %;
// applied to the average of the very replications that are cut it still costs
// two to three points (TestWarmupCutByPilotReplicationsKeepsTheCoverage).
func MSER5(values []float64) (cut int, steady bool) {
	var batches []float64 // NaN: nothing observed
	for i := 0; i+mserBatch <= len(values); i += mserBatch {
		var sum, n float64
		for _, v := range values[i : i+mserBatch] {
			if !math.IsNaN(v) {
				sum += v
				n++
			}
		}
		batches = append(batches, sum/n)
	}
	var t Tally
	best, bestAt := math.Inf(1), 0
	for d := len(batches) - 1; d >= 0; d-- {
		if math.IsNaN(batches[d]) {
			continue
		}
		t.Add(batches[d])
		if d > len(batches)/2 || t.Count() < 2 {
			continue
		}
		n := float64(t.Count())
		if g := t.Variance() * (n - 1) / (n * n); g <= best {
			best, bestAt = g, d
		}
	}
	return bestAt * mserBatch, bestAt < len(batches)/2
}

// Growth estimates how fast a signal grows: the mean over the replications of
// the least-squares slope of each series between the times from and end, in
// units of the signal per tick. A queue that arrivals overload has a slope
// whose interval lies above 0.
func Growth(series []*Series, from, end int64, confidence float64) Estimate {
	slopes := make([]float64, len(series))
	for r, s := range series {
		var x, y, weight, xx, xy float64
		for i, b := range s.bins {
			mid := (float64(i) + 0.5) * float64(s.width)
			if b.n == 0 || mid < float64(from) || int64(i+1)*s.width > end {
				continue
			}
			v := b.sum / float64(b.n)
			x += mid
			y += v
			weight++
			xx += mid * mid
			xy += mid * v
		}
		slopes[r] = (xy - x*y/weight) / (xx - x*x/weight) // NaN below two bins
	}
	return Replications(slopes, confidence)
}
