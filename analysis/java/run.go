package java

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
	begin  int64 // CLOCK_MONOTONIC, ns
	stderr string
	done   chan struct{}
	err    error // of Wait
	own    *account
}

// outcome is how a run went.
type outcome struct {
	wall, cpu time.Duration
	work      [2]int64      // CLOCK_MONOTONIC ns: the work phase; 0, 0: the whole run
	workCPU   time.Duration // of the process in the work phase
	tasks     int64         // requests answered in it
	stopped   bool          // by us
	own       *account
}

// grace is the time between SIGTERM, on which a JVM runs its shutdown hooks,
// and SIGKILL.
const grace = 5 * time.Second

func monotonic() int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		panic("java: no CLOCK_MONOTONIC: " + err.Error())
	}
	return ts.Nano()
}

// start starts the program with more options for the JVM. Its standard output
// goes where it would.
func (p *program) start(w analysis.Workload, dir string, options ...string) (*process, error) {
	r := &process{cmd: exec.Command(p.java, append(options, p.args...)...), done: make(chan struct{}), stderr: filepath.Join(dir, "stderr.txt")}
	r.cmd.Dir = w.Dir
	r.cmd.Env = os.Environ()
	for k, v := range w.Env {
		r.cmd.Env = append(r.cmd.Env, k+"="+v)
	}
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	f, err := os.Create(r.stderr)
	if err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	defer f.Close()
	r.cmd.Stderr = f
	if err := onCores(w.Cores, func() error {
		r.begin = monotonic()
		return r.cmd.Start()
	}); err != nil {
		return nil, fmt.Errorf("run %s: %w", p.java, err)
	}
	r.own = watch(r.cmd.Process.Pid, r.done)
	go func() {
		r.err = r.cmd.Wait()
		close(r.done)
	}()
	return r, nil
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

// stop ends the process and what it started in its process group.
func (r *process) stop() {
	group := -r.cmd.Process.Pid
	syscall.Kill(group, syscall.SIGTERM)
	select {
	case <-r.done:
	case <-time.After(grace):
		syscall.Kill(group, syscall.SIGKILL)
		<-r.done
	}
}

// messages is the end of what the program wrote to its standard error.
func (r *process) messages() string {
	b, err := os.ReadFile(r.stderr)
	if err != nil || len(b) == 0 {
		return "it wrote nothing to standard error"
	}
	const enough = 2048
	return "the end of its standard error:\n" + strings.TrimSpace(string(b[max(0, len(b)-enough):]))
}

// failure explains a program that did not end well; nil if it did.
func (r *process) failure() error {
	if r.err == nil {
		return nil
	}
	command := strings.Join(r.cmd.Args, " ")
	var exit *exec.ExitError
	if !errors.As(r.err, &exit) {
		return fmt.Errorf("%s: %w", command, r.err)
	}
	text := r.messages()
	switch st := exit.Sys().(syscall.WaitStatus); {
	case st.Signaled() && st.Signal() == syscall.SIGKILL:
		return fmt.Errorf("the program was killed (SIGKILL): by the kernel for want of memory, or by somebody; see dmesg; the command was: %s", command)
	case st.Signaled():
		return fmt.Errorf("the JVM died of a signal (%v); the command was: %s; %s", st.Signal(), command, text)
	case strings.Contains(text, "ClassNotFoundException") || strings.Contains(text, "NoClassDefFoundError"):
		return fmt.Errorf("a class is missing: check the class path (-cp) and the working directory (--dir); the command was: %s; %s", command, text)
	case strings.Contains(text, "Exception in thread"):
		return fmt.Errorf("the program ended with an exception (exit status %d): mend it or change its arguments; the command was: %s; %s", st.ExitStatus(), command, text)
	default:
		return fmt.Errorf("the program failed with exit status %d: check its arguments and working directory; the command was: %s; %s", st.ExitStatus(), command, text)
	}
}

func (r *process) outcome(end int64) outcome {
	st := r.cmd.ProcessState
	o := outcome{wall: time.Duration(end - r.begin), cpu: st.UserTime() + st.SystemTime(), own: r.own}
	o.cpu = max(o.cpu, r.own.total()) // the other is counted in ticks
	return o
}

// lookEvery is how often a running program is looked at for a deadlock.
const lookEvery = time.Second

// deadlocked tells of a deadlock that the agent found.
func deadlocked(dir string) error {
	j, err := readJournal(filepath.Join(dir, fileLog))
	if err != nil || j.deadlock == "" {
		return nil
	}
	return fmt.Errorf("the program is deadlocked: %s", j.deadlock)
}

// batch runs a program to its end, or stops it after the timeout, or when it
// cannot go on.
func (p *program) batch(ctx context.Context, w analysis.Workload, timeout time.Duration, dir string, options ...string) (outcome, error) {
	r, err := p.start(w, dir, options...)
	if err != nil {
		return outcome{}, err
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	stopped := false
	for running := true; running; {
		select {
		case <-r.done:
			running = false
		case <-timer.C:
			stopped, running = true, false
			r.stop()
		case <-look.C:
			if len(options) == 0 {
				continue // no agent that could tell
			}
			if err := deadlocked(dir); err != nil {
				r.stop()
				return outcome{}, err
			}
		case <-ctx.Done():
			r.stop()
			return outcome{}, ctx.Err()
		}
	}
	<-r.own.ended
	o := r.outcome(monotonic())
	o.stopped = stopped
	if stopped {
		return o, nil
	}
	return o, r.failure()
}
