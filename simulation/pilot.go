package simulation

import (
	"context"
	"math"
	"sync"

	"tierscope/simulation/des"
	"tierscope/simulation/output"
)

// What the automatic length of a run aims at.
const (
	pilots          = 5      // pilot replications, whose only use is to find the warm-up and the length
	pilotTasks      = 4000   // completions of a pilot at first
	pilotDoublings  = 5      // of its length at most, until the warm-up lies in its first half
	pilotEvents     = 20e6   // executed at most to find the time scale
	tasksPerRun     = 20_000 // completions of a replication
	tasksPerClass   = 1000   // completions of the rarest class, if that takes at most
	longestForClass = 5      // times as long
	warmupShare     = 9      // the observed time is at least this many times the warm-up,
	leastWarmup     = 50     // and at most this many times: pilots may miss a transient by chance
	eventsPerTask   = 20     // stands in for completions where no task reaches a sink
)

// pilotIndex is the index of the first pilot: apart from all replications, so
// that the cut is independent of what is cut (see output.MSER5).
const pilotIndex = 1 << 32

// planned decides warm-up and duration from pilot replications, unless the
// options give both.
func (c *conductor) planned(ctx context.Context) plan {
	o := c.options
	given := plan{steady: true, duration: des.Seconds(o.Duration), warmup: des.Seconds(max(o.Warmup, 0))}
	switch {
	case c.terminating && o.Duration > 0:
		return given
	case c.terminating:
		given.duration = des.Never
		return given
	case o.Duration > 0 && o.Warmup != 0:
		return given
	}
	p := c.pilot(ctx)
	if o.Duration > 0 {
		p.duration = given.duration
	}
	if o.Warmup != 0 {
		p.warmup, p.steady = given.warmup, true
	}
	return p
}

// pilot runs the pilot replications for as long as it takes to see the end of
// the warm-up.
func (c *conductor) pilot(ctx context.Context) plan {
	runs := make([]replication, pilots)
	for i := range runs {
		runs[i] = c.start(c.options.Seed, uint64(pilotIndex+i), 0)
	}
	var length des.Time
	c.do(ctx, func() { length = c.timeScale(ctx, runs[0]) })
	if runs[0].ended() { // by itself, although nothing in the model says so
		if first := runs[0].observe(); first.Broken {
			c.broken = []outcome{first}
		}
		c.terminating = true
		return plan{duration: des.Never, steady: true}
	}
	for doubling := 0; ; doubling++ {
		seen := c.advanceAll(ctx, runs, length)
		if ctx.Err() != nil { // some of the pilots may have seen nothing
			return plan{duration: length}
		}
		p := planOf(seen, length, c.tasks)
		p.settle(c.remembered(seen, length))
		if p.steady || doubling == pilotDoublings || doubling > 0 && overloaded(seen) {
			return p
		}
		length *= 2
	}
}

// remembered is for how long users of closed sources remember that all of them began by
// thinking: Z + N/X, a round of all of them.
func (c *conductor) remembered(seen []outcome, length des.Time) des.Time {
	var completions int64
	for _, o := range seen {
		completions += o.Completions
	}
	if c.users == 0 || completions == 0 {
		return 0
	}
	round := float64(c.users) * length.Seconds() * pilots / float64(completions)
	return des.Seconds(roundUp(c.think + round))
}

// settle lets a plan have a warm-up of at least t, and observe no shorter.
func (p *plan) settle(t des.Time) {
	p.warmup = max(p.warmup, t)
	p.duration = max(p.duration, t)
}

// overloadShare is the share of the arrivals of a pilot that are still in the
// system at its end, from which no longer pilot is tried: a stable queue would
// have caught up.
const overloadShare = 0.03

// overloaded reports whether in every pilot the number in the system grows at
// a constant rate, half as much again in the second half, and to a
// considerable share of all arrivals.
func overloaded(seen []outcome) bool {
	for _, o := range seen {
		s := o.SystemCourse
		last := s.Len() - 2 // the last bin that is full
		if last < 4 {
			return false
		}
		end, middle := s.Mean(last), s.Mean(last/2)
		if !(end > overloadShare*float64(o.Arrivals) && end > 1.5*middle) {
			return false
		}
	}
	return true
}

// timeScale advances r until it has completed pilotTasks tasks, in steps that
// double, and returns the time reached.
func (c *conductor) timeScale(ctx context.Context, r replication) des.Time {
	for until := des.Millisecond; ; until *= 2 {
		r.advance(ctx, until)
		enough := c.tasks && r.completed() >= pilotTasks || !c.tasks && r.executed() >= eventsPerTask*pilotTasks
		if enough || r.executed() >= pilotEvents || r.ended() || ctx.Err() != nil || until > des.Never/4 {
			return until
		}
	}
}

// advanceAll advances the pilots in parallel and returns what they saw.
func (c *conductor) advanceAll(ctx context.Context, runs []replication, until des.Time) []outcome {
	seen := make([]outcome, len(runs))
	var wg sync.WaitGroup
	for i, r := range runs {
		wg.Go(func() {
			c.do(ctx, func() {
				r.advance(ctx, until)
				seen[i] = r.observe()
			})
		})
	}
	wg.Wait()
	return seen
}

// planOf cuts the longest warm-up that MSER-5 finds in the course of any
// class and of the number in the system, and takes a duration in which the
// tasks come in the wanted number.
func planOf(seen []outcome, length des.Time, tasks bool) plan {
	p := plan{steady: true}
	cut := func(series []*output.Series) {
		values, width := output.Course(series, int64(length))
		at, steady := output.MSER5(values)
		p.warmup = max(p.warmup, des.Time(int64(at)*width))
		p.steady = p.steady && steady
	}
	var completions, events int64
	classes := map[int]int64{}
	var system []*output.Series
	for _, o := range seen {
		completions += o.Completions
		events += o.Events
		for class := range o.Responses {
			classes[class] += o.Responses[class].Count()
		}
		if o.SystemCourse != nil {
			system = append(system, o.SystemCourse)
		}
	}
	if !tasks {
		completions = events / eventsPerTask
	}
	if completions == 0 {
		return plan{duration: length, warmup: 0}
	}
	if countOf(system) >= pilotTasks {
		cut(system)
	}
	rarest := completions
	for class, n := range classes {
		if n > 0 {
			rarest = min(rarest, n)
		}
		if n < pilots*mserLeast {
			continue // too few for a course
		}
		var course []*output.Series
		for _, o := range seen {
			course = append(course, o.ResponseCourse[class])
		}
		cut(course)
	}
	perTask := float64(length) * pilots / float64(completions)
	d := tasksPerRun * perTask
	d = max(d, min(tasksPerClass*float64(length)*pilots/float64(rarest), longestForClass*d))
	warmup := roundUp(max(p.warmup.Seconds(), d*1e-9/leastWarmup))
	p.warmup = des.Seconds(warmup)
	share := float64(warmupShare)
	if !p.steady {
		share = 1 // a warm-up that may have no end is no reason to simulate for ever
	}
	p.duration = des.Seconds(roundUp(max(d*1e-9, share*warmup)))
	return p
}

// mserLeast is the number of completions per pilot below which the course of a
// class says nothing about the warm-up.
const mserLeast = 500

func countOf(series []*output.Series) (n int64) {
	for _, s := range series {
		for i := range s.Len() {
			n += s.Count(i)
		}
	}
	return n
}

// roundUp returns the next number of the series 1, 1.2, 1.5, 2, 2.5, 3, 4, 5,
// 6, 8 in its decade, so that similar configurations are simulated equally
// long and their common random numbers stay in step.
func roundUp(x float64) float64 {
	if x <= 0 {
		return 0
	}
	decade := math.Pow(10, math.Floor(math.Log10(x)))
	for _, step := range []float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8} {
		if step*decade >= x*(1-1e-9) {
			return step * decade
		}
	}
	return 10 * decade
}
