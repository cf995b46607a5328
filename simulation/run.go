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
	if err := m.Validate(); err != nil {
		return nil, fmt.Errorf("model %q: %w", m.Name, err)
	}
	configured, err := m.With(settings)
	if err != nil {
		return nil, fmt.Errorf("model %q: %w", m.Name, err)
	}
	p, err := compile(&m, &configured)
	if err != nil {
		return nil, fmt.Errorf("model %q: %w", m.Name, err)
	}
	c := conductor{
		simulator:   p,
		options:     o.withDefaults(),
		terminating: p.terminating(),
		tasks:       len(m.Sinks) > 0,
		overload:    overloadOf(&configured),
		result: Result{
			Model:         m.Name,
			ModelHash:     core.Hash(m),
			Configuration: maps.Clone(settings),
			Seed:          o.Seed,
			Version:       Version,
			Warnings:      m.Extrapolations(settings),
		},
	}
	return c.conduct(ctx), nil
}
