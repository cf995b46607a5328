//go:build !linux

package load

import (
	"context"
	"time"
)

var processStart = time.Now()

// monotonic has no common origin with other processes here.
func monotonic() int64 { return int64(time.Since(processStart)) }

// processCPU is not measured here.
func processCPU() time.Duration { return 0 }

// sleeper waits for moments as exactly as Go's timers do.
type sleeper struct{}

func newSleeper() *sleeper { return &sleeper{} }

func (s *sleeper) close() {}

// until returns at the given time, or when ctx ends.
func (s *sleeper) until(ctx context.Context, t time.Time) { sleepUntil(ctx, t) }
