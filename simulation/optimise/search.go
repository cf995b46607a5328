package optimise

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"

	"tierscope/simulation/experiment"
)

// search is the state of a run.
type search struct {
	runner     *experiment.Runner
	question   Question
	cost       *experiment.Expression
	costKnown  map[string]float64 // values of the model that the cost names
	space      *space
	quantities []quantity // what is predicted: of the limits in their order, then the objective
	surrogates []*surrogate
	pool       []*point // all points that were looked at
	index      map[string]*point
	stages     []Stage
	short      experiment.Experiment // how long a short simulation is
}

// point is a configuration with what is known of it.
type point struct {
	screened
	beliefs []belief   // by quantity
	short   *Candidate // after a short simulation
	full    *Candidate // after a simulation as the question asks for
}

// belief is what is believed of the logarithm of a quantity.
type belief struct{ mean, deviation float64 }

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
	dead := 0
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
		s.believe(p)
		s.index[key] = p
		s.pool = append(s.pool, p)
		if p.why != "" {
			dead++
		}
	}
	s.note("estimated", len(fresh), dead, 0)
	return nil
}

func (s *search) workers() int {
	if s.runner.Pool != nil {
		return s.runner.Pool.Workers()
	}
	return 2
}

// rank sorts the pool by promise: the points that may meet the limits first, by what they are believed
// to be worth; then the others by how near they come.
func (s *search) rank() {
	type merit struct {
		miss, value float64
	}
	merits := make(map[*point]merit, len(s.pool))
	for _, p := range s.pool {
		m := merit{miss: s.miss(p), value: s.value(p).mean}
		if p.why != "" {
			m.miss += 1000
		}
		merits[p] = m
	}
	slices.SortStableFunc(s.pool, func(a, b *point) int {
		x, y := merits[a], merits[b]
		return cmp.Or(cmp.Compare(x.miss, y.miss), cmp.Compare(x.value, y.value), cmp.Compare(a.cost, b.cost), strings.Compare(describe(a.settings), describe(b.settings)))
	})
}

// miss is how far a point is believed to be beyond its limits, in logarithms: 0 if it keeps them.
func (s *search) miss(p *point) float64 {
	sum := 0.0
	for i := range s.question.Limits {
		d := p.beliefs[i].mean - math.Log(s.question.Limits[i].Value)
		if s.question.Limits[i].AtLeast {
			d = -d
		}
		if d > 0 {
			sum += d
		}
	}
	return sum
}

// value is what is believed of what is to be minimised: the logarithm of the metric, negative if it is to
// be maximised, or the cost itself.
func (s *search) value(p *point) belief {
	if s.byCost() {
		return belief{p.cost, 0}
	}
	b := p.beliefs[len(p.beliefs)-1]
	if s.question.Maximise != "" {
		b.mean = -b.mean
	}
	return b
}

// byCost reports whether the cost is the only objective.
func (s *search) byCost() bool { return s.question.Maximise == "" && s.question.Minimise == "" }

// feasible is the probability that a point keeps all limits, as far as is believed.
func (s *search) feasible(p *point) float64 {
	if p.why != "" {
		return 0
	}
	sure := 1.0
	for i, l := range s.question.Limits {
		b := p.beliefs[i]
		z := (math.Log(l.Value) - b.mean) / max(b.deviation, 1e-3)
		if l.AtLeast {
			z = -z
		}
		sure *= normal(z)
	}
	return sure
}

// normal is the distribution function of the standard normal distribution.
func normal(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }
