package prolong

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/simulation"
)

// Options of a virtual prolongation; the zero value is the default.
type Options struct {
	Granularity Granularity // "": functions
	Levels      []float64   // delays as multiples of the module's own mean time, empty: 0.5, 1, 1.5
	Repeats     int         // of each level, with other random numbers; 0: 3
	Baselines   int         // runs without delay, 0: 4 per repeat
	Only        []string    // modules; nil: all that are executed often enough
	AtEntry     bool        // delay at entry even where the module takes a lock
	Seed        uint64
	Duration    float64 // simulated seconds of a run of an endless model, 0: automatic
	Workers     *simulation.Pool
}

// Observation is one simulated run.
type Observation struct {
	Module  int       // that was prolonged, −1: none
	Delay   float64   // really taken per execution, seconds: not every execution comes to every lock
	Times   []float64 // mean per execution of each module, seconds
	Elapsed float64   // makespan of a batch program, else mean response time
}

// Result is a virtual prolongation.
type Result struct {
	Modules      []Module
	Observations []Observation
	Skipped      []string // modules that were left out, with the reason
}

// leastExecutions per run make a module's mean time worth looking at.
const leastExecutions = 10

// Run simulates the model with each module delayed at each level.
func Run(ctx context.Context, m core.Model, settings map[string]float64, o Options) (*Result, error) {
	if o.Granularity == "" {
		o.Granularity = Function
	}
	if len(o.Levels) == 0 {
		o.Levels = []float64{0.5, 1, 1.5}
	}
	if o.Repeats == 0 {
		o.Repeats = 3
	}
	if o.Baselines == 0 {
		o.Baselines = 4 * o.Repeats
	}
	if o.Workers == nil {
		o.Workers = simulation.NewPool(0)
	}
	m, err := m.With(settings)
	if err != nil {
		return nil, err
	}
	r := &Result{}
	all := Modules(&m, o.Granularity)
	base, err := o.observe(ctx, m, all, o.Seed)
	if err != nil {
		return nil, err
	}
	for i, module := range all {
		switch {
		case len(o.Only) > 0 && !slices.Contains(o.Only, module.Name):
		case base.executions[i] < leastExecutions:
			r.Skipped = append(r.Skipped, fmt.Sprintf("%s: executed %s", module.Name, quantity.Plural(int(math.Round(base.executions[i])), "time")))
		case base.times[i] <= 0:
			r.Skipped = append(r.Skipped, module.Name+": takes no time")
		default:
			r.Modules = append(r.Modules, module)
		}
	}
	if len(r.Modules) < 2 {
		return nil, fmt.Errorf("prolong: the model shows %d modules (%s) that can be delayed: at least 2 are needed", len(r.Modules), o.Granularity)
	}
	base, err = o.observe(ctx, m, r.Modules, o.Seed)
	if err != nil {
		return nil, err
	}
	for i := range r.Modules {
		r.Modules[i].settle(base.rate, base.executions[i]/base.duration)
	}
	return r, r.simulate(ctx, m, o, base.times)
}

// simulate makes all runs, several at a time; their order does not matter.
func (r *Result) simulate(ctx context.Context, m core.Model, o Options, own []float64) error {
	type run struct {
		module int
		delay  float64
		seed   uint64
	}
	var plan []run
	for k := range o.Baselines {
		plan = append(plan, run{-1, 0, o.Seed + uint64(k)})
	}
	for i := range r.Modules {
		for _, level := range o.Levels {
			for k := range o.Repeats {
				plan = append(plan, run{i, level * own[i], o.Seed + uint64(k)})
			}
		}
	}
	r.Observations = make([]Observation, len(plan))
	errs := make([]error, len(plan))
	var wait sync.WaitGroup
	var next atomic.Int64
	one := func(k int) {
		p, prolonged := plan[k], m
		if p.module >= 0 {
			prolonged = r.Modules[p.module].Prolonged(m, p.delay, o.AtEntry)
		}
		seen, err := o.observe(ctx, prolonged, r.Modules, p.seed)
		errs[k] = err
		r.Observations[k] = Observation{Module: p.module, Times: seen.times, Elapsed: seen.elapsed}
		if p.module >= 0 && seen.executions != nil && seen.executions[p.module] > 0 {
			r.Observations[k].Delay = seen.taken(&prolonged) * seen.duration / seen.executions[p.module]
		}
	}
	for range o.Workers.Workers() {
		wait.Go(func() {
			for k := int(next.Add(1) - 1); k < len(plan) && ctx.Err() == nil; k = int(next.Add(1) - 1) {
				one(k)
			}
		})
	}
	wait.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// observed is what one simulated run shows of the modules.
type observed struct {
	times, executions []float64
	elapsed           float64 // makespan, or mean response time where the program has no end
	response          float64 // mean response time of tasks, 0 without tasks
	duration          float64 // simulated
	rates             map[[2]string]float64
}

// rate returns the executions per second of a fragment.
func (o *observed) rate(graph, fragment string) float64 { return o.rates[[2]string{graph, fragment}] }

// taken returns the seconds of inserted delays that are taken per second.
func (o *observed) taken(m *core.Model) float64 {
	sum := 0.0
	for gi := range m.Graphs {
		g := &m.Graphs[gi]
		for fi := range g.Fragments {
			if f := &g.Fragments[fi]; strings.HasPrefix(f.ID, mark) {
				sum += o.rate(g.ID, f.ID) * f.Delay.Expectation()
			}
		}
	}
	return sum
}

// observe simulates one replication.
func (o Options) observe(ctx context.Context, m core.Model, modules []Module, seed uint64) (observed, error) {
	// Without warm-up: runs that are compared begin alike.
	result, err := simulation.Run(ctx, m, nil, simulation.Options{Seed: seed, Replications: 1, Warmup: -1, Duration: o.Duration, Pool: o.Workers})
	if err == nil && result.Interrupted {
		err = context.Cause(ctx)
	}
	if err != nil {
		return observed{}, err
	}
	type key struct{ name, of string }
	means := map[key]float64{}
	seen := observed{duration: result.Duration, rates: map[[2]string]float64{}}
	for _, metric := range result.Metrics {
		if metric.Stat != "mean" {
			continue
		}
		means[key{metric.Name, metric.Of}] = metric.Estimate.Mean
		switch metric.Name {
		case "T":
			seen.elapsed = metric.Estimate.Mean
		case "R":
			seen.response = max(seen.response, metric.Estimate.Mean) // of the slowest class
		}
	}
	if seen.elapsed == 0 {
		seen.elapsed = seen.response
	}
	for gi := range m.Graphs {
		g := &m.Graphs[gi]
		for fi := range g.Fragments {
			id := g.Fragments[fi].ID
			seen.rates[[2]string{g.ID, id}] = means[key{"X", "fragment/" + g.ID + "/" + id}]
		}
	}
	for _, module := range modules {
		var spent, entered float64
		for gi := range m.Graphs {
			g := &m.Graphs[gi]
			rate := func(id string) float64 { return seen.rate(g.ID, id) }
			in := module.fragments[g.ID]
			for fi := range g.Fragments {
				f := &g.Fragments[fi]
				of := "fragment/" + g.ID + "/" + f.ID
				if in[f.ID] || module.delays(g, f) {
					spent += rate(f.ID) * means[key{"E", of}]
				}
			}
			for id, share := range module.entries(g) {
				entered += rate(id) * share
			}
		}
		time := 0.0
		if entered > 0 {
			time = spent / entered
		}
		seen.times = append(seen.times, time)
		seen.executions = append(seen.executions, entered*result.Duration)
	}
	return seen, nil
}
