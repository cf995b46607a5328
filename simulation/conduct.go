package simulation

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/output"
)

// batches of a batch means run (Schmeiser 1982 advises 10 to 30).
const batches = 30

// conductor runs the replications of one configuration and turns them into a
// result. Its decisions (how long, how many) depend on complete sets of
// replications only, never on which was done first.
type conductor struct {
	simulator
	options     Options     // with defaults
	result      Result      // what is known before the first replication
	terminating bool        // runs to the program's own end
	longest     des.Time    // after which a program that should have ended counts as endless; 0: never
	tasks       bool        // tasks reach sinks, so progress can be counted in them
	original    *core.Model // without the configuration
	model       *core.Model // with it; nil: nothing is drawn
	bears       bool        // the load, by laws that see all of the model
	closed      bool        // all tasks are of users who wait for them
	dilation    float64     // of all times of the model
	think       float64     // seconds: the longest mean think time
	users       int
	tail        string  // why means do not settle, see tailOf
	spread      float64 // relative half-width of the mean response times of the last estimate
	short       bool    // something of the last estimate is not known: the replications are too short for what queues remember
	overload    string  // why arrivals exceed capacity by the operational laws; "": they do not, or nobody knows
	began       time.Time
	plan        plan
	progress    progress
	sent        map[string]bool // classes of the tasks that come from outside
	busy        atomic.Int64    // nanoseconds of all workers
	broken      []outcome       // of a pilot that showed that the model breaks
	scripted    bool            // walks are followed
	walks       *core.Walks     // these
	way         attempt         // how they are followed
	deviation   string          // why the answer of the walks does not count
}

// do calls f when a worker is free, as Pool.do.
func (c *conductor) do(ctx context.Context, f func()) bool {
	return c.options.Pool.do(ctx, func() {
		began := time.Now()
		f()
		c.busy.Add(int64(time.Since(began)))
	})
}

// plan is how long to simulate.
type plan struct {
	warmup, duration des.Time
	steady           bool // the pilots had come to a steady state
}

// conduct runs the configuration. What it returns is complete unless ctx ends;
// then it is of the replications so far. It is nil if walks were followed and the
// answer does not count.
func (c *conductor) conduct(ctx context.Context) *Result {
	c.began = time.Now()
	c.plan = c.planned(ctx)
	if c.broken != nil {
		return c.final(c.broken, false)
	}
	if c.options.BatchMeans && !c.terminating {
		return c.conductBatches(ctx)
	}
	rule := output.Stopping{
		Precision: c.options.Precision,
		Min:       c.options.Replications,
		Max:       c.options.MaxReplications,
	}
	var done, short []outcome // short: the replications before they were extended
	var shortPlan plan
	for n := rule.Next(0, 0); n > len(done); {
		c.progress.plan(n)
		more, whole := c.replicate(ctx, len(done), n)
		done = append(done, more...)
		if c.scripted {
			if c.deviation = deviates(done, c.way); c.deviation != "" {
				return nil
			}
		}
		if len(done) > 0 && done[len(done)-1].Broken {
			return c.final(done, false)
		}
		if !whole {
			if len(short) > 0 && len(done) < output.FewObservations {
				c.plan, done = shortPlan, short
			}
			return c.final(done, true)
		}
		if planned := c.plan; n == rule.Min && c.extend(done) {
			short, shortPlan, done = done, planned, nil
			c.progress.restart()
			continue
		}
		if rule.Precision > 0 && !c.short { // more of what is too short would not help
			n = rule.Next(n, c.precision(c.estimate(done, false)))
		}
	}
	r := c.final(done, false)
	c.vary(ctx, r, len(done))
	return r
}

// replicate runs the replications from first to before last in parallel, and
// returns those that came to their end, in order, and whether all did. One that shows
// that the model is broken is the last. If
// none came to its end, those that were interrupted after their warm-up are returned.
func (c *conductor) replicate(ctx context.Context, first, last int) (done []outcome, whole bool) {
	outcomes := make([]outcome, last-first)
	complete := make([]bool, last-first)
	upTo(c.options.Pool.Workers(), len(outcomes), func(i int) (last bool) {
		c.do(ctx, func() {
			outcomes[i], complete[i] = c.one(ctx, first+i)
			if complete[i] {
				c.finished(first+i, outcomes[i])
			}
		})
		return outcomes[i].Broken || ctx.Err() != nil
	})
	if i := slices.IndexFunc(outcomes, func(o outcome) bool { return o.Broken }); i >= 0 {
		before := 0 // where ctx ended, some of them may not have begun
		for before < i && complete[before] {
			before++
		}
		return append(outcomes[:before:before], outcomes[i]), false
	}
	whole = !slices.Contains(complete, false)
	for i, o := range outcomes {
		if complete[i] {
			done = append(done, o)
		}
	}
	if len(done) == 0 && first == 0 {
		for _, o := range outcomes {
			if o.Observed > 0 {
				done = append(done, o)
			}
		}
	}
	return done, whole
}

// slicesPerReplication is how often a replication stops to report how far it is.
const slicesPerReplication = 32

// one runs one replication and reports whether it came to its end.
func (c *conductor) one(ctx context.Context, index int) (outcome, bool) {
	spans := 0
	if index == 0 {
		spans = c.options.Timeline
	}
	r := c.start(c.options.Seed, uint64(index), spans)
	end := c.plan.warmup + c.plan.duration
	if c.terminating {
		end = c.plan.duration
		if end == des.Never && c.longest > 0 {
			r.advance(ctx, c.longest)
			if o := r.observe(); !r.ended() && ctx.Err() == nil {
				o.Endless, o.Warnings = true, append(o.Warnings, c.endless(r))
				return o, true
			}
		} else {
			r.advance(ctx, end)
		}
	} else {
		if c.plan.warmup > 0 {
			r.advance(ctx, c.plan.warmup)
			if ctx.Err() != nil && r.now() < c.plan.warmup {
				return outcome{}, false
			}
			r.restart()
		}
		for k := range des.Time(slicesPerReplication) {
			r.advance(ctx, c.plan.warmup+c.plan.duration/slicesPerReplication*(k+1))
			if ctx.Err() != nil || r.ended() {
				break
			}
			c.advanced()
		}
		r.advance(ctx, end)
	}
	return r.observe(), r.ended() || r.now() >= end
}

// conductBatches is the single-run mode: one replication, observed batch by
// batch (Law & Kelton, 3rd ed., §9.5.3).
func (c *conductor) conductBatches(ctx context.Context) *Result {
	c.progress.plan(1)
	var done []outcome
	whole := c.do(ctx, func() {
		r := c.start(c.options.Seed, 0, c.options.Timeline)
		r.advance(ctx, c.plan.warmup)
		length := max(c.plan.duration*des.Time(c.options.Replications)/batches, 1)
		for k := range des.Time(batches) {
			if ctx.Err() != nil || r.ended() {
				break
			}
			r.restart()
			r.advance(ctx, c.plan.warmup+length*(k+1))
			done = append(done, r.observe())
			c.advanced()
		}
	})
	interrupted := !whole || ctx.Err() != nil && len(done) < batches
	if interrupted && len(done) > 1 {
		done = done[:len(done)-1] // the batch that was cut short
	}
	c.result.BatchMeans = true
	return c.final(done, interrupted)
}

// final is the estimate that is returned, with the timeline.
func (c *conductor) final(done []outcome, interrupted bool) *Result {
	r := c.estimate(done, interrupted)
	if c.scripted {
		r.Warnings = append(r.Warnings, departures(done)...)
	}
	if interrupted && len(done) > 0 && c.varies(r) {
		r.Warnings = append(r.Warnings, withoutInputs)
	}
	for i := len(done) - 1; i >= 0 && r.Timeline == nil; i-- {
		if done[i].Timeline != nil {
			done[i].Timeline.Finish(des.Seconds(done[i].Until))
			r.Timeline = done[i].Timeline.Dilated(c.dilation)
		}
	}
	return r
}
