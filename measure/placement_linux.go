package measure

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"tierscope/analysis/trace"
)

// placement says on which CPUs, and how urgently, the program and the load
// generator run.
type placement struct {
	cores    int
	allowed  unix.CPUSet // ours
	program  unix.CPUSet // the first cores of allowed
	rest     unix.CPUSet // where the generator runs: the others, or all if none is left
	priority Priority
}

func newPlacement(w trace.Workload, priority Priority) (*placement, error) {
	p := &placement{cores: w.Cores, priority: priority}
	if err := unix.SchedGetaffinity(0, &p.allowed); err != nil {
		return nil, fmt.Errorf("CPU affinity: %w", err)
	}
	if p.cores == 0 {
		p.cores = p.allowed.Count()
	}
	if p.cores > p.allowed.Count() {
		return nil, fmt.Errorf("%d CPUs wanted, but this process may use only %d", p.cores, p.allowed.Count())
	}
	for cpu := 0; p.program.Count()+p.rest.Count() < p.allowed.Count(); cpu++ {
		switch {
		case !p.allowed.IsSet(cpu):
		case p.program.Count() < p.cores:
			p.program.Set(cpu)
		default:
			p.rest.Set(cpu)
		}
	}
	if p.rest.Count() == 0 {
		p.rest = p.allowed
	}
	return p, nil
}

// start starts a command in its place, as the leader of a new session. It
// inherits affinity and priority from the thread that starts it.
func (p *placement) start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := p.inPlace(cmd.Start); err != nil {
		return err
	}
	if err := raiseSession(cmd.Process.Pid, p.priority); err != nil {
		if kill := cmd.Process.Kill(); kill != nil && !errors.Is(kill, os.ErrProcessDone) {
			return errors.Join(err, kill)
		}
		_ = cmd.Wait() // that it was killed
		return err
	}
	return nil
}

// raiseSession gives the session of a process the priority: where the kernel
// groups threads by session (sched_autogroup), nice values count only within
// one, and sessions have values of their own; sched(7).
func raiseSession(pid int, priority Priority) error {
	if priority == RealTime {
		return nil
	}
	nice := "0"
	if priority == High {
		nice = "-20"
	}
	err := os.WriteFile("/proc/"+strconv.Itoa(pid)+"/autogroup", []byte(nice), 0o644)
	if errors.Is(err, fs.ErrNotExist) || (err != nil && priority == Normal) {
		return nil // no such groups, the process has ended, or there is nothing to raise
	}
	if err != nil {
		return fmt.Errorf("priority %q: %w; run as root, or measure without --priority", priority, err)
	}
	return nil
}

// inPlace calls f on a thread that has the program's CPUs and priority.
func (p *placement) inPlace(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.SchedSetaffinity(0, &p.program); err != nil {
		return fmt.Errorf("CPU affinity: %w", err)
	}
	defer unix.SchedSetaffinity(0, &p.allowed)
	if err := setPriority(0, p.priority); err != nil {
		return err
	}
	defer func() { _ = setPriority(0, Normal) }() // lowering never fails
	return f()
}

// generator moves this process, which generates the load, to its CPUs. The
// function that it returns moves it back.
func (p *placement) generator() (release func(), err error) {
	move := func(set *unix.CPUSet, priority Priority) error {
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return err
		}
		for _, t := range tasks {
			tid, err := strconv.Atoi(t.Name())
			if err != nil {
				continue
			}
			if err := unix.SchedSetaffinity(tid, set); err != nil && err != unix.ESRCH {
				return fmt.Errorf("CPU affinity of the load generator: %w", err)
			}
			if err := setPriority(tid, priority); err != nil {
				return err
			}
		}
		return nil
	}
	if err := move(&p.rest, p.priority); err != nil {
		return nil, err
	}
	if err := raiseSession(os.Getpid(), p.priority); err != nil {
		return nil, err
	}
	return func() {
		_ = raiseSession(os.Getpid(), Normal)
		// Back to where we came from: allowed a moment ago, allowed now.
		_ = move(&p.allowed, Normal)
	}, nil
}

// setPriority sets the priority of one thread; 0 is the calling one.
func setPriority(tid int, priority Priority) error {
	const normalNice, highNice = 0, -20
	nice, attr := normalNice, unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_NORMAL}
	switch priority {
	case Normal:
	case High:
		nice = highNice
		attr.Nice = highNice
	case RealTime:
		attr.Policy, attr.Priority = unix.SCHED_RR, 1
	}
	err := unix.SchedSetAttr(tid, &attr, 0)
	if err == nil && priority != RealTime {
		err = unix.Setpriority(unix.PRIO_PROCESS, tid, nice)
	}
	if err == unix.ESRCH || (err != nil && priority == Normal) {
		return nil // the thread has ended, or nothing was raised before
	}
	if err != nil {
		return fmt.Errorf("priority %q: %w; run as root or with CAP_SYS_NICE, or measure without --priority", priority, err)
	}
	return nil
}

// calibrationRounds × 1 MiB of SHA-256 is the calibration unit, some 20 ms with SHA
// instructions.
const calibrationRounds = 32

// calibrate returns the CPU time of a fixed amount of work on the program's
// CPUs, in seconds: by the thread's CPU clock, so that waiting for a CPU does
// not count.
func (p *placement) calibrate() (seconds float64, err error) {
	err = p.inPlace(func() error {
		block := make([]byte, 1<<20)
		sha256.Sum256(block) // faults the pages in
		start := threadCPU()
		for range calibrationRounds {
			sum := sha256.Sum256(block)
			copy(block, sum[:])
		}
		seconds = threadCPU() - start
		return nil
	})
	return seconds, err
}

func threadCPU() float64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic("measure: clock_gettime: " + err.Error()) // cannot fail with a valid clock
	}
	return float64(t.Nano()) / 1e9
}
