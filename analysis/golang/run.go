package golang

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"tierscope/analysis"
)

// process is a program that runs or has run.
type process struct {
	cmd    *exec.Cmd
	begin  int64 // CLOCK_MONOTONIC ns
	stderr string
	done   chan struct{}
	err    error // of Wait
}

// outcome is how a run went.
type outcome struct {
	wall, cpu time.Duration
	begin     int64         // CLOCK_MONOTONIC ns
	work      [2]int64      // the same: begin and end of the work phase; 0, 0: the whole run
	workCPU   time.Duration // of the process in the work phase
	tasks     int64         // requests answered in the work phase
	stopped   bool          // we stopped it: it would have gone on
}

// grace is the time between SIGINT and SIGKILL.
const grace = 5 * time.Second

// monotonic reads the clock that the probes use.
func monotonic() int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		panic("golang: no CLOCK_MONOTONIC: " + err.Error())
	}
	return ts.Nano()
}

// start starts the executable as the workload says, with more environment.
func start(exe string, w analysis.Workload, dir string, env ...string) (*process, error) {
	p := &process{cmd: exec.Command(exe, w.Args...), done: make(chan struct{}), stderr: filepath.Join(dir, "stderr.txt")}
	p.cmd.Dir = w.Dir
	p.cmd.Env = append(environment(w), env...)
	// The C library's own use of rseq(2) would leave the probes none.
	p.cmd.Env = append(p.cmd.Env, "GLIBC_TUNABLES=glibc.pthread.rseq=0")
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	f, err := os.Create(p.stderr)
	if err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	defer f.Close()
	p.cmd.Stderr = f
	if err := onCores(w.Cores, func() error {
		p.begin = monotonic()
		return p.cmd.Start()
	}); err != nil {
		return nil, fmt.Errorf("run %s: %w", exe, err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// onCores calls f with the calling thread, and what f starts, confined to the
// first n CPUs that we may use; 0: all of them.
func onCores(n int, f func() error) error {
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

// stop ends the process: SIGINT, and SIGKILL if that does not help. What it
// started in its process group ends with it.
func (p *process) stop() {
	group := -p.cmd.Process.Pid
	syscall.Kill(group, syscall.SIGINT)
	select {
	case <-p.done:
	case <-time.After(grace):
		syscall.Kill(group, syscall.SIGKILL)
		<-p.done
	}
}

// messages is the end of what the program wrote to its standard error.
func (p *process) messages() string {
	b, err := os.ReadFile(p.stderr)
	if err != nil || len(b) == 0 {
		return "it wrote nothing to standard error"
	}
	return "the end of its standard error:\n" + tail(b, 2048)
}

// failure explains a program that did not end well; nil if it did.
func (p *process) failure() error {
	if p.err == nil {
		return nil
	}
	command := strings.Join(p.cmd.Args, " ")
	var exit *exec.ExitError
	if !errors.As(p.err, &exit) {
		return fmt.Errorf("%s: %w", command, p.err)
	}
	switch st := exit.Sys().(syscall.WaitStatus); {
	case st.Signaled() && st.Signal() == syscall.SIGKILL:
		return fmt.Errorf("the program was killed (SIGKILL): by the kernel for want of memory, or by somebody; see dmesg; the command was: %s", command)
	case st.Signaled():
		return fmt.Errorf("the program died of a signal (%v); the command was: %s; %s", st.Signal(), command, p.messages())
	case st.ExitStatus() == 2 && strings.Contains(p.messages(), "goroutine "):
		return fmt.Errorf("the program panicked: mend it or change its arguments; the command was: %s; %s", command, p.messages())
	default:
		return fmt.Errorf("the program failed with exit status %d: check its arguments and working directory; the command was: %s; %s", st.ExitStatus(), command, p.messages())
	}
}

// outcome is known when the process has ended.
func (p *process) outcome(end int64) outcome {
	st := p.cmd.ProcessState
	return outcome{wall: time.Duration(end - p.begin), begin: p.begin, cpu: st.UserTime() + st.SystemTime()}
}

// runBatch runs a program to its end, or stops it after the timeout.
func runBatch(ctx context.Context, exe string, w analysis.Workload, timeout time.Duration, dir string, env ...string) (outcome, error) {
	p, err := start(exe, w, dir, env...)
	if err != nil {
		return outcome{}, err
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	stopped := false
	select {
	case <-p.done:
	case <-timer.C:
		stopped = true
		p.stop()
	case <-ctx.Done():
		p.stop()
		return outcome{}, ctx.Err()
	}
	o := p.outcome(monotonic())
	o.stopped = stopped
	if stopped {
		return o, nil
	}
	return o, p.failure()
}

// cpuTime is the CPU time of a running process and its threads so far.
func cpuTime(pid int) (time.Duration, error) {
	const sched = 2 // CPUCLOCK_SCHED: the scheduler's account, in ns
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|sched), &ts); err != nil {
		return 0, fmt.Errorf("CPU clock of process %d: %w", pid, err)
	}
	return time.Duration(ts.Nano()), nil
}
