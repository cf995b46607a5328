package optimise

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// sharpen makes the short simulations of the most promising points longer: of all but the best
// quarter nothing more is to be learned (successive halving, Karnin, Koren & Somekh 2013).
func (s *search) sharpen(ctx context.Context) error {
	e := s.short
	for _, keep := range []int{10} {
		if ctx.Err() != nil {
			return nil
		}
		e = longer(e)
		var batch []*point
		for _, p := range s.promising() {
			if len(batch) < keep && p.full == nil {
				batch = append(batch, p)
			}
		}
		if err := s.simulateShort(ctx, batch, e); err != nil {
			return err
		}
		s.learn(ctx)
	}
	return nil
}

// promising returns the points that were simulated for a short time and may keep the limits, the best
// first; if none may, those that come nearest.
func (s *search) promising() []*point {
	all := s.simulated()
	slices.SortStableFunc(all, func(a, b *point) int {
		x, y := s.feasible(a) >= possible, s.feasible(b) >= possible
		switch {
		case x != y:
			return boolean(y) - boolean(x)
		case !x:
			return compare(s.feasible(b), s.feasible(a))
		}
		return compare(s.value(a).mean, s.value(b).mean)
	})
	return all
}

// possible is the probability of keeping the limits from which a point is worth a simulation in full.
const possible = 0.05

// finals simulates the most promising points in full, until some of them keep the limits.
func (s *search) finals(ctx context.Context) error {
	const finalists, mostTries = 4, 4
	for range mostTries {
		var batch []*point
		for _, p := range s.promising() {
			if len(batch) < finalists && p.full == nil {
				batch = append(batch, p)
			}
		}
		if len(batch) == 0 || ctx.Err() != nil {
			return nil
		}
		if err := s.confirm(ctx, batch); err != nil {
			return err
		}
		s.learn(ctx)
		for _, p := range s.pool {
			if p.full != nil && p.full.State == Meets {
				return s.polish(ctx)
			}
		}
	}
	return nil
}

// polish looks once more at what may be better than the best, now that this is known well: points near it that
// nobody has simulated, not quite so shortly, and of these the best in full.
func (s *search) polish(ctx context.Context) error {
	const times, better = 2, 2
	for k := range times {
		if ctx.Err() != nil || s.dear(batchOf*longerRounds/shareOfFull+better) {
			return nil
		}
		if err := s.evolve(ctx, s.random(-1-k), 2); err != nil {
			return err
		}
		batch, expected := s.choose(s.improvement(), batchOf)
		if expected < enough {
			return nil
		}
		if err := s.simulateShort(ctx, batch, longer(s.short)); err != nil {
			return err
		}
		s.learn(ctx)
		before := s.incumbent(s.pool)
		var rivals []*point
		for _, p := range s.promising() {
			if p.full == nil && len(rivals) < better && s.value(p).mean < s.value(before).mean+s.value(p).deviation {
				rivals = append(rivals, p)
			}
		}
		if len(rivals) == 0 {
			return nil
		}
		if err := s.confirm(ctx, rivals); err != nil {
			return err
		}
		s.learn(ctx)
	}
	return nil
}

// shareOfGrid is the part of what the whole grid would take from which a search refines its answer no further: whoever
// has more time simulates the grid.
const shareOfGrid = 20

// dear reports whether as much more as so many points in full would be more than that part. A space of which
// the part is a few points has none. What the grid would take is estimated from all points that were simulated shortly: the
// best, which were simulated in full, have more to do than most.
func (s *search) dear(points float64) bool {
	size := s.space.size()
	if size <= exhaustive { // of these the pool has all that keep the constraints
		size = float64(len(s.pool))
	}
	if size < shareOfGrid*direct {
		return false
	}
	var full, both, short []float64 // events of points in full; of a replication of those that were simulated shortly too, and of all
	spent := 0.0
	for _, st := range s.stages {
		spent += float64(st.Events)
	}
	each := func(c *Candidate) float64 { return float64(c.Result.Events) / float64(c.Result.Replications) }
	for _, p := range s.pool {
		if p.full != nil {
			full = append(full, each(p.full)*float64(s.question.Grid.Options().Inputs().Replications))
			if p.short != nil {
				both = append(both, each(p.short))
			}
		}
		if p.short != nil {
			short = append(short, each(p.short))
		}
	}
	if len(full) == 0 {
		return false
	}
	usual := stat.Mean(full, nil)
	if len(both) > 0 {
		usual *= stat.Mean(short, nil) / stat.Mean(both, nil)
	}
	return spent+points*stat.Mean(full, nil) > usual*size/shareOfGrid
}

// confirm simulates points as the question asks for, and those that stay undecided, or that cannot be told
// apart from the best though the difference would matter, longer.
func (s *search) confirm(ctx context.Context, batch []*point) error {
	e := s.question.Grid
	if err := s.simulateFull(ctx, batch, e); err != nil {
		return err
	}
	times := rounds
	if len(s.pool) > direct {
		times = 1 // there are others
	}
	for range times {
		e = longer(e)
		var open []*point
		rivals := s.unclear(batch)
		for _, p := range batch {
			if p.full != nil && (p.full.State == Undecided || slices.Contains(rivals, p)) {
				open = append(open, p)
			}
		}
		if len(open) == 0 || ctx.Err() != nil || s.dear(longerRounds*float64(len(open))) {
			return nil
		}
		if err := s.simulateFull(ctx, open, e); err != nil {
			return err
		}
	}
	return nil
}
