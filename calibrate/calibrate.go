package calibrate

import (
	"context"

	"tierscope/analysis/trust"
	"tierscope/core"
)

// Result is a calibrated model, and what was found out on the way.
type Result struct {
	Model       core.Model
	Assumptions []string // what the model takes for granted since
	Doubts      []string // what of the recorded run it does not repeat even so
	lacks       bool     // it costs much less than runs without probes did
}

// Model calibrates a model that Build made with the evidence that Build had. The error is that
// of a context that ended.
func Model(ctx context.Context, m core.Model, e trust.Evidence) (Result, error) {
	r := Result{Model: m}
	pace := func(ctx context.Context, m core.Model, e trust.Evidence) (_ core.Model, says string) {
		m, says, r.lacks = Paced(ctx, m, e)
		return m, says
	}
	for _, step := range []func(context.Context, core.Model, trust.Evidence) (core.Model, string){pace, Single, Alternating, Away} {
		next, assumption := step(ctx, r.Model, e)
		r.Model = next
		if assumption != "" {
			r.Assumptions = append(r.Assumptions, assumption)
		}
	}
	r.Model, r.Doubts = Doubted(ctx, r.Model)
	return r, ctx.Err()
}
