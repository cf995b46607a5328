package load

import (
	"context"
	"runtime"
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
// slept in the kernel, which wakes up as late as a timer's slack allows: as little
// as there is. Where there is more than one CPU to send from, the end is spun, so that
// not even the time of a wake-up is lost; on one, that would keep it from those who
// read the answers.
func sleepUntil(ctx context.Context, t time.Time) {
	const (
		timers = 2 * time.Millisecond
		waking = 100 * time.Microsecond
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
	early := time.Duration(0)
	if severalCPUs() {
		early = waking
	}
	for wait := time.Until(t); wait > 0 && ctx.Err() == nil; wait = time.Until(t) {
		if wait > early {
			sleepExactly(wait - early)
		}
	}
}

// sleepExactly sleeps in the kernel with the least slack. It may wake up early by
// a signal.
func sleepExactly(d time.Duration) {
	const leastSlack = 1 // ns
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, leastSlack, 0, 0, 0) // without it the sleep is some 50 µs longer
	ts := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&ts, nil)
}

// severalCPUs reports whether this thread may use more than one.
func severalCPUs() bool {
	var set unix.CPUSet
	return unix.SchedGetaffinity(0, &set) == nil && set.Count() > 1
}
