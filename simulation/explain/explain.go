package explain

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tierscope/core"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
	"tierscope/simulation/output"
)

// Options say what to explain.
type Options struct {
	Settings   map[string]float64 // the configuration
	Metric     string             // key of the metric that should become better; empty: see Report.Metric
	Speedups   []float64          // shares of the time that are saved, ascending; empty: 0.1 and 0.3
	Candidates int                // pieces of code to try at most, those with the most time; 0: 12
	Simulation simulation.Options
}

// Defaults of Options.
var defaultSpeedups = []float64{0.1, 0.3}

const defaultCandidates = 12

// Report is the explanation of one configuration.
type Report struct {
	Metric     string             `json:"metric"` // key of what is explained: R mean of the class with most completions; X if that has no limit; T of a batch program
	Verdict    Verdict            `json:"verdict"`
	Breakdown  []Part             `json:"breakdown"`
	Ranking    []Candidate        `json:"ranking"`
	Findings   []Finding          `json:"findings"`
	Baseline   *simulation.Result `json:"baseline"`
	Incomplete bool               `json:"incomplete,omitempty"` // interrupted: the ranking is of what there was
}

// Part is a part of the mean response time of a class.
type Part struct {
	Class    string          `json:"class"`
	Stat     string          `json:"stat"`  // of metric B: queue, ready, cpu, …
	Label    string          `json:"label"` // "queue wait"
	Share    float64         `json:"share"` // of the mean response time
	Estimate output.Estimate `json:"estimate"`
}

// Kind is what kind of thing could be faster.
type Kind string

// Kinds of candidates.
const (
	CPU   Kind = "CPU"
	Disk  Kind = "disk"
	Lock  Kind = "lock"
	Pool  Kind = "pool"  // more threads
	Queue Kind = "queue" // more places
	Code  Kind = "code"
)

// Candidate is something that could be faster, and what that would change.
type Candidate struct {
	Kind        Kind             `json:"kind"`
	Of          string           `json:"of"`    // as in simulation.Metric; group/… or fragment/… for code
	Label       string           `json:"label"` // "disk sda"
	Utilization *output.Estimate `json:"utilization,omitempty"`
	Queue       *output.Estimate `json:"queue,omitempty"` // mean number waiting
	WaitPerTask *float64         `json:"wait_per_task_s,omitempty"`
	TimePerTask *float64         `json:"time_per_task_s,omitempty"` // of code
	Effects     []Effect         `json:"effects"`                   // by Options.Speedups

	path string
}

// Effect is the outcome of one virtual speed-up.
type Effect struct {
	Faster float64 `json:"faster"` // 0.3: needs 30 % less time, or has 1/0.7 of the capacity
	Change string  `json:"change"` // "speed 1 → 1.43", "4 → 6 threads"
	// Settings is the configuration with the change: a scenario that can be run.
	Settings map[string]float64 `json:"settings"`
	// Gain is the relative improvement of the report's metric: 0.55 is a
	// response time 55 % shorter, or a throughput 55 % higher.
	Gain       output.Estimate `json:"gain"`
	Throughput output.Estimate `json:"throughput"` // relative change of the X of the same class
}

// Clear reports whether the gain is larger than 0 beyond doubt.
func (e Effect) Clear() bool { return e.Gain.Lo > 0 }

// largest returns the effect of the largest speed-up.
func (c Candidate) largest() Effect { return c.Effects[len(c.Effects)-1] }

// Run explains a configuration of the runner's model. When ctx ends it
// returns what there is, marked Incomplete. The error reports a model or
// settings that are not valid.
func Run(ctx context.Context, r *experiment.Runner, o Options) (*Report, error) {
	if len(o.Speedups) == 0 {
		o.Speedups = defaultSpeedups
	}
	if o.Candidates <= 0 {
		o.Candidates = defaultCandidates
	}
	for _, x := range o.Speedups {
		if !(x > 0 && x < 1) {
			return nil, fmt.Errorf("speed-up %g: expected a share between 0 and 1, such as 0.3", x)
		}
	}
	configured, err := r.Model.With(o.Settings)
	if err != nil {
		return nil, err
	}
	baseline, err := simulate(ctx, r, []map[string]float64{o.Settings}, o.Simulation)
	if err != nil || baseline[0] == nil {
		return nil, orInterrupted(err)
	}
	report := &Report{Baseline: baseline[0], Incomplete: ctx.Err() != nil}
	if report.Metric = o.Metric; report.Metric == "" {
		report.Metric = MetricOf(report.Baseline, &configured)
	}
	if _, ok := report.Baseline.Find(report.Metric); !ok {
		return nil, fmt.Errorf("metric %q: the result has none of that name", report.Metric)
	}
	if strings.HasPrefix(report.Metric, "T ") && !strings.HasSuffix(report.Metric, " mean") {
		return nil, fmt.Errorf("metric %q: percentiles of whole runs have no paired intervals; explain the mean", report.Metric)
	}
	report.Breakdown = breakdown(report.Baseline, configured.Locks)
	if err := report.rank(ctx, r, o); err != nil {
		return nil, err
	}
	report.find(&r.Model, &configured, o.Settings)
	report.Verdict = report.verdict()
	return report, nil
}

func orInterrupted(err error) error {
	if err != nil {
		return err
	}
	return context.Canceled
}

// simulate returns the results of configurations, nil for those that ctx kept
// from being simulated.
func simulate(ctx context.Context, r *experiment.Runner, settings []map[string]float64, o simulation.Options) ([]*simulation.Result, error) {
	e := experiment.Experiment{
		Name: experiment.Virtual, Seed: o.Seed, Replications: o.Replications, MaxReplications: o.MaxReplications,
		Precision: o.Precision, PrecisionOf: o.PrecisionOf, Confidence: o.Confidence, Duration: o.Duration, Warmup: o.Warmup,
	}
	plan, err := r.PlanPoints(ctx, e, settings)
	if ctx.Err() != nil {
		return make([]*simulation.Result, len(settings)), nil
	}
	if err != nil {
		return nil, err
	}
	if plan, err = r.Run(ctx, plan); err != nil && ctx.Err() == nil {
		return nil, err
	}
	results := make([]*simulation.Result, len(settings))
	for i, p := range plan.Points {
		results[i] = p.Result
	}
	return results, nil
}

// MetricOf chooses what to explain: the makespan of a batch program; the mean
// response time of the class that completes most; its throughput where the
// response time has no limit (arrivals exceed capacity).
func MetricOf(r *simulation.Result, configured *core.Model) string {
	if r.Terminating {
		return "T program mean"
	}
	class, most := "", -1.0
	for _, m := range r.Metrics {
		if m.Name == "X" && strings.HasPrefix(m.Of, "class/") && m.Estimate.Mean > most {
			class, most = m.Of, m.Estimate.Mean
		}
	}
	if r.Unstable || len(configured.Sinks) == 0 {
		return "X " + class + " mean"
	}
	return "R " + class + " mean"
}

// partLabels are the parts of a response time in the order of every figure; what waiting for other threads is
// called depends on where they wait.
var partLabels = []struct{ stat, label string }{
	{"queue", "queue wait"}, {"ready", "CPU ready"}, {"cpu", "CPU"}, {"lock", ""},
	{"disk_wait", "disk wait"}, {"disk_service", "disk service"}, {"delay", "delay"}, {"other", "other"},
}

// meeting is what waiting for other threads is called: they leave a lock, or do what is waited for at a channel, a
// condition or a barrier.
func meeting(r *simulation.Result, locks []core.Lock) string {
	held, signalled := false, false
	for _, l := range locks {
		if m, ok := r.Find("Q lock/" + l.ID + " mean"); ok && m.Estimate.Mean > 0 {
			held, signalled = held || l.Kind.Held(), signalled || !l.Kind.Held()
		}
	}
	switch {
	case held && signalled:
		return "lock and signal wait"
	case signalled:
		return "signal wait"
	}
	return "lock wait"
}

// breakdown lists where the time of the tasks of every class goes.
func breakdown(r *simulation.Result, locks []core.Lock) []Part {
	var parts []Part
	meets := meeting(r, locks)
	for _, whole := range r.Metrics {
		if whole.Name != "R" || whole.Stat != "mean" || !(whole.Estimate.Mean > 0) {
			continue
		}
		for _, p := range partLabels {
			if m, ok := r.Find("B " + whole.Of + " " + p.stat); ok && m.Estimate.Mean > 0 {
				parts = append(parts, Part{whole.Of, p.stat, cmp.Or(p.label, meets), m.Estimate.Mean / whole.Estimate.Mean, m.Estimate})
			}
		}
	}
	return parts
}

// share returns the share of a part in the response time of the class that
// the report is about; 0 if there is none.
func (r *Report) share(stat string) float64 {
	class := r.class()
	for _, p := range r.Breakdown {
		if p.Stat == stat && (p.Class == class || class == "") {
			return p.Share
		}
	}
	return 0
}

// class returns the "class/ID" of the metric, or of the only class.
func (r *Report) class() string {
	if _, of, _, _ := simulation.ParseKey(r.Metric); strings.HasPrefix(of, "class/") {
		return of
	}
	return ""
}

// rank makes the virtual speed-ups and sorts the candidates by the lower
// confidence limit of their largest gain.
func (r *Report) rank(ctx context.Context, runner *experiment.Runner, o Options) error {
	candidates := candidates(&runner.Model, r.Baseline, o)
	simulated := o.Simulation
	// Warm-up and duration of the baseline for all: common random numbers
	// stay in step.
	if !r.Baseline.Terminating {
		simulated.Duration, simulated.Warmup = r.Baseline.Duration, r.Baseline.Warmup
		if simulated.Warmup == 0 {
			simulated.Warmup = -1
		}
	}
	simulated.Replications, simulated.Precision = r.Baseline.Replications, 0
	settings := []map[string]float64{o.Settings}
	for i := range candidates {
		c := &candidates[i]
		for _, x := range o.Speedups {
			e, err := c.effect(&runner.Model, o.Settings, x)
			if err != nil {
				return err
			}
			c.Effects = append(c.Effects, e)
			settings = append(settings, e.Settings)
		}
	}
	results, err := simulate(ctx, runner, settings, simulated)
	if err != nil {
		return err
	}
	base := results[0]
	for i, c := range candidates {
		complete := base != nil
		for k := range c.Effects {
			faster := results[1+i*len(o.Speedups)+k]
			if complete = complete && faster != nil && !faster.Interrupted; complete {
				r.compare(&c.Effects[k], base, faster)
			}
		}
		if complete {
			r.Ranking = append(r.Ranking, c)
		} else {
			r.Incomplete = true
		}
	}
	slices.SortStableFunc(r.Ranking, func(a, b Candidate) int {
		x, y := a.largest().Gain.Lo, b.largest().Gain.Lo
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return strings.Compare(a.Of, b.Of)
	})
	return nil
}

// compare fills in the gain of a speed-up.
func (r *Report) compare(e *Effect, base, faster *simulation.Result) {
	throughput := "X " + r.class() + " mean"
	for _, c := range simulation.Compare(base, faster, func(m simulation.Metric) bool { return m.Key() == r.Metric || m.Key() == throughput }) {
		switch c.Key() {
		case r.Metric:
			e.Gain = c.Relative
			if c.Name != "X" && c.Name != "U" { // less is better
				e.Gain = negated(e.Gain)
			}
			if c.Key() == throughput {
				e.Throughput = c.Relative
			}
		case throughput:
			e.Throughput = c.Relative
		}
	}
}

func negated(e output.Estimate) output.Estimate {
	e.Mean, e.Lo, e.Hi = -e.Mean, -e.Hi, -e.Lo
	return e
}

// spelled returns settings with every parameter, those that follow one included, replaced by the paths that it
// drives, so that one of them can be set on its own.
func spelled(m *core.Model, settings map[string]float64) (map[string]float64, error) {
	configured, err := m.With(settings)
	if err != nil {
		return nil, err
	}
	paths := map[string]float64{}
	for name, v := range m.Resolved(settings) {
		p, ok := m.Parameter(name)
		if !ok {
			k, err := m.Lookup(name)
			if err != nil {
				return nil, err
			}
			paths[k.Path] = v
			continue
		}
		for _, t := range p.Targets {
			k, err := configured.Lookup(t.Path)
			if err != nil {
				return nil, err
			}
			paths[k.Path] = k.Value
			if strings.Contains(k.Path, "/groups/") || strings.HasSuffix(k.Path, "/scale") && strings.Count(k.Path, "/") == 2 {
				paths[k.Path] = t.Apply(v) // a group's scale reads 1 once it is applied
			}
		}
	}
	return paths, nil
}

// with returns the configuration in which one path has another value.
func with(m *core.Model, settings map[string]float64, path string, value func(now float64) float64) (map[string]float64, float64, error) {
	paths, err := spelled(m, settings)
	if err != nil {
		return nil, 0, err
	}
	now, ok := paths[path]
	if !ok {
		k, err := m.Lookup(path)
		if err != nil {
			return nil, 0, err
		}
		now = k.Value
	}
	paths = maps.Clone(paths)
	paths[path] = value(now)
	return paths, now, nil
}
