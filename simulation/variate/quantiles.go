package variate

import "tierscope/simulation/des"

// quantiles is the inverse of a piecewise linear distribution function, with a
// guide table (Chen & Asau 1974) that finds the piece in constant expected time.
type quantiles struct {
	value, probability []float64
	guide              []int32 // guide[k]: the first piece that may hold u ≥ k/len(guide)
}

func newQuantiles(values, probabilities []float64) *quantiles {
	pieces := len(values) - 1
	q := &quantiles{value: values, probability: probabilities, guide: make([]int32, 2*pieces)}
	piece := 0
	for k := range q.guide {
		u := float64(k) / float64(len(q.guide))
		for piece < pieces-1 && probabilities[piece+1] <= u {
			piece++
		}
		q.guide[k] = int32(piece)
	}
	return q
}

func (q *quantiles) draw(r *des.Stream) float64 {
	u := r.Float64()
	i := int(q.guide[int(u*float64(len(q.guide)))])
	for i < len(q.value)-2 && q.probability[i+1] <= u {
		i++
	}
	lo, hi := q.probability[i], q.probability[i+1]
	if hi <= lo {
		return q.value[i+1]
	}
	return q.value[i] + (q.value[i+1]-q.value[i])*(u-lo)/(hi-lo)
}
