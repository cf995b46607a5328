package load

import (
	"context"
	"os"
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

// sleeper waits for moments more exactly than Go's timers, which are up to a millisecond
// late in an idle process: a timer of the kernel that goroutines wait for as for a
// connection, so that one that sleeps keeps neither a thread nor a P from those
// who read the answers.
type sleeper struct {
	timer *os.File // nil: there is none, and Go's timers must do
	fd    int
}

func newSleeper() *sleeper {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return &sleeper{} // too many open files
	}
	return &sleeper{timer: os.NewFile(uintptr(fd), "timer"), fd: fd}
}

func (s *sleeper) close() {
	if s.timer != nil {
		s.timer.Close()
	}
}

// until returns at the given time, or soon after ctx ends. Where there is more than
// one CPU to send from, the end is spun, so that not even the time of a wake-up is
// lost; on one, that would keep it from those who read the answers.
func (s *sleeper) until(ctx context.Context, t time.Time) {
	const waking = 100 * time.Microsecond
	early := time.Duration(0)
	if severalCPUs() {
		early = waking
	}
	if wait := time.Until(t) - early; wait > 0 && !s.sleep(ctx, wait) {
		sleepUntil(ctx, t.Add(-early))
	}
	for early > 0 && time.Until(t) > 0 && ctx.Err() == nil {
		continue
	}
}

// sleep sleeps, and reports whether it could.
func (s *sleeper) sleep(ctx context.Context, d time.Duration) bool {
	if s.timer == nil {
		return false
	}
	once := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
	if unix.TimerfdSettime(s.fd, 0, &once, nil) != nil {
		return false
	}
	stop := context.AfterFunc(ctx, func() { _ = s.timer.SetReadDeadline(time.Unix(1, 0)) }) // fails if it is closed already
	defer stop()
	var expirations [8]byte
	_, err := s.timer.Read(expirations[:])
	return err == nil || ctx.Err() != nil
}

// severalCPUs reports whether this thread may use more than one.
func severalCPUs() bool {
	var set unix.CPUSet
	return unix.SchedGetaffinity(0, &set) == nil && set.Count() > 1
}
