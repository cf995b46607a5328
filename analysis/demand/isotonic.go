package demand

import "math"

// Isotonic replaces values by the non-decreasing ones that are closest to them,
// in weighted least squares: neighbours that fall are pooled (Barlow et al. 1972,
// §1.2). Their weighted sum stays what it was.
func Isotonic(values, weights []float64) {
	type pool struct {
		sum, weight float64
		n           int
	}
	var pools []pool
	for i, v := range values {
		p := pool{v * weights[i], weights[i], 1}
		for len(pools) > 0 {
			before := pools[len(pools)-1]
			if before.weight > 0 && p.weight > 0 && before.sum*p.weight <= p.sum*before.weight {
				break
			}
			p = pool{before.sum + p.sum, before.weight + p.weight, before.n + p.n}
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, p)
	}
	i, before := 0, math.Inf(-1)
	for _, p := range pools {
		before = max(before, p.sum/p.weight) // pools that are equal but for rounding stay in order
		for range p.n {
			values[i] = before
			i++
		}
	}
}
