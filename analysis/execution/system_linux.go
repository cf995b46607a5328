package execution

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// errSystem says why programs cannot be run here; nil: they can.
var errSystem error

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
	have, want, err := firstCores(n)
	if err != nil {
		return err
	}
	if err := unix.SchedSetaffinity(0, &want); err != nil {
		return fmt.Errorf("CPU affinity: %w", err)
	}
	defer unix.SchedSetaffinity(0, &have)
	return f()
}

// firstCores are the CPUs that the calling thread may use, and the first n of
// them.
func firstCores(n int) (have, first unix.CPUSet, err error) {
	if err := unix.SchedGetaffinity(0, &have); err != nil {
		return have, first, fmt.Errorf("CPU affinity: %w", err)
	}
	if n > have.Count() {
		return have, first, fmt.Errorf("%d CPUs wanted, this process may use %d", n, have.Count())
	}
	for i := 0; first.Count() < n; i++ {
		if have.IsSet(i) {
			first.Set(i)
		}
	}
	return have, first, nil
}

// besides calls f with this process confined to the CPUs that a program on
// the first n does not use, if there are any: who sends requests must not compete
// with the program that answers them, here as little as where it is measured.
func besides(n int, f func() error) error {
	if n <= 0 {
		return f()
	}
	have, first, err := firstCores(n)
	if err != nil {
		return err
	}
	if first.Count() == have.Count() {
		return f()
	}
	rest := have
	for i := 0; first.Count() > 0; i++ {
		if first.IsSet(i) {
			first.Clear(i)
			rest.Clear(i)
		}
	}
	if err := confine(&rest); err != nil {
		return errors.Join(err, confine(&have))
	}
	return errors.Join(f(), confine(&have))
}

// confine moves all threads of this process to some CPUs. Threads that they make
// stay there.
func confine(to *unix.CPUSet) error {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return fmt.Errorf("CPU affinity: %w", err)
	}
	for _, t := range tasks {
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			continue
		}
		if err := unix.SchedSetaffinity(id, to); err != nil && !errors.Is(err, unix.ESRCH) {
			return fmt.Errorf("CPU affinity: %w", err)
		}
	}
	return nil
}

// ownGroup puts a program and all that it starts in a process group of its own.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// ownSession takes a process out of reach of the terminal's signals.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// signalGroup sends a signal to a program and all that it started.
func signalGroup(pid int, s syscall.Signal) { syscall.Kill(-pid, s) }

// Signal sends a signal to a process.
func Signal(pid int, s syscall.Signal) error { return syscall.Kill(pid, s) }

// Map maps a file into memory, to be read until unmap is called.
func Map(name string) (b []byte, unmap func(), err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || st.Size() == 0 {
		return nil, func() {}, err
	}
	b, err = unix.Mmap(int(f.Fd()), 0, int(st.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, func() { unix.Munmap(b) }, nil
}

// Reserve gives a file its size and, if the file system can, the room for it:
// then a disk that fills up cannot kill the program that writes there.
func Reserve(f *os.File, size int64) error {
	err := unix.Fallocate(int(f.Fd()), 0, 0, size)
	if errors.Is(err, unix.EOPNOTSUPP) {
		return f.Truncate(size)
	}
	return err
}

// room is the free space of a file system, bytes; 0 if it is not known.
func room(dir string) int64 {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return 0
	}
	return int64(st.Bavail) * st.Bsize
}

// FreeMemory is what the kernel says could be used, bytes; 0 if it is not known.
func FreeMemory() uint64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return (info.Freeram + info.Bufferram) * uint64(info.Unit)
}
