package execution

import (
	"context"
	"time"

	"tierscope/analysis/trace"
)

// Under runs the program under its workload: a server under load, which drive puts on it, anything else to its end or, after
// the timeout, until it is stopped.
func (p Program) Under(ctx context.Context, w trace.Workload, drive Drive, timeout time.Duration) (Outcome, error) {
	if err := Vacant(ctx, w.Load); err != nil {
		return Outcome{}, err
	}
	r, err := p.Start()
	if err != nil {
		return Outcome{}, err
	}
	if w.Load != nil {
		return r.Serve(ctx, w.Load, drive, r.CPU)
	}
	var look func() error
	if w.Timeout == 0 {
		look = r.AsksForLoad(0)
	}
	return r.Batch(ctx, timeout, look)
}
