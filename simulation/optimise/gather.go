package optimise

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync/atomic"
)

// How many points are looked at.
const (
	exhaustive  = 20_000 // up to here every point is estimated
	sampled     = 3000   // random points of a larger space at first
	mostKept    = 6000   // points of a larger space that are kept
	generations = 12     // of points near good ones,
	offspring   = 250    // each of so many
)

// gather looks at all points of a small space, or at random ones of a large one and
// at what grows from the best of them.
func (s *search) gather(ctx context.Context) error {
	random := rand.New(rand.NewPCG(s.question.Grid.Seed, 1))
	if s.space.size() <= exhaustive {
		return s.look(ctx, slices.Collect(s.space.all))
	}
	for tries := 0; len(s.pool) < sampled && tries < 20 && ctx.Err() == nil; tries++ { // constraints may leave few
		var places []place
		for range sampled {
			places = append(places, s.space.random(random))
		}
		if err := s.look(ctx, places); err != nil {
			return err
		}
	}
	return s.evolve(ctx, random, generations)
}

// evolve looks at points near the most promising ones, and between them.
func (s *search) evolve(ctx context.Context, random *rand.Rand, generations int) error {
	if s.space.size() <= exhaustive {
		return nil
	}
	for range generations {
		if ctx.Err() != nil || len(s.pool) == 0 {
			return nil
		}
		s.rank()
		const elite = 40
		best := s.pool[:min(elite, len(s.pool))]
		var places []place
		for range offspring {
			p := best[random.IntN(len(best))].place
			if random.IntN(4) == 0 {
				p = s.space.mix(p, best[random.IntN(len(best))].place, random)
			}
			places = append(places, s.space.near(p, random))
		}
		if err := s.look(ctx, places); err != nil {
			return err
		}
	}
	s.rank()
	for _, p := range s.pool[min(len(s.pool), mostKept):] { // but not what was simulated
		if p.short == nil && p.full == nil {
			delete(s.index, s.space.key(p.place))
		}
	}
	s.pool = slices.DeleteFunc(s.pool, func(p *point) bool { return s.index[s.space.key(p.place)] == nil })
	return nil
}

// look screens points that are new, several at a time, and puts them into the pool in the order given.
// When ctx ends it takes what there is.
func (s *search) look(ctx context.Context, places []place) error {
	type seen struct {
		i    int
		c    screened
		done bool
		ok   bool
		err  error
	}
	fresh := places[:0:0]
	for _, p := range places {
		if key := s.space.key(p); s.index[key] == nil {
			s.index[key] = &point{}
			fresh = append(fresh, p)
		}
	}
	found := make(chan seen, len(fresh)) // who looks is never in anybody's way
	var next atomic.Int64
	for range s.workers() {
		go func() {
			for i := int(next.Add(1) - 1); i < len(fresh) && ctx.Err() == nil; i = int(next.Add(1) - 1) {
				x := seen{i: i, done: true}
				x.c, x.ok, x.err = s.screen(fresh[i])
				found <- x
			}
		}()
	}
	all := make([]seen, len(fresh))
	for n := 0; n < len(fresh) && ctx.Err() == nil; n++ {
		select {
		case x := <-found:
			all[x.i] = x
		case <-ctx.Done(): // one look at a large model may take for long: nobody waits for it
		}
	}
	dead, before := 0, len(s.pool)
	for i, x := range all {
		key := s.space.key(fresh[i])
		if x.err != nil {
			return x.err
		}
		if !x.ok {
			if !x.done {
				delete(s.index, key)
			}
			continue
		}
		p := &point{screened: x.c}
		s.index[key] = p
		s.pool = append(s.pool, p)
		if p.why != "" {
			dead++
		}
	}
	s.believe(context.WithoutCancel(ctx), s.pool[before:]) // nobody is in the pool without
	s.note("estimated", len(fresh), dead, 0)
	return nil
}

func (s *search) workers() int {
	if s.runner.Pool != nil {
		return s.runner.Pool.Workers()
	}
	return 2
}
