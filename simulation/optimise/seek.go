package optimise

import "context"

// How much is simulated for a short time.
const (
	direct       = 12   // points that are few enough to be simulated in full at once
	shortRuns    = 3    // replications of a short simulation
	shortTasks   = 2000 // tasks of each
	shortWarmup  = 5    // of its warm-up: a part of so many, or
	responses    = 10   // so many response times
	batchOf      = 6    // points that are simulated before anything is learned from them
	shareOfFull  = 5    // a simulation in full is so many times as long at least, if its length is given
	leastTrials  = 24   // short simulations before a search may end,
	trialsPerDim = 40   // and at most, for each axis
	shareOfSpace = 16   // or one point of so many, if that is less
	enough       = 0.002
)

// seek simulates what must be simulated to find the best points.
func (s *search) seek(ctx context.Context) error {
	var open []*point
	for _, p := range s.pool {
		if p.why == "" {
			open = append(open, p)
		}
	}
	switch {
	case s.question.Pareto:
		return s.seekFront(ctx, open)
	case s.byCost():
		return s.seekCheapest(ctx)
	case len(open) <= direct:
		return s.confirm(ctx, open)
	}
	if err := s.explore(ctx, s.improvement); err != nil {
		return err
	}
	if err := s.sharpen(ctx); err != nil {
		return err
	}
	return s.finals(ctx)
}
