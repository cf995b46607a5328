package regress

import (
	"math"
	"slices"
)

// maxLevels is the depth of a regression tree (Wu et al. 2010, §4.1).
const maxLevels = 10

// Tree is a node of a regression tree: a leaf with a Value, or a question
// whether Term ≤ Threshold.
type Tree struct {
	Term      Term    `json:"term,omitzero"`
	Threshold float64 `json:"threshold,omitempty"`
	Value     float64 `json:"value"`
	Low       *Tree   `json:"low,omitempty"`
	High      *Tree   `json:"high,omitempty"`
}

func (t *Tree) predict(variables map[string]float64, threads float64) float64 {
	for t.Low != nil {
		if t.Term.Value(variables, threads) <= t.Threshold {
			t = t.Low
		} else {
			t = t.High
		}
	}
	return t.Value
}

func (t *Tree) perThread() bool {
	return t.Low != nil && (t.Term.PerThread || t.Low.perThread() || t.High.perThread())
}

func (t *Tree) leaves() int {
	if t.Low == nil {
		return 1
	}
	return t.Low.leaves() + t.High.leaves()
}

func (t *Tree) levels() int {
	if t.Low == nil {
		return 0
	}
	return 1 + max(t.Low.levels(), t.High.levels())
}

// pruningGains are the least shares of the root's variance that a split must
// explain; cross-validation chooses among them.
var pruningGains = []float64{0, 1e-4, 1e-3, 1e-2, 1e-1}

// fitTree grows trees (CART: the split with the largest reduction of the
// squared error) for every pruning gain and returns the one with the best
// cross-validated accuracy, or nil without terms.
func fitTree(samples []Sample, variables []string, o Options) *Model {
	var pool []Term
	for _, group := range terms(variables, o.ThirdOrder) {
		pool = append(pool, group...)
	}
	if len(pool) == 0 {
		return nil
	}
	var best *Model
	for _, gain := range pruningGains {
		fit := func(train []Sample) *Model {
			g := grower{terms: pool, least: gain * squaredError(train), relative: !o.Absolute}
			return &Model{Form: TreeForm, Tree: g.grow(train, maxLevels)}
		}
		if a := crossValidated(samples, o.Folds, fit); best == nil || a > best.CrossValidated {
			best = fit(samples)
			best.CrossValidated = a
		}
	}
	best.Training = Accuracy(samples, *best)
	return best
}

type grower struct {
	terms    []Term
	least    float64 // reduction of the squared error that a split must bring
	relative bool
}

func (g grower) grow(samples []Sample, levels int) *Tree {
	node := &Tree{Value: g.leaf(samples)}
	if levels == 0 || len(samples) < 2 {
		return node
	}
	term, threshold, gain := g.split(samples)
	if gain <= 0 || gain < g.least {
		return node
	}
	var low, high []Sample
	for _, s := range samples {
		if term.Value(s.Variables, s.Threads) <= threshold {
			low = append(low, s)
		} else {
			high = append(high, s)
		}
	}
	node.Term, node.Threshold = term, threshold
	node.Low, node.High = g.grow(low, levels-1), g.grow(high, levels-1)
	return node
}

// leaf returns the value that minimises the squared error, or the squared
// relative error Σ((y − v)/y)², which is Σ(1/y)/Σ(1/y²).
func (g grower) leaf(samples []Sample) float64 {
	var sum, inverse, square float64
	for _, s := range samples {
		sum += s.Y
		if s.Y != 0 {
			inverse += 1 / s.Y
			square += 1 / (s.Y * s.Y)
		}
	}
	if g.relative && square > 0 {
		return inverse / square
	}
	return sum / float64(len(samples))
}

// split returns the question that reduces the squared error most.
func (g grower) split(samples []Sample) (best Term, threshold, gain float64) {
	type point struct{ x, y float64 }
	points := make([]point, len(samples))
	total, origin := squaredError(samples), samples[0].Y
	for _, t := range g.terms {
		for i, s := range samples {
			points[i] = point{t.Value(s.Variables, s.Threads), s.Y - origin}
		}
		slices.SortFunc(points, func(a, b point) int {
			switch {
			case a.x < b.x:
				return -1
			case a.x > b.x:
				return 1
			}
			return 0
		})
		var low, high moments
		for _, p := range points {
			high.add(p.y, 1)
		}
		for i, p := range points[:len(points)-1] {
			low.add(p.y, 1)
			high.add(p.y, -1)
			if p.x == points[i+1].x {
				continue
			}
			if reduced := total - low.squaredError() - high.squaredError(); reduced > gain {
				best, threshold, gain = t, p.x+(points[i+1].x-p.x)/2, reduced
			}
		}
	}
	// What is within rounding of nothing is nothing.
	if gain <= 1e-12*total {
		return best, threshold, 0
	}
	return best, threshold, gain
}

// moments are of values relative to one of them: squares of large numbers that differ by
// little would lose the difference.
type moments struct{ n, sum, square float64 }

func (m *moments) add(y, sign float64) {
	m.n += sign
	m.sum += sign * y
	m.square += sign * y * y
}

func (m moments) squaredError() float64 { return math.Max(0, m.square-m.sum*m.sum/m.n) }

func squaredError(samples []Sample) float64 {
	var m moments
	for _, s := range samples {
		m.add(s.Y-samples[0].Y, 1)
	}
	return m.squaredError()
}
