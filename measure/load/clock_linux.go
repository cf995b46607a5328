package load

import (
	"context"
	"time"

	"golang.org/x/sys/unix"
)

// monotonic reads CLOCK_MONOTONIC, the clock of kernel and probe traces, in
// nanoseconds.
func monotonic() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic("load: clock_gettime: " + err.Error()) // cannot fail with a valid clock
	}
	return t.Nano()
}

// processCPU is the CPU time, user and system, that this process has used.
func processCPU() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic("load: getrusage: " + err.Error()) // cannot fail for the process itself
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// sleepUntil returns at the given time, or soon after ctx ends. Go's timers
// are up to a millisecond late in an idle process, so the last stretch is
// slept in the kernel and the last 100 µs, the kernel's own slack, are spun.
func sleepUntil(ctx context.Context, t time.Time) {
	const (
		timers = 2 * time.Millisecond
		slack  = 100 * time.Microsecond
	)
	if wait := time.Until(t) - timers; wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
	}
	if wait := time.Until(t) - slack; wait > 0 {
		ts := unix.NsecToTimespec(int64(wait))
		unix.Nanosleep(&ts, nil) // woken early by a signal: the loop below waits for the rest
	}
	for time.Until(t) > 0 && ctx.Err() == nil {
	}
}
