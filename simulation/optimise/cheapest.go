package optimise

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// improbable is the probability of keeping the limits below which a point that would be cheaper is not
// simulated.
const improbable = 0.02

// seekCheapest looks for the point of the least cost that keeps the limits: the cost is known, so that
// only points below the cheapest one that keeps them need a look. It simulates the cheapest that
// may keep them, and some that probably do, for a short time; when no cheaper one is left to
// look at, the cheapest in full. Of a space that nobody can look at as a whole it only says what it found.
func (s *search) seekCheapest(ctx context.Context) error {
	if s.space.size() > exhaustive {
		return s.seekCheap(ctx)
	}
	s.shorten()
	most := trialsPerDim * max(1, len(s.space.axes))
	for trials := 0; ctx.Err() == nil; {
		s.byPrice()
		next, batch := s.cheapest(trials < most)
		if len(batch) > 0 {
			if err := s.simulateShort(ctx, batch, s.short); err != nil {
				return err
			}
			trials += len(batch)
			s.learn(ctx)
			continue
		}
		if next == nil {
			return nil
		}
		if err := s.confirm(ctx, []*point{next}); err != nil {
			return err
		}
		s.learn(ctx)
		if next.full == nil || next.full.State == Meets {
			return s.equallyCheap(ctx, next)
		}
	}
	return nil
}

// seekCheap looks for points that keep the limits and cost less and less. First it explores; then it simulates in
// full, as long as that may save something. Whenever a point breaks limits that it was believed to keep, more is demanded of the next.
func (s *search) seekCheap(ctx context.Context) error {
	if err := s.explore(ctx, s.improvement); err != nil {
		return err
	}
	most := batchOf * max(1, len(s.space.axes))
	quiet := 0
	for tries := 0; tries < most && quiet < 2 && ctx.Err() == nil; tries++ {
		next, expected := s.bargain()
		if next == nil {
			break
		}
		quiet++
		if expected >= enough {
			quiet = 0
			if err := s.confirm(ctx, []*point{next}); err != nil {
				return err
			}
			s.distrust++
			if next.full != nil && next.full.State == Meets {
				s.distrust = max(0, s.distrust-2)
			}
			s.learn(ctx)
		}
		if err := s.evolve(ctx, s.random(-1-tries), 2); err != nil {
			return err
		}
	}
	if best := s.incumbent(s.pool); best != nil {
		return s.equallyCheap(ctx, best)
	}
	return nil
}

// bargain returns the point that was not simulated in full and is worth most: what can be saved with it, times the
// probability that it keeps the limits. Before any is known to keep them it is the cheapest that probably does, or
// the one that most probably does.
func (s *search) bargain() (best *point, expected float64) {
	incumbent := s.incumbent(s.pool)
	for _, p := range s.pool {
		if p.why != "" || p.full != nil {
			continue
		}
		f := normal(s.margin(p) - s.distrust)
		worth := min(f, surely)
		if incumbent != nil {
			worth = f * s.saving(incumbent.cost, p)
		}
		if best == nil || worth > expected || worth == expected && p.cost < best.cost {
			best, expected = p, worth
		}
	}
	return best, expected
}

// margin is how far a point is believed to be within its limits, in standard deviations, of the one that is nearest.
func (s *search) margin(p *point) float64 {
	least := math.Inf(1)
	for i := range s.question.Limits {
		least = min(least, s.within(p, i, leastDoubt))
	}
	return least
}

const (
	surely     = 0.9  // is enough for the first point that is simulated in full
	leastDoubt = 0.02 // of what short simulations say of long ones, in logarithms
)

// byPrice sorts the pool by cost.
func (s *search) byPrice() {
	slices.SortStableFunc(s.pool, func(a, b *point) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), strings.Compare(a.name, b.name))
	})
}

// cheapest returns the cheapest point that may keep the limits and was not simulated in full, if
// nothing cheaper is left to try; otherwise what to try: the cheapest points, and the cheapest of those that
// probably keep the limits.
func (s *search) cheapest(trials bool) (next *point, try []*point) {
	open := 0
	for _, p := range s.pool {
		open += boolean(p.why == "")
	}
	few := open <= direct
	likely := 0
	for _, p := range s.pool {
		f := s.feasible(p)
		if p.full != nil || p.why != "" || f < improbable && !few {
			continue
		}
		if p.short != nil || few || !trials {
			if len(try) == 0 {
				return p, nil
			}
			if f >= 0.5 {
				break // what costs more is of no interest
			}
			continue
		}
		if len(try)-likely < batchOf/2 {
			try = append(try, p)
		} else if f >= 0.5 {
			likely++
			try = append(try, p)
		}
		if len(try) == batchOf {
			break
		}
	}
	return nil, try
}

// equallyCheap simulates the points that cost as much as the best: they are its rivals.
func (s *search) equallyCheap(ctx context.Context, best *point) error {
	const most = 8
	var batch []*point
	for _, p := range s.pool {
		if p != best && p.cost == best.cost && p.full == nil && s.feasible(p) >= improbable && len(batch) < most {
			batch = append(batch, p)
		}
	}
	return s.confirm(ctx, batch)
}

// random returns random numbers that depend on the question and the number of trials only.
func (s *search) random(trials int) *rand.Rand {
	return rand.New(rand.NewPCG(s.question.Grid.Seed, uint64(trials)+2))
}
