package execution

import (
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// Monotonic reads CLOCK_MONOTONIC, the clock of the probes, in ns.
func Monotonic() int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		panic("execution: no CLOCK_MONOTONIC: " + err.Error())
	}
	return ts.Nano()
}

// CPU is the CPU time of a running process and its threads so far, 0 if it
// has ended.
func (r *Process) CPU() time.Duration {
	const sched = 2 // CPUCLOCK_SCHED: the scheduler's account, in ns
	var ts unix.Timespec
	if unix.ClockGettime(int32(^r.PID()<<3|sched), &ts) != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}

// OnCores calls f with the calling thread, and what f starts, confined to the
// first n CPUs that we may use; 0: all of them.
func OnCores(n int, f func() error) error {
	if n <= 0 {
		return f()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var have, want unix.CPUSet
	if err := unix.SchedGetaffinity(0, &have); err != nil {
		return fmt.Errorf("CPU affinity: %w", err)
	}
	if n > have.Count() {
		return fmt.Errorf("%d CPUs wanted, this process may use %d", n, have.Count())
	}
	for i := 0; want.Count() < n; i++ {
		if have.IsSet(i) {
			want.Set(i)
		}
	}
	if err := unix.SchedSetaffinity(0, &want); err != nil {
		return fmt.Errorf("CPU affinity: %w", err)
	}
	defer unix.SchedSetaffinity(0, &have)
	return f()
}
