package optimise

import (
	"cmp"
	"context"
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
// look at, the cheapest in full.
func (s *search) seekCheapest(ctx context.Context) error {
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
			s.learn()
			if err := s.evolve(ctx, s.random(trials), 1); err != nil {
				return err
			}
			continue
		}
		if next == nil {
			return nil
		}
		if err := s.confirm(ctx, []*point{next}); err != nil {
			return err
		}
		s.learn()
		if next.full == nil || next.full.State == Meets {
			return s.equallyCheap(ctx, next)
		}
	}
	return nil
}

// byPrice sorts the pool by cost.
func (s *search) byPrice() {
	slices.SortStableFunc(s.pool, func(a, b *point) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), strings.Compare(describe(a.settings), describe(b.settings)))
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
