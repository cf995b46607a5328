package execution

import (
	"context"
	"time"
)

// lookEvery is how often a running program is looked at.
const lookEvery = time.Second

// Batch waits for the end of a program, or stops it after the timeout, or when
// look, called every second, says why it cannot go on. look may be nil.
func (r *Process) Batch(ctx context.Context, timeout time.Duration, look func() error) (Outcome, error) {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	var looks <-chan time.Time
	if look != nil {
		t := time.NewTicker(lookEvery)
		defer t.Stop()
		looks = t.C
	}
	for {
		select {
		case <-r.done:
			return r.outcome(Monotonic()), r.failure()
		case <-timer.C:
			r.stop()
			o := r.outcome(Monotonic())
			o.Stopped = true
			return o, nil
		case <-looks:
			if err := look(); err != nil {
				r.stop()
				return Outcome{}, err
			}
		case <-ctx.Done():
			r.stop()
			return Outcome{}, ctx.Err()
		}
	}
}
