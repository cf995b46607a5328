package simulation

import (
	"context"
	"fmt"
	"maps"

	"tierscope/core"
)

// Run simulates a model in a configuration: settings of its parameters and
// paths as core.Model.With takes them, nil for the model as it is.
//
// Equal models, settings, seeds and versions give bit-identical results,
// except for Elapsed and Busy, whatever the number of workers. Different
// settings of one model are simulated with common random numbers. When ctx
// ends, Run returns within 200 ms what it has, marked Interrupted; the error
// is nil then. The error reports a model or settings that are not valid.
func Run(ctx context.Context, m core.Model, settings map[string]float64, o Options) (*Result, error) {
	if o.Budget > 0 { // from the first moment: a large model takes long to compile
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Budget)
		defer cancel()
	}
	l := latest{report: o.Progress, nothing: nothing(&m, settings, o)}
	if o.Progress != nil {
		o.Progress = l.progress
	}
	return l.await(ctx, func() (*Result, error) { return simulate(ctx, &m, settings, o) })
}

// simulate compiles the model and conducts its replications.
func simulate(ctx context.Context, m *core.Model, settings map[string]float64, o Options) (*Result, error) {
	if err := m.Validate(); err != nil {
		return nil, fmt.Errorf("model %q: %w", m.Name, err)
	}
	configured, err := m.With(settings)
	if err != nil {
		return nil, fmt.Errorf("model %q: %w", m.Name, err)
	}
	correction := 0.0
	if !o.ModelAsItIs {
		correction = configured.Correction()
		configured = configured.AsChecked()
	}
	if err := affordable(&configured); err != nil {
		return nil, fmt.Errorf("model %q: %w", m.Name, err)
	}
	if ctx.Err() != nil {
		return nothing(m, settings, o), nil
	}
	compiled, err := newCompiler(m, &configured)
	if err != nil {
		return nil, fmt.Errorf("model %q: %w", m.Name, err)
	}
	p := compiled.program
	walks, why := compiled.recorded(m, o.Director, false)
	demands := configured.Demands()
	c := conductor{
		simulator:   p,
		options:     o.withDefaults(),
		terminating: p.terminating(),
		tasks:       len(m.Sinks) > 0,
		overload:    overloadOf(&configured, &demands),
		result:      known(m, settings, o),
		longest:     longestOf(&configured),
		sent:        m.Sent(),
	}
	if !o.ModelAsItIs {
		c.original, c.model = m, &configured
	}
	c.dilation = orOne(configured.Dilation)
	c.options.Duration /= c.dilation
	c.options.Warmup /= c.dilation
	c.tail = tailOf(&configured)
	c.think, c.users, c.closed = thinkTime(&configured)
	c.bears = bears(&configured, &demands)
	if c.result.ModelHash = o.ModelHash; o.ModelHash == "" {
		c.result.ModelHash = core.Hash(*m)
	}
	c.result.Correction = correction
	return c.answered(ctx, compiled, m, walks, why), nil
}

// known is what a result says before anything has been simulated.
func known(m *core.Model, settings map[string]float64, o Options) Result {
	return Result{
		Model:         m.Name,
		Configuration: maps.Clone(settings),
		Seed:          o.Seed,
		Version:       Version,
		Warnings:      m.Extrapolations(settings),
	}
}

// nothing is the result of a run that was interrupted before it had any.
func nothing(m *core.Model, settings map[string]float64, o Options) *Result {
	r := known(m, settings, o)
	r.Interrupted = true
	r.Warnings = append(r.Warnings, noResults)
	return &r
}
