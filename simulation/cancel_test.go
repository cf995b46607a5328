package simulation

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"tierscope/core"
)

// expiring is a context that ends when it is looked at for the n-th time, so
// that a run is cancelled at the same point of its work on every machine.
type expiring struct {
	looks atomic.Int64
	done  chan struct{}
}

func expiringAfter(n int64) *expiring {
	e := &expiring{done: make(chan struct{})}
	e.looks.Store(n)
	return e
}

func (e *expiring) look() {
	if e.looks.Add(-1) == 0 {
		close(e.done)
	}
}

func (e *expiring) Deadline() (time.Time, bool) { return time.Time{}, false }
func (e *expiring) Value(any) any               { return nil }
func (e *expiring) Done() <-chan struct{}       { e.look(); return e.done }

func (e *expiring) Err() error {
	e.look()
	select {
	case <-e.done:
		return context.Canceled
	default:
		return nil
	}
}

// Cancel comes at any moment, also while some of the pilots have run and
// others have not begun (which took the window down on 2026-11-21).
func TestARunCanBeCancelledAtAnyMoment(t *testing.T) {
	t.Parallel()
	m := station(50, 1, 0, core.Distribution{Kind: core.Exponential, Mean: 0.01})
	for n := int64(1); n <= 80; n++ {
		r, err := Run(expiringAfter(n), m, nil, Options{Seed: uint64(n), Replications: 2, MaxReplications: 2})
		if err != nil || r == nil {
			t.Fatalf("cancelled at look %d: result %v, error %v; want a result", n, r, err)
		}
	}
}
