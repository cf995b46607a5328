package optimise

import (
	"context"
	"fmt"
	"math"
	"slices"

	units "tierscope/core/quantity"
	"tierscope/simulation/output"
)

// seekFront looks for the points that nothing beats in both the cost and the metric.
func (s *search) seekFront(ctx context.Context, open []*point) error {
	if len(open) > direct {
		if err := s.explore(ctx, s.frontier); err != nil {
			return err
		}
		open = s.believedFront()
	}
	return s.confirm(ctx, open)
}

// frontier is the relative improvement that can be expected of a point over what no more costly point that was
// simulated has, times the probability that it keeps the limits.
func (s *search) frontier() func(*point) float64 {
	done := s.simulated()
	return func(p *point) float64 {
		best := math.Inf(1) // of what costs no more
		for _, q := range done {
			if q.cost <= p.cost && s.feasible(q) >= 0.5 {
				best = min(best, s.value(q).mean)
			}
		}
		f, b := s.feasible(p), s.value(p)
		if math.IsInf(best, 1) {
			return f
		}
		z := (best - b.mean) / max(b.deviation, 1e-9)
		return f * ((best-b.mean)*normal(z) + b.deviation*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi))
	}
}

// mostOnFront is the number of points of a front that are simulated in full at most: more than a
// figure shows.
const mostOnFront = 24

// believedFront returns the points that were simulated for a short time and may lie on the front, by
// ascending cost; of too many, every few.
func (s *search) believedFront() []*point {
	all := s.simulated()
	slices.SortStableFunc(all, func(a, b *point) int {
		if a.cost != b.cost {
			return compare(a.cost, b.cost)
		}
		return compare(s.value(a).mean, s.value(b).mean)
	})
	var front []*point
	best := math.Inf(1)
	for _, p := range all {
		b := s.value(p)
		if s.feasible(p) < possible || b.mean-2*b.deviation >= best {
			continue
		}
		front = append(front, p)
		if s.feasible(p) >= 0.5 {
			best = min(best, b.mean)
		}
	}
	for k := 2; len(front) > mostOnFront; k++ {
		var few []*point
		for i, p := range front {
			if i%k == 0 || i == len(front)-1 {
				few = append(few, p)
			}
		}
		front = few
	}
	return front
}

// markFront marks the candidates that meet the limits and that no other beats: one that costs no more and is clearly
// better, or costs less and is not clearly worse.
func (s *search) markFront(all []Candidate) {
	for i := range all {
		c := &all[i]
		c.Front = c.State == Meets && !c.Short
		for k := range all {
			o := &all[k]
			if k == i || !c.Front || o.State != Meets || o.Short || o.Cost > c.Cost {
				continue
			}
			d := output.Between(o.Objective, c.Objective, true, 0.95).Absolute
			if s.question.Maximise != "" {
				d.Lo, d.Hi, d.Mean = -d.Hi, -d.Lo, -d.Mean
			}
			worse, better := d.Lo > 0, d.Hi < 0
			if worse || o.Cost < c.Cost && !better {
				c.Front, c.Why = false, "beaten by "+describe(o.Settings)
			}
		}
	}
}

// frontSentence says where the front begins and ends.
func (s *search) frontSentence(a *Answer) string {
	var front []Candidate
	for _, c := range a.Candidates {
		if c.Front {
			front = append(front, c)
		}
	}
	if len(front) == 0 {
		return "The front is not known yet: the best points were simulated for a short time only."
	}
	first, last := front[0], front[len(front)-1]
	text := fmt.Sprintf("%d configurations are on the front, from a cost of %s (%s) to %s (%s).", len(front),
		units.Digits(first.Cost, 3), describe(first.Settings), units.Digits(last.Cost, 3), describe(last.Settings))
	if len(front) == 1 {
		text = fmt.Sprintf("One configuration beats all others in both: %s, at a cost of %s.", describe(first.Settings), units.Digits(first.Cost, 3))
	}
	return text
}
