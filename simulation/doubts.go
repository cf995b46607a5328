package simulation

import (
	"fmt"
	"math"
	"strings"

	"tierscope/core"
	units "tierscope/core/quantity"
	"tierscope/simulation/des"
	"tierscope/simulation/output"
)

// growthConfidence is that of the interval of the growth of the number in the
// system: a stable configuration is called unstable once in 1000 runs by
// chance, and then only if the growth also matters.
const growthConfidence = 0.998

// growthMatters is the growth over the observed time, relative to the mean
// number in the system, from which it is worth a warning. A queue that grows
// from 0 at a constant rate has 2.
const growthMatters = 0.5

// noResults is the warning of a run that was interrupted too early.
const noResults = "interrupted before any replication came past its warm-up: there are no results"

// warn adds what makes the result doubtful.
func (c *conductor) warn(r *Result, done []outcome) {
	add := func(format string, args ...any) { r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...)) }
	r.Warnings = append([]string(nil), c.result.Warnings...)
	var lists [][]string
	for _, o := range done {
		lists = append(lists, o.Warnings)
	}
	distinct, times := counted(lists)
	for _, w := range distinct {
		if times[w] == len(done) {
			add("%s", w)
		} else {
			add("%s (in %d of %d replications)", w, times[w], len(done))
		}
	}
	switch {
	case len(done) == 0:
		add(noResults)
		return
	case r.Interrupted && c.result.BatchMeans:
		add("interrupted after %d of %d batches", len(done), batches)
	case r.Interrupted && len(done) > 0 && done[0].Until < (c.plan.warmup+c.plan.duration).Seconds() && !done[0].Ended:
		add("interrupted during the first replications: the results are of %s simulated instead of %s",
			units.Format(r.Duration, "s"), units.Format(c.plan.duration.Seconds(), "s"))
	case r.Interrupted:
		add("interrupted after %s", units.Plural(len(done), "replication"))
	}
	if c.tail != "" && c.overload == "" && !c.terminating {
		add("%s", c.tail)
	} else if sentence := c.growth(r, done); sentence != "" {
		r.Unstable = true
		add("%s", sentence)
	} else if c.overload != "" {
		r.Unstable = true
		add("%s", c.overload)
	} else if c.short {
		r.Short = true
		add("%s", c.notKnown(r))
	} else if p := c.meanPrecision(r); p > roughPrecision && !r.Interrupted && !r.Terminating {
		busiest, u := r.Busiest()
		add("mean response times are known to ±%s only (%s is %s busy): close to saturation a queue remembers the past for long; give a longer duration",
			units.Share(p), busiest, units.Share(u))
	} else if !c.plan.steady {
		add("not steady: the pilot replications were still moving after %s; give a longer warm-up or duration",
			units.Format(2*c.plan.warmup.Seconds(), "s"))
	}
	if c.options.Precision > 0 {
		if p := c.precision(r); p > c.options.Precision {
			add("precision not reached: ±%s after %d replications instead of ±%s", units.Share(p), r.Replications, units.Share(c.options.Precision))
		}
	}
	if !c.result.BatchMeans && len(done) < output.FewObservations && !r.Interrupted {
		add("only %s: intervals need at least %d, better %d", units.Plural(len(done), "replication"), output.FewObservations, defaultReplications)
	}
}

// roughPrecision is the relative half-width of a mean response time from which
// a result carries a warning even if nobody asked for a precision.
const roughPrecision = 0.25

// meanPrecision returns the largest relative half-width of the mean response
// times of classes with enough tasks to expect a narrow one.
func (c *conductor) meanPrecision(r *Result) float64 {
	worst := 0.0
	for i, m := range r.Metrics {
		if m.Name != "R" || m.Stat != "mean" || m.Estimate.N < output.FewObservations {
			continue
		}
		if x, ok := r.Find("X " + m.Of + " mean"); ok && x.Estimate.Mean*r.Duration*float64(r.Replications) >= tasksPerClass {
			worst = max(worst, r.Metrics[i].Estimate.Precision())
		}
	}
	return worst
}

// overloadOf says that arrivals exceed capacity by the operational laws, if
// they do and no task is ever turned away; "" otherwise.
func overloadOf(m *core.Model, d *core.Demands) string {
	for _, q := range m.Queues {
		if q.Capacity >= 0 && q.WhenFull != core.Block && q.WhenFull != "" || !q.Patience.IsZero() {
			return ""
		}
	}
	b := d.Bounds()
	if b.Stable || b.Batch || len(d.Notes) > 0 {
		return ""
	}
	limit := b.Bottleneck.Limit()
	return fmt.Sprintf("unstable: %s arrive but %s can serve %s at most, so queues grow for ever and response times depend on how long one looks; choose a load below %s, or bound the queue",
		units.Format(d.Rate, "1/s"), b.Bottleneck.Of, units.Format(limit, "1/s"), units.Format(limit, "1/s"))
}

// growth says that arrivals exceed capacity, if they do: the number in the
// system grows in all replications, by an amount that matters.
func (c *conductor) growth(r *Result, done []outcome) string {
	if c.terminating || c.closed || c.bears || len(done) == 0 || done[0].SystemCourse == nil {
		return ""
	}
	if r.BatchMeans {
		return c.batchGrowth(r, done)
	}
	var series []*output.Series
	var arrivals, completions int64
	var observed, level float64
	for _, o := range done {
		series = append(series, o.SystemCourse)
		arrivals += o.Arrivals
		completions += o.Completions
		observed += o.Observed
	}
	end := c.plan.warmup + c.plan.duration
	slope := output.Growth(series, int64(c.plan.warmup), int64(end), growthConfidence)
	course, width := output.Course(series, int64(end))
	n := 0.0
	for i, v := range course {
		if !math.IsNaN(v) && int64(i)*width >= int64(c.plan.warmup) {
			level += v
			n++
		}
	}
	level /= n
	grown := slope.Mean * float64(c.plan.duration)
	if !(slope.Lo > 0) || grown < growthMatters*level || grown < 1 || !grows(course) {
		return ""
	}
	return overload(float64(arrivals)/observed, float64(completions)/observed, grown/c.plan.duration.Seconds(), r)
}

// steadyGrowth is how much more there is in the second half of a course than in the first
// if it grows at a constant rate: 3 times as much from 0 on. A queue that is only filling
// up, like the root of time (reflected Brownian motion), has 1.8 times as much.
const steadyGrowth = 2.3

// grows reports whether a course from time 0 on grows at a constant rate.
func grows(course []float64) bool {
	var halves [2]output.Tally
	for i, v := range course {
		if !math.IsNaN(v) {
			halves[2*i/len(course)].Add(v)
		}
	}
	return halves[1].Mean() > steadyGrowth*halves[0].Mean()
}

// batchGrowth is growth in the single-run mode, where the batch means of the
// number in the system are the observations.
func (c *conductor) batchGrowth(r *Result, done []outcome) string {
	last := done[len(done)-1]
	from, end := c.plan.warmup, des.Seconds(last.Until)
	course, width := output.Course([]*output.Series{last.SystemCourse}, int64(end))
	var first, second output.Tally
	for i, v := range course {
		switch at := int64(i) * width; {
		case math.IsNaN(v) || at < int64(from):
		case at < int64(from+(end-from)/2):
			first.Add(v)
		default:
			second.Add(v)
		}
	}
	// A steadily growing queue holds three times as much in its second half.
	if first.Count() == 0 || second.Mean() < 2*first.Mean() || second.Min() < first.Mean() {
		return ""
	}
	var arrivals, completions int64
	var observed float64
	for _, o := range done {
		arrivals += o.Arrivals
		completions += o.Completions
		observed += o.Observed
	}
	grown := 2 * (second.Mean() - first.Mean())
	return overload(float64(arrivals)/observed, float64(completions)/observed, grown/observed, r)
}

// overload is the sentence about arrivals that exceed capacity.
func overload(arrivals, completions, growth float64, r *Result) string {
	why := ""
	if busiest, most := r.Busiest(); busiest != "" {
		why = fmt.Sprintf(" (%s is %s busy)", busiest, units.Share(most))
	}
	return fmt.Sprintf("unstable: %s arrive but only %s complete%s, so the number in the system grows by %s and response times depend on how long one looks; choose a load below %s, or bound the queue",
		units.Format(arrivals, "1/s"), units.Format(completions, "1/s"), why, units.Format(growth, "1/s"), units.Format(completions, "1/s"))
}

// nearlySaturated is the utilization from which a resource explains why the
// threads that use it are busy.
const nearlySaturated = 0.9

// always is the utilization of what is busy all the time, but for rounding.
const always = 1 - 1e-6

// Busiest returns the resource with the largest utilization, "" if none is
// used. A thread pool counts only when no nearly saturated processor, disk or
// lock explains what its threads do, and when they wait for tasks at all, which the main thread of a
// batch program never does; and a core only as part of the processor.
func (r *Result) Busiest() (of string, utilization float64) {
	pool, poolBusy := "", 0.0
	for _, m := range r.Metrics {
		u := m.Estimate.Mean
		switch {
		case m.Name != "U" || strings.HasPrefix(m.Of, "core/"):
		case strings.HasPrefix(m.Of, "pool/"):
			if u > poolBusy && !(r.Terminating && u > always) {
				pool, poolBusy = m.Of, u
			}
		case u > utilization:
			of, utilization = m.Of, u
		}
	}
	if utilization < nearlySaturated && poolBusy > utilization {
		return pool, poolBusy
	}
	return of, utilization
}
