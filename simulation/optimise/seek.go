package optimise

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"tierscope/simulation/experiment"
)

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

// explore simulates points for a short time, a few at once, those first of which the most can be
// expected; after each batch it learns. It ends when little can be expected of any.
func (s *search) explore(ctx context.Context, worth func() func(*point) float64) error {
	s.shorten()
	most := trialsPerDim * max(1, len(s.space.axes))
	if n := s.space.size() / shareOfSpace; n < float64(most) {
		most = max(int(n), leastTrials)
	}
	quiet := 0
	for trials := 0; trials < most && ctx.Err() == nil; {
		batch, expected := s.choose(worth(), batchOf)
		if len(batch) == 0 {
			return nil
		}
		if expected < enough {
			quiet++
		} else {
			quiet = 0
		}
		if trials >= leastTrials && quiet >= 2 {
			return nil
		}
		if err := s.simulateShort(ctx, batch, s.short); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
		trials += len(batch)
		s.learn()
		if err := s.evolve(ctx, s.random(trials), 2); err != nil {
			return err
		}
	}
	return nil
}

// choose returns the points that are worth most, not too near each other, and what the first is
// worth.
func (s *search) choose(worth func(*point) float64, n int) (batch []*point, best float64) {
	values := map[*point]float64{}
	var open []*point
	for _, p := range s.pool {
		if p.why == "" && p.short == nil && p.full == nil {
			if v := worth(p); v > 0 {
				values[p] = v
				open = append(open, p)
			}
		}
	}
	for len(batch) < n && len(open) > 0 {
		p := slices.MaxFunc(open, func(a, b *point) int { return compare(values[a], values[b]) })
		if len(batch) == 0 {
			best = values[p]
		}
		batch = append(batch, p)
		delete(values, p)
		open = slices.DeleteFunc(open, func(q *point) bool { return q == p })
		for _, q := range open {
			values[q] *= 1 - math.Exp(-squaredDistance(p.features, q.features)/(2*nearness*nearness))
		}
	}
	return batch, best
}

// nearness is the distance, in widths of the space, within which points of one batch would teach the same.
const nearness = 0.1

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func squaredDistance(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return sum
}

// improvement is the expected improvement (Jones, Schonlau & Welch 1998) over the best point that was
// simulated and may keep the limits, relative, times the probability that the limits are kept
// (Schonlau, Welch & Jones 1998); without such a point only that probability counts.
func (s *search) improvement() func(*point) float64 {
	best := math.Inf(1)
	for _, p := range s.simulated() {
		if s.feasible(p) >= 0.5 {
			best = min(best, s.value(p).mean)
		}
	}
	return func(p *point) float64 {
		f := s.feasible(p)
		if math.IsInf(best, 1) {
			return f
		}
		b := s.value(p)
		z := (best - b.mean) / max(b.deviation, 1e-9)
		return f * ((best-b.mean)*normal(z) + b.deviation*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi))
	}
}

// shorten decides how long a short simulation is: some thousands of tasks at the throughput that is
// expected of good points. It is the same for all, on the same random numbers.
func (s *search) shorten() {
	s.short = s.question.Grid
	s.short.Name, s.short.Replications, s.short.Precision = "short", shortRuns, 0
	s.rank()
	var rates, times []float64
	const good = 50
	for _, p := range s.pool[:min(good, len(s.pool))] {
		if p.rate > 0 {
			rates = append(rates, p.rate)
			if !math.IsInf(p.response, 1) {
				times = append(times, p.response)
			}
		}
	}
	if len(rates) == 0 { // a program that runs to its end, or nobody knows
		return
	}
	slices.Sort(rates)
	slices.Sort(times)
	rate, response := rates[len(rates)/2], 0.0
	if len(times) > 0 {
		response = times[len(times)/2]
	}
	duration := tidy(shortTasks / rate)
	if full := s.question.Grid.Duration; full > 0 {
		duration = min(duration, full/shareOfFull)
	}
	s.short.Duration = duration
	warmup := tidy(max(duration/shortWarmup, responses*response))
	if s.question.Grid.Warmup == 0 || s.question.Grid.Warmup > warmup {
		s.short.Warmup = warmup
	}
}

// tidy rounds a time to two digits, so that similar questions share their short simulations.
func tidy(seconds float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(seconds))-1)
	return math.Round(seconds/unit) * unit
}

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
		s.learn()
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
		s.learn()
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
		s.learn()
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
		s.learn()
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

// simulateShort simulates points for a short time.
func (s *search) simulateShort(ctx context.Context, batch []*point, e experiment.Experiment) error {
	return s.simulate(ctx, e, "simulated shortly", batch, func(p *point, c *Candidate) {
		c.Short = true
		p.short = c
	})
}

// simulateFull simulates points as the question asks for.
func (s *search) simulateFull(ctx context.Context, batch []*point, e experiment.Experiment) error {
	return s.simulate(ctx, e, "simulated in full", batch, func(p *point, c *Candidate) { p.full = c })
}

// simulate simulates points and judges them. When ctx ends those that were not finished stay as they are.
func (s *search) simulate(ctx context.Context, e experiment.Experiment, stage string, batch []*point, keep func(*point, *Candidate)) error {
	if len(batch) == 0 || ctx.Err() != nil {
		return nil // a large model takes long to be hashed
	}
	var settings []map[string]float64
	for _, p := range batch {
		settings = append(settings, maps.Clone(p.settings))
	}
	plan, err := s.runner.PlanPoints(ctx, e, settings)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	if plan, err = s.runner.Run(ctx, plan); err != nil && ctx.Err() == nil {
		return err
	}
	for k, p := range batch {
		result := plan.Points[k].Result
		if result == nil || result.Interrupted {
			continue
		}
		c := &Candidate{Point: plan.Points[k], Cost: p.cost}
		if err := s.judge(c); err != nil {
			return fmt.Errorf("configuration %s: %w", describe(p.settings), err)
		}
		keep(p, c)
		s.note(stage, 1, 0, result.Events)
	}
	return nil
}
