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

// sleepUntil returns at the given time, or when ctx ends.
func sleepUntil(ctx context.Context, t time.Time) {
	timer := time.NewTimer(time.Until(t))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
