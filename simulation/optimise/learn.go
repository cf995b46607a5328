package optimise

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"tierscope/simulation/output"
)

// believe fills in what is believed of points: the analytic estimate, corrected by what simulations of
// other points have shown. When ctx ends, some keep what was believed of them before.
func (s *search) believe(ctx context.Context, points []*point) {
	const chunk = 100
	var group sync.WaitGroup
	var next atomic.Int64
	for range s.workers() {
		group.Go(func() {
			for i := int(next.Add(chunk)) - chunk; i < len(points) && ctx.Err() == nil; i = int(next.Add(chunk)) - chunk {
				s.believeSome(points[i:min(i+chunk, len(points))])
			}
		})
	}
	group.Wait()
}

func (s *search) believeSome(points []*point) {
	var features [][]float64
	for _, p := range points {
		features = append(features, p.features)
	}
	beliefs := make([][]belief, len(points))
	for i, g := range s.surrogates {
		mean, deviation := make([]float64, len(points)), slices.Repeat([]float64{priorSpread}, len(points))
		if g != nil {
			mean, deviation = g.predict(features)
		}
		for k, p := range points {
			b := belief{mean[k], deviation[k]}
			if base := p.guesses[i]; !math.IsNaN(base) {
				b.mean += base
			} else if g == nil {
				b.deviation = unknown
			}
			beliefs[k] = append(beliefs[k], b)
		}
	}
	for k, p := range points {
		p.beliefs = beliefs[k]
	}
}

// unknown is the standard deviation of the logarithm of a quantity of which there is no estimate.
const unknown = 3

// learn fits the surrogates to all short and full simulations, and renews all beliefs, as far as it comes until ctx ends.
func (s *search) learn(ctx context.Context) {
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
			if g := fitSurrogate(ctx, x, y, noise); ctx.Err() == nil {
				s.surrogates[i] = g
			}
		}
	}
	s.believe(ctx, s.pool)
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
