package optimise

import (
	"context"
	"fmt"
	"maps"

	"tierscope/simulation/experiment"
)

// simulateShort simulates points for a short time.
func (s *search) simulateShort(ctx context.Context, batch []*point, e experiment.Experiment) error {
	return s.simulate(ctx, e, "simulated shortly", batch, func(p *point, c *Candidate) {
		c.Short = true
		p.short = c
	})
}

// simulateFull simulates points as the question asks for.
func (s *search) simulateFull(ctx context.Context, batch []*point, e experiment.Experiment) error {
	return s.simulate(ctx, e, "simulated in full", batch, func(p *point, c *Candidate) { p.full = c })
}

// simulate simulates points and judges them. When ctx ends those that were not finished stay as they are.
func (s *search) simulate(ctx context.Context, e experiment.Experiment, stage string, batch []*point, keep func(*point, *Candidate)) error {
	if len(batch) == 0 || ctx.Err() != nil {
		return nil // a large model takes long to be hashed
	}
	var settings []map[string]float64
	for _, p := range batch {
		settings = append(settings, maps.Clone(p.settings))
	}
	plan, err := s.runner.PlanPoints(ctx, e, settings)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	if plan, err = s.runner.Run(ctx, plan); err != nil && ctx.Err() == nil {
		return err
	}
	for k, p := range batch {
		result := plan.Points[k].Result
		if result == nil || result.Interrupted {
			continue
		}
		c := &Candidate{Point: plan.Points[k], Cost: p.cost}
		if err := s.judge(c); err != nil {
			return fmt.Errorf("configuration %s: %w", describe(p.settings), err)
		}
		keep(p, c)
		s.note(stage, 1, 0, result.Events)
	}
	return nil
}
