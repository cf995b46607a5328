package eta

import "math"

// model is the logarithm of a time as a sum over axes.
type model struct {
	mean    float64
	slopes  []float64
	effects []map[float64]float64
	factor  float64 // by which times are longer than the exponential of their mean logarithm
}

func newModel(axes int) *model {
	m := &model{slopes: make([]float64, axes), effects: make([]map[float64]float64, axes), factor: 1}
	for a := range m.effects {
		m.effects[a] = map[float64]float64{}
	}
	return m
}

// fit minimises the squared errors of the logarithms of the sample, with slopes and effects
// held small, one coordinate after the other.
func (m *model) fit(x [][]float64, took []float64, sample []int) {
	if len(sample) == 0 {
		return
	}
	rest := make([]float64, len(sample)) // what the model so far leaves unexplained
	for k, i := range sample {
		rest[k] = math.Log(took[i])
	}
	move := func(by func(x []float64) float64) {
		for k, i := range sample {
			rest[k] -= by(x[i])
		}
	}
	for range rounds {
		step := mean(rest)
		m.mean += step
		move(func([]float64) float64 { return step })
		for a := range m.slopes {
			centre := 0.0
			for _, i := range sample {
				centre += x[i][a] / float64(len(sample))
			}
			up, down := -slack*m.slopes[a], slack
			for k, i := range sample {
				z := x[i][a] - centre
				up, down = up+z*rest[k], down+z*z
			}
			slope := up / down
			m.slopes[a] += slope
			m.mean -= slope * centre
			move(func(x []float64) float64 { return slope * (x[a] - centre) })

			sums, counts := map[float64]float64{}, map[float64]float64{}
			for k, i := range sample {
				sums[x[i][a]] += rest[k]
				counts[x[i][a]]++
			}
			steps := map[float64]float64{}
			for v, n := range counts {
				steps[v] = (sums[v] - shrink*m.effects[a][v]) / (n + shrink)
				m.effects[a][v] += steps[v]
			}
			move(func(x []float64) float64 { return steps[x[a]] })
		}
	}
	measured, fitted := 0.0, 0.0
	for _, i := range sample {
		measured += took[i]
		fitted += m.at(x[i])
	}
	m.factor = measured / fitted
}

// at is the time of a configuration, s.
func (m *model) at(x []float64) float64 {
	y := m.mean
	for a, slope := range m.slopes {
		y += slope*x[a] + m.effects[a][x[a]]
	}
	return m.factor * math.Exp(y)
}
