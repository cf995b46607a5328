package simulation

import (
	"fmt"
	"math"
	"slices"

	"tierscope/core"
	units "tierscope/core/quantity"
	"tierscope/simulation/des"
	"tierscope/simulation/output"
)

// A run of automatic length is made longer until its replications are several times as
// long as its queues remember and their mean response times are known well enough; near
// saturation that may be very long. What cannot be had for mostEvents is not known.
const (
	wantedPrecision = 0.10 // relative half-width of the mean response times
	// mostCorrelation of neighbouring eighths of a replication: about what 17 times the
	// relaxation time of an exponentially correlated process has. Independent ones have
	// more in less than 1 of 100 runs of 10 replications.
	mostCorrelation = 0.3
	longerAtOnce    = 8   // times at most
	leastLonger     = 1.5 // times: less is not worth simulating everything again
	mostEvents      = 3e7 // executed in all replications together
	fewestForMemory = 500 // tasks of a class per replication whose course says something
)

// extend makes the plan longer if the replications so far ask for it. They are
// then simulated again, in full length.
func (c *conductor) extend(done []outcome) bool {
	if !c.automatic() {
		return false
	}
	r := c.estimate(done, false)
	if r.Unstable {
		return false
	}
	factor := 1.0
	if p := c.spread; p > wantedPrecision && !math.IsInf(p, 0) {
		factor = p / wantedPrecision * p / wantedPrecision
	}
	if c.remembers(done) {
		factor = max(factor, longerAtOnce)
	}
	factor = min(factor, longerAtOnce, mostEvents/float64(max(r.Events, 1)))
	if factor < leastLonger {
		return false
	}
	duration := roundUp(factor * c.plan.duration.Seconds())
	c.plan.duration = des.Seconds(duration)
	if c.options.Warmup == 0 {
		c.plan.warmup = max(c.plan.warmup, des.Seconds(roundUp(duration/warmupShare)))
	}
	return true
}

// automatic reports whether the conductor chooses the length.
func (c *conductor) automatic() bool {
	return !c.terminating && c.options.Duration == 0 && c.overload == "" && !c.options.BatchMeans
}

// remembers reports whether the replications are too short for what the response times
// of a class, or the number in the system, remember.
func (c *conductor) remembers(done []outcome) bool {
	end := int64(c.plan.warmup + c.plan.duration)
	long := func(series func(*outcome) *output.Series) bool {
		return c.memory(done, end, series).Correlation > mostCorrelation
	}
	for class := range c.classes() {
		if long(func(o *outcome) *output.Series { return o.ResponseCourse[class] }) {
			return true
		}
	}
	return long(func(o *outcome) *output.Series { return o.SystemCourse })
}

// wholly is the part of its time that a replication must have come through to count; the
// rest is rounding.
const wholly = 0.999

// memory is that of one course of all replications that came to their end.
func (c *conductor) memory(done []outcome, end int64, series func(*outcome) *output.Series) output.Memory {
	var all []*output.Series
	for i := range done {
		s := series(&done[i])
		if s == nil || done[i].Until < wholly*des.Time(end).Seconds() {
			return output.Memory{}
		}
		all = append(all, s)
	}
	if countOf(all) < int64(fewestForMemory*len(all)) {
		return output.Memory{}
	}
	return output.MemoryOf(all, int64(c.plan.warmup), end)
}

// lasting reports whether replications are pieces of a process that goes on.
func (c *conductor) lasting() bool { return !c.terminating && !c.result.BatchMeans }

// responses is the memory of the response times of a class.
func (c *conductor) responses(done []outcome, class int) output.Memory {
	if !c.lasting() {
		return output.Memory{}
	}
	return c.memory(done, int64(c.plan.warmup+c.plan.duration), func(o *outcome) *output.Series { return o.ResponseCourse[class] })
}

// surely is the relative half-width below which a number is known whatever queues
// remember: replications that differ so little have not been cut short by it.
const surely = 0.05

// admit marks what is not known: numbers that queues make and that replications differ in, of a run that is too short
// for what queues remember, and means that heavy tails keep from settling.
func (c *conductor) admit(r *Result, done []outcome) {
	c.spread = c.precision(r)
	if !c.automatic() || len(done) < 2 {
		return
	}
	remembers := c.remembers(done)
	c.short = false
	for i := range r.Metrics {
		m := &r.Metrics[i]
		mean := m.Name == "R" && m.Stat == "mean"
		queued := remembers && slices.Contains([]string{"R", "N", "Q", "W", "B"}, m.Name) && m.Estimate.Precision() > surely
		c.short = c.short || queued
		if queued || c.tail != "" && mean {
			m.Estimate = m.Estimate.AtLeast()
		}
	}
}

// notKnown says that a run is too short for its queues.
func (c *conductor) notKnown(r *Result) string {
	busiest, u := r.Busiest()
	return fmt.Sprintf("not known: queues remember for longer than the %s that were simulated %d times (%s is %s busy), and began empty, so that response times are at least what is shown and their upper end is open; give a longer duration, or a load that is not so close to saturation",
		units.Format(r.Duration, "s"), r.Replications, busiest, units.Share(u))
}

// Shapes of Pareto laws of service times: up to the first the mean wait of an open queue
// does not exist, since it grows with E[S²], up to the second its variance does not,
// which grows with E[S³] (Pollaczek 1930; Takács 1962).
const (
	noMeanWait     = 2
	noVarianceWait = 3
)

// tailOf says that means of response times do not settle because of a heavy tail; "":
// there is none.
func tailOf(m *core.Model) string {
	shape, where := math.Inf(1), ""
	see := func(d core.Distribution, what string) {
		if s := shapeOf(d); s < shape {
			shape, where = s, what
		}
	}
	for _, g := range m.Graphs {
		for i := range g.Fragments {
			f := &g.Fragments[i]
			see(f.Demand, g.ID+"/"+f.ID)
			see(f.Delay, g.ID+"/"+f.ID)
		}
	}
	for _, d := range m.Disks {
		for _, l := range d.Service {
			for _, row := range l.Rows {
				see(row.Time, "disk "+d.ID)
			}
		}
	}
	open := slices.ContainsFunc(m.Sources, func(s core.Source) bool { return s.Kind != core.Closed })
	switch {
	case shape > noVarianceWait || shape > noMeanWait && !open:
		return ""
	case shape > noMeanWait || !open:
		return fmt.Sprintf("heavy tail: the times of %s are of a Pareto law of shape %g, so that response times have no variance: the upper end of their mean is not known; percentiles are", where, shape)
	}
	return fmt.Sprintf("heavy tail: the times of %s are of a Pareto law of shape %g, which has no variance, so that mean waits behind them grow for as long as one looks, at any load: that is no saturation; use percentiles", where, shape)
}

// shapeOf is the least shape of the Pareto laws in a distribution, +Inf if there is none.
func shapeOf(d core.Distribution) float64 {
	shape := math.Inf(1)
	if d.Kind == core.Pareto {
		shape = d.Shape
	}
	for _, x := range d.Components {
		shape = min(shape, shapeOf(x))
	}
	return shape
}

// bears reports whether a model with some demands surely bears its load: the operational laws say so, and
// nothing is in it that they do not see.
func bears(m *core.Model, d *core.Demands) bool {
	return len(m.Locks) == 0 && len(d.Notes) == 0 && d.Rate > 0 && d.Bounds().Stable
}

// thinkTime is the longest mean time that users of closed sources think, for which the
// start of a run, when all of them think, is remembered at least; 0 if there are none.
// closed: there are no other sources, so that the number in the system has a limit.
func thinkTime(m *core.Model) (seconds float64, users int, closed bool) {
	closed = len(m.Sources) > 0
	for _, s := range m.Sources {
		if s.Kind == core.Closed {
			seconds = max(seconds, s.Think.Expectation())
			users += s.Population
		} else {
			closed = false
		}
	}
	return seconds, users, closed
}
