package simulation

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tierscope/simulation/des"
	"tierscope/simulation/output"
)

// percentiles of R and T.
var percentiles = []struct {
	stat string
	p    float64
}{{"p50", 0.50}, {"p90", 0.90}, {"p95", 0.95}, {"p99", 0.99}}

// cdfPoints and coursePoints bound what a result carries for plots.
const (
	cdfPoints    = 200
	coursePoints = 128
)

// estimate turns outcomes, in replication order, into a result.
func (c *conductor) estimate(done []outcome, interrupted bool) *Result {
	r := c.result
	r.Terminating = c.terminating
	r.Replications = len(done)
	if r.BatchMeans {
		r.Replications = 1
	}
	r.Interrupted = interrupted
	r.Warmup = c.plan.warmup.Seconds()
	r.Fingerprint = fingerprint(done)
	r.Elapsed, r.Busy = time.Since(c.began), time.Duration(c.busy.Load())
	for _, o := range done {
		r.Duration += o.Observed
		r.Completions += o.Completions
		if o.Halted && r.Halted == "" {
			r.Halted = strings.Join(o.Warnings[:min(len(o.Warnings), 1)], "")
		}
		if r.BatchMeans {
			r.Events = o.Events // every batch counts from the start of the run
		} else {
			r.Events += o.Events
		}
	}
	r.Duration /= float64(max(r.Replications, 1))
	c.addMetrics(&r, done)
	c.sentFirst(r.Metrics)
	if c.terminating {
		c.addMakespan(&r, done)
	}
	c.admit(&r, done)
	c.addCourses(&r, done)
	c.warn(&r, done)
	r.dilate(c.dilation)
	return &r
}

func fingerprint(done []outcome) string {
	var h uint64
	for i, o := range done {
		h = des.Mix(h ^ des.Mix(o.Fingerprint+uint64(i)))
	}
	return fmt.Sprintf("%016x", h)
}

// addMetrics estimates every quantity, and after the mean response time of a
// class its percentiles.
func (c *conductor) addMetrics(r *Result, done []outcome) {
	confidence := c.options.Confidence
	sums, weights := make([]float64, len(done)), make([]float64, len(done))
	for i, q := range c.quantities() {
		if c.unwanted(q) {
			continue
		}
		visited := false
		for k, o := range done {
			sums[k], weights[k] = o.Ratios[i].Sum, o.Ratios[i].Weight
			visited = visited || weights[k] != 0
		}
		if !visited && q.Name != "R" && q.Name != "X" {
			continue
		}
		e := output.Ratio(sums, weights, confidence)
		if r.BatchMeans && (q.Name == "R" || q.Name == "X") {
			e = output.CheckBatches(e)
		}
		if class := slices.Index(c.classes(), classOf(q.Of)); q.Name == "R" && q.Stat == "mean" && class >= 0 {
			e = e.Remembering(c.responses(done, class))
			r.Metrics = append(r.Metrics, Metric{q.Name, q.Of, q.Stat, q.Unit, e})
			c.addPercentiles(r, q, class, done, e)
			continue
		}
		r.Metrics = append(r.Metrics, Metric{q.Name, q.Of, q.Stat, q.Unit, e})
	}
}

// sentFirst puts what comes from outside before the tasks that the program makes of it:
// who reads the first response time means that of a request.
func (c *conductor) sentFirst(metrics []Metric) {
	var at []int
	var classes []Metric
	for i, m := range metrics {
		if classOf(m.Of) != "" {
			at, classes = append(at, i), append(classes, m)
		}
	}
	rank := func(m Metric) int {
		if c.sent[classOf(m.Of)] {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(classes, func(a, b Metric) int { return cmp.Compare(rank(a), rank(b)) })
	for i, m := range classes {
		metrics[at[i]] = m
	}
}

// unwanted reports whether nobody has asked for a metric of a fragment or a group of them, which most metrics are; warnings are about others.
func (c *conductor) unwanted(q quantity) bool {
	only := c.options.Only
	if len(only) == 0 || !strings.HasPrefix(q.Of, "fragment/") && !strings.HasPrefix(q.Of, "group/") {
		return false
	}
	key := Metric{Name: q.Name, Of: q.Of, Stat: q.Stat}.Key()
	return !slices.Contains(c.options.PrecisionOf, key) && !slices.ContainsFunc(only, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
}

// classOf returns the class that "class/ID" names.
func classOf(of string) string {
	const prefix = "class/"
	if len(of) < len(prefix) || of[:len(prefix)] != prefix {
		return ""
	}
	return of[len(prefix):]
}

func (c *conductor) addPercentiles(r *Result, q quantity, class int, done []outcome, mean output.Estimate) {
	sketches := make([]*output.Sketch, len(done))
	for k := range done {
		sketches[k] = &done[k].Responses[class]
	}
	all := output.Merged(sketches)
	for i, e := range output.Quantiles(sketches, probabilities(), c.options.Confidence) {
		if c.lasting() {
			e = e.QuantileRemembering(percentiles[i].p, all, mean)
		}
		r.Metrics = append(r.Metrics, Metric{q.Name, q.Of, percentiles[i].stat, q.Unit, e})
	}
	if all.Count() > 0 && len(c.options.Only) == 0 {
		r.Distributions = append(r.Distributions, Distribution{q.Name, q.Of, q.Unit, all.Count(), all.CDF(cdfPoints)})
	}
}

func probabilities() []float64 {
	var ps []float64
	for _, p := range percentiles {
		ps = append(ps, p.p)
	}
	return ps
}

// addMakespan estimates how long the program runs, from the replications in
// which it ended.
func (c *conductor) addMakespan(r *Result, done []outcome) {
	var spans []float64
	var all output.Sketch
	for _, o := range done {
		if o.Ended && !o.Halted {
			spans = append(spans, o.Makespan)
			all.Add(o.Makespan)
		}
	}
	const name, of, unit = "T", "program", "s"
	metrics := []Metric{{name, of, "mean", unit, output.Replications(spans, c.options.Confidence)}}
	for _, p := range percentiles {
		metrics = append(metrics, Metric{name, of, p.stat, unit, output.Percentile(spans, p.p, c.options.Confidence)})
	}
	r.Metrics = append(metrics, r.Metrics...)
	if len(spans) > 0 && len(c.options.Only) == 0 {
		r.Distributions = append(r.Distributions, Distribution{name, of, unit, all.Count(), all.CDF(cdfPoints)})
	}
}

// addCourses averages the courses of R and N over the replications.
func (c *conductor) addCourses(r *Result, done []outcome) {
	if len(done) == 0 || len(c.options.Only) > 0 {
		return
	}
	if r.BatchMeans {
		done = done[len(done)-1:] // of the whole run so far
	}
	end := des.Seconds(done[0].Until)
	for _, o := range done {
		end = min(end, des.Seconds(o.Until))
	}
	add := func(name, of, unit string, series []*output.Series) {
		values, width := output.Course(series, int64(end))
		for len(values) > coursePoints {
			for i := range series {
				series[i] = series[i].Clone()
				if series[i].Width() == width {
					series[i].Coarsen()
				}
			}
			values, width = output.Course(series, int64(end))
		}
		if len(values) > 0 {
			r.Courses = append(r.Courses, Course{name, of, unit, des.Time(width).Seconds(), values})
		}
	}
	for class, id := range c.classes() {
		var series []*output.Series
		for _, o := range done {
			series = append(series, o.ResponseCourse[class])
		}
		add("R", "class/"+id, "s", series)
	}
	var system []*output.Series
	for _, o := range done {
		if o.SystemCourse != nil {
			system = append(system, o.SystemCourse)
		}
	}
	add("N", "system", "tasks", system)
}

// precision returns the largest relative half-width of the metrics that the
// options name.
func (c *conductor) precision(r *Result) float64 {
	var estimates []output.Estimate
	for _, m := range r.Metrics {
		wanted := m.Stat == "mean" && classOf(m.Of) != "" && (m.Name == "R" || m.Name == "X")
		if c.terminating {
			wanted = m.Name == "T" && m.Stat == "mean"
		}
		if len(c.options.PrecisionOf) > 0 {
			wanted = slices.Contains(c.options.PrecisionOf, m.Key())
		}
		if wanted && (m.Estimate.N > 0 || len(c.options.PrecisionOf) > 0) {
			estimates = append(estimates, m.Estimate)
		}
	}
	return output.Worst(estimates)
}

// counted returns the distinct strings in the order of first appearance, with
// how many of the lists contain each.
func counted(lists [][]string) (distinct []string, times map[string]int) {
	times = map[string]int{}
	first := map[string]int{}
	for i, list := range lists {
		for _, s := range slices.Compact(slices.Sorted(slices.Values(list))) {
			if times[s] == 0 {
				first[s] = i
			}
			times[s]++
		}
	}
	distinct = slices.SortedFunc(maps.Keys(times), func(a, b string) int {
		return cmp.Or(cmp.Compare(first[a], first[b]), cmp.Compare(a, b))
	})
	return distinct, times
}
