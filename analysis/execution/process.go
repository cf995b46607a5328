// Package execution runs the programs that are analysed: on some of the CPUs,
// to their end or under a load, and tells how that went. A front end says how
// its programs are started and asked to end, and what their last words mean.
package execution

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// Program is what is run.
type Program struct {
	Path      string
	Args      []string // without the name of the program
	Dir       string
	Stdin     string         // file for its standard input; "": nothing comes
	Env       []string       // all of it
	Cores     int            // CPUs that it may use; 0: all that we may
	Messages  string         // name of the file for its standard error
	Interrupt syscall.Signal // asks it to end; 0: nothing does, it is killed
	// Explain says why the program ended with a status that is not 0, or
	// nothing if that is all there is to say. messages is the end of its
	// standard error. nil: it is not known.
	Explain func(status syscall.WaitStatus, messages string) string

	// ExitStatus is the status with which it ends when all is well.
	ExitStatus int

	// Beside runs beside a program that Finish runs, until done is closed; may be
	// nil.
	Beside func(pid int, done <-chan struct{})

	together bool // standard output goes to the file of messages, too
}

// Process is a program that runs or has run.
type Process struct {
	program *Program
	cmd     *exec.Cmd
	guard   *Guard
	begin   int64 // CLOCK_MONOTONIC ns
	done    chan struct{}
	err     error // of Wait
}

// Outcome is how a run went.
type Outcome struct {
	Wall, CPU time.Duration
	Work      [2]int64      // CLOCK_MONOTONIC ns: begin and end of the work phase; 0, 0: the whole run
	WorkCPU   time.Duration // of the process in the work phase
	Answers                 // in the work phase
	Stopped   bool          // we stopped it: it would have gone on
}

// Cost is the CPU time of a run in s: in all, or per request.
func (o Outcome) Cost() float64 {
	if o.Tasks > 0 {
		return o.WorkCPU.Seconds() / float64(o.Tasks)
	}
	return o.CPU.Seconds()
}

// Environment is ours with more variables.
func Environment(more map[string]string) []string {
	env := os.Environ()
	for k, v := range more {
		env = append(env, k+"="+v)
	}
	return env
}

// Start starts the program. Its standard output goes where it would.
func (p *Program) Start() (*Process, error) {
	if errSystem != nil {
		return nil, errSystem
	}
	r := &Process{program: p, cmd: exec.Command(p.Path, p.Args...), done: make(chan struct{})}
	r.cmd.Dir, r.cmd.Env = p.Dir, p.Env
	r.cmd.SysProcAttr = ownGroup()
	f, err := os.Create(p.Messages)
	if err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	defer f.Close()
	r.cmd.Stderr = f
	if p.together {
		r.cmd.Stdout = f
	}
	if p.Stdin != "" {
		in, err := os.Open(p.Stdin)
		if err != nil {
			return nil, fmt.Errorf("run: standard input: %w", err)
		}
		defer in.Close()
		r.cmd.Stdin = in
	}
	if r.guard, err = NewGuard(); err != nil {
		return nil, fmt.Errorf("run %s: %w", p.Path, err)
	}
	if err := OnCores(p.Cores, func() error {
		r.begin = Monotonic()
		return r.cmd.Start()
	}); err != nil {
		r.guard.Dismiss()
		return nil, fmt.Errorf("run %s: %w", p.Path, err)
	}
	r.guard.Watch(r.PID())
	go func() {
		r.err = r.cmd.Wait()
		r.guard.Dismiss()
		close(r.done)
	}()
	return r, nil
}

// PID is the number of the process.
func (r *Process) PID() int { return r.cmd.Process.Pid }

// Done is closed when the process has ended.
func (r *Process) Done() <-chan struct{} { return r.done }

// grace is the time between the signal that asks a program to end and SIGKILL.
const grace = 5 * time.Second

// stop ends the process: by the signal that it knows, and by SIGKILL if that
// does not help. What it started in its process group ends with it.
func (r *Process) stop() {
	if r.program.Interrupt != 0 {
		signalGroup(r.PID(), r.program.Interrupt)
		select {
		case <-r.done:
			return
		case <-time.After(grace):
		}
	}
	signalGroup(r.PID(), syscall.SIGKILL)
	<-r.done
}

// messages is the end of what the program wrote to its standard error, or to
// both that and its standard output, and the beginning if that is long: where the stacks
// of many threads follow, it says why.
func (r *Process) messages() string {
	where := "standard error"
	if r.program.together {
		where = "output"
	}
	b, err := os.ReadFile(r.program.Messages)
	if err != nil || len(b) == 0 {
		return "it wrote nothing to its " + where
	}
	const begin, end = 512, 1536 // bytes
	if len(b) <= begin+end {
		return "the end of its " + where + ":\n" + Tail(b, begin+end)
	}
	first := b[:bytes.LastIndexByte(b[:begin], '\n')+1]
	return "beginning and end of its " + where + ":\n" + string(first) + Tail(b, end)
}

// StatusError is a program that ended by itself, with another status than was
// expected, and nothing tells why. That may be how it says what it found: a linter's
// is often 1.
type StatusError struct {
	Status int
	CPU    time.Duration // that it used
	text   string
}

func (e *StatusError) Error() string { return e.text }

// failure explains a program that did not end well; nil if it did.
func (r *Process) failure() error {
	var exit *exec.ExitError
	command := strings.Join(r.cmd.Args, " ")
	if r.err != nil && !errors.As(r.err, &exit) {
		return fmt.Errorf("%s: %w", command, r.err)
	}
	status := r.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Exited() && status.ExitStatus() == r.program.ExitStatus {
		return nil
	}
	if status.Signaled() && status.Signal() == syscall.SIGKILL {
		return fmt.Errorf("the program was killed (SIGKILL): by the kernel for want of memory, or by somebody; see dmesg; the command was: %s", command)
	}
	messages := r.messages()
	why := ""
	if r.program.Explain != nil && r.err != nil {
		why = r.program.Explain(status, messages)
	}
	if why == "" && status.Signaled() {
		why = fmt.Sprintf("the program died of a signal (%v)", status.Signal())
	}
	if why != "" {
		return fmt.Errorf("%s; the command was: %s; %s", why, command, messages)
	}
	return &StatusError{Status: status.ExitStatus(), CPU: r.outcome(0).CPU,
		text: fmt.Sprintf("%s; the command was: %s; %s", unexpected(status.ExitStatus(), r.program.ExitStatus), command, messages)}
}

// unexpected says that a program ended with a status where another was expected.
func unexpected(status, expected int) string {
	if expected != 0 {
		return fmt.Sprintf("the program ended with exit status %d where %d was expected", status, expected)
	}
	return fmt.Sprintf("the program failed with exit status %d: check its arguments and working directory; "+
		"if that is how it ends when all is well, say so (--exit-status %d)", status, status)
}

// outcome is known when the process has ended.
func (r *Process) outcome(end int64) Outcome {
	st := r.cmd.ProcessState
	return Outcome{Wall: time.Duration(end - r.begin), CPU: st.UserTime() + st.SystemTime()}
}

// Tail is the end of a text, n bytes or fewer of it, from the start of a line if
// it can be.
func Tail(b []byte, n int) string {
	if len(b) > n {
		b = b[len(b)-n:]
		if _, rest, ok := bytes.Cut(b, []byte("\n")); ok {
			b = rest
		}
		b = append([]byte("…\n"), b...)
	}
	return strings.TrimRight(string(b), "\n")
}
