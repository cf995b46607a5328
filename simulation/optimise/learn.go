package optimise

import (
	"math"
	"slices"
	"strings"

	"tierscope/simulation/output"
)

// believe fills in what is believed of a point: the analytic estimate, corrected by what simulations of
// other points have shown.
func (s *search) believe(p *point) {
	p.beliefs = make([]belief, len(s.quantities))
	for i := range s.quantities {
		b := belief{0, priorSpread}
		if g := s.surrogates[i]; g != nil {
			b.mean, b.deviation = g.predict(p.features)
		}
		if base := p.guesses[i]; !math.IsNaN(base) {
			b.mean += base
		} else if s.surrogates[i] == nil {
			b.deviation = unknown
		}
		p.beliefs[i] = b
	}
}

// unknown is the standard deviation of the logarithm of a quantity of which there is no estimate.
const unknown = 3

// learn fits the surrogates to all short and full simulations, and renews all beliefs.
func (s *search) learn() {
	for i := range s.quantities {
		var x [][]float64
		var y, noise []float64
		for _, p := range s.pool {
			c := p.full
			if c == nil {
				c = p.short
			}
			if c == nil || c.Result == nil {
				continue
			}
			e, ok := s.observed(c, i)
			if !ok {
				continue
			}
			base := p.guesses[i]
			if math.IsNaN(base) {
				base = 0
			}
			x = append(x, p.features)
			y = append(y, math.Log(e.Mean)-base)
			noise = append(noise, relativeError(e))
		}
		if len(x) > 0 {
			s.surrogates[i] = fitSurrogate(x, y, noise)
		}
	}
	for _, p := range s.pool {
		s.believe(p)
	}
}

// leastLearned is the number of simulations below which they say nothing about how smooth a quantity is.
const leastLearned = 4

// observed is the estimate of a quantity that a simulation gave.
func (s *search) observed(c *Candidate, quantity int) (output.Estimate, bool) {
	e := c.Objective
	if quantity < len(c.Checks) {
		e = c.Checks[quantity].Estimate
	}
	return e, e.Mean > 0 && !math.IsInf(e.Mean, 0)
}

// relativeError is the relative standard error of an estimate, at least a thousandth.
func relativeError(e output.Estimate) float64 {
	var t output.Tally
	for _, v := range e.Samples {
		if !math.IsNaN(v) {
			t.Add(v)
		}
	}
	const least, most = 1e-3, 1.0
	if t.Count() < 2 || !(e.Mean > 0) {
		return least
	}
	return min(max(math.Sqrt(t.Variance()/float64(t.Count()))/e.Mean, least), most)
}

// objectiveQuantity is what the name of an objective means: a key such as "R class/task p95", or "R.p95".
func objectiveQuantity(name string) quantity {
	if words := strings.Fields(name); len(words) == 3 {
		return quantity{words[0], words[1], words[2], nil}
	}
	short, stat, dotted := strings.Cut(name, ".")
	if !dotted {
		stat = "mean"
	}
	return quantity{short, "", stat, nil}
}

// simulated returns the points with a result, those that were simulated in full first.
func (s *search) simulated() []*point {
	var all []*point
	for _, p := range s.pool {
		if p.full != nil || p.short != nil {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b *point) int { return boolean(b.full != nil) - boolean(a.full != nil) })
	return all
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}
