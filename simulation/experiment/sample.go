package experiment

import (
	"context"
	"math/bits"
	"time"

	"tierscope/core"
)

// sampled is how many points, spread over a grid, tell what all of them cost. It is a power of two.
const sampled = 16

// Sample estimates the remaining time of a survey whose ledger has no run of the model, by simulating some of its points, the
// results of which are not kept. When ctx ends first, those that were finished tell; without any, nothing is known.
func (r *Runner) Sample(ctx context.Context, s *Survey) error {
	if s.Remaining > 0 || s.Points == s.Known {
		return nil
	}
	var some []map[string]float64
	i := 0
	for settings := range r.Settings(s) {
		if n := len(some); n < sampled && i >= (2*n+1)*s.Points/(2*sampled) {
			some = append(some, settings)
		}
		i++
	}
	o := s.Experiment.Options()
	o.Pool, o.Only, o.ModelHash = r.pool(), s.Experiment.Only, core.Hash(r.Model)
	runs, total := 0, time.Duration(0)
	for i := range uint8(sampled) { // those that are far from each other first, should there be no time for all
		at := int(bits.Reverse8(i)) * sampled >> 8
		if at >= len(some) {
			continue
		}
		result, err := r.Simulate(ctx, r.Model, some[at], o)
		if err != nil {
			return err
		}
		if result.Interrupted {
			break
		}
		runs, total = runs+1, total+result.Busy
	}
	if runs > 0 {
		s.Remaining = r.share(total/time.Duration(runs), s.Points-s.Known)
	}
	return nil
}

// share is how long all workers take for so many points of which each takes one of them so long.
func (r *Runner) share(each time.Duration, points int) time.Duration {
	return each * time.Duration(points) / time.Duration(r.pool().Workers())
}
