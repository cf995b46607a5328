package optimise

import (
	"context"
	"math"
	"slices"
	"time"
)

// explore simulates points for a short time, a few at once, those first of which the most can be
// expected; after each batch it learns. It ends when little can be expected of any.
func (s *search) explore(ctx context.Context, worth func() func(*point) float64) error {
	if end, ok := ctx.Deadline(); ok { // the best have to be simulated in full besides
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(end)*2/3)
		defer cancel()
	}
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
		s.learn(ctx)
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
		b := s.value(p)
		switch {
		case math.IsInf(best, 1):
			return f
		case s.byCost():
			return f * s.saving(best, p)
		}
		z := (best - b.mean) / max(b.deviation, 1e-9)
		return f * ((best-b.mean)*normal(z) + b.deviation*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi))
	}
}

// saving is by how much a point costs less than another, relative; 0 if it does not.
func (s *search) saving(cost float64, p *point) float64 {
	if cost == 0 {
		return max(0, -p.cost)
	}
	return max(0, (cost-p.cost)/math.Abs(cost))
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
