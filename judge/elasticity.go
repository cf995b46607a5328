package judge

import (
	"math"

	"tierscope/core"
)

// stretch is by how much all demands are made longer to see what follows them. Convention: more than simulations scatter
// under common random numbers, less than what saturates most servers.
const stretch = 1.05

// Longer is a model all demands of which are longer, and which was held against nothing.
func Longer(m core.Model) core.Model {
	m.Checked = nil
	return m.Stretched(stretch)
}

// Slower is a model whose cores are slower by as much, and which was held against nothing.
func Slower(m core.Model) core.Model {
	m.Checked = nil
	m.CPU = m.CPU.Faster(1 / stretch)
	return m
}

// Elasticity is how strongly a metric follows demands, ∂ln metric/∂ln demands: what a model says of it, and what Longer of that
// model does.
func Elasticity(is, longer float64) float64 { return math.Log(longer/is) / math.Log(stretch) }
