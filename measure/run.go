package measure

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"

	"tierscope/analysis/execution"
	"tierscope/analysis/java/hotspot"
	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
	"tierscope/measure/load"
)

// Summary is what a program prints about itself as a line of JSON, the last
// one of its standard output that is a JSON object. All keys are optional: nil is
// what the program did not say, which is not 0.
type Summary struct {
	load.Summary
	Check string `json:"check"` // of the result: must not depend on the configuration
	// Operations are mean times of single operations, such as "stat" and "read".
	Operations map[string]float64 `json:"operations_mean_s"`
}

// observation is what one run showed.
type observation struct {
	cores       int
	wall        float64      // seconds: of a batch program from start to end, of a server the work phase
	use         use          // of the program during wall
	others      float64      // CPU seconds of all other programs but the generator, during wall
	steal       float64      // seconds that the hypervisor took, during wall
	disks       []diskUse    // busy time by disk, during wall
	calibration float64      // CPU seconds of the calibration unit, mean of before and after
	load        *load.Report // nil: a batch program
	summary     *Summary     // nil: the program says nothing
}

// use is the CPU and disk use of a program.
type use struct {
	cpu                   float64 // seconds
	waited                float64 // seconds that its threads were ready and had no CPU
	threads               []threadUse
	readBytes, writeBytes float64
}

type threadUse struct {
	name string
	cpu  float64 // seconds
}

type diskUse struct {
	name string
	busy float64 // seconds
}

// grace is how long a server may take to stop after SIGINT.
const grace = 15 * time.Second

// run makes one run: calibrate, start, drive, stop, calibrate.
func (c Campaign) run(ctx context.Context, r Run) (*observation, error) {
	w, err := c.workload(r)
	if err != nil {
		return nil, err
	}
	timeout := c.Timeout
	if timeout == 0 {
		timeout = defaultTimeout
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("it did not end within %v", timeout))
	defer cancel()
	place, err := newPlacement(w, c.Priority)
	if err != nil {
		return nil, err
	}
	before, err := place.calibrate()
	if err != nil {
		return nil, err
	}
	o, err := execute(ctx, w, place)
	if err != nil {
		return nil, err
	}
	after, err := place.calibrate()
	if err != nil {
		return nil, err
	}
	o.calibration = (before + after) / 2
	return o, nil
}

// execute runs the program under its load.
func execute(ctx context.Context, w trace.Workload, place *placement) (*observation, error) {
	if err := execution.Vacant(ctx, w.Load); err != nil {
		return nil, err
	}
	if err := w.GetReady(ctx); err != nil {
		return nil, err
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(w.Program, w.Args...)
	cmd.Dir = w.Dir
	cmd.Env = os.Environ()
	for k, v := range w.Env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if w.Stdin != "" {
		in, err := os.Open(w.Stdin)
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		defer in.Close()
		cmd.Stdin = in
	}
	o := &observation{cores: usable(place.cores, w)}
	guard, err := execution.NewGuard()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	start := account(0)
	if err := place.start(cmd); err != nil {
		guard.Dismiss()
		return nil, fmt.Errorf("starting %s: %w", w.Program, err)
	}
	guard.Watch(cmd.Process.Pid)
	p := &process{cmd: cmd, done: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
		guard.Dismiss()
	}()
	watched := watch(cmd.Process.Pid, p.done)
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()

	if w.Load == nil {
		<-p.done
		o.wall = time.Since(began).Seconds()
		end := account(0)
		o.use = watched()
		o.use.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		o.between(start, end)
	} else {
		err = o.serve(ctx, w, p, place)
		watched()
	}
	switch {
	case ctx.Err() != nil:
		p.kill()
		<-p.done
		return nil, fmt.Errorf("stopped: %w", context.Cause(ctx))
	case err != nil:
		return nil, fmt.Errorf("%w\n%s", err, tail(stderr.Bytes()))
	case w.Load == nil && cmd.ProcessState.ExitCode() == w.ExitStatus:
	case w.Load == nil && w.ExitStatus != 0 && p.err == nil:
		return nil, fmt.Errorf("the program ended with exit status 0 where %d was expected\n%s", w.ExitStatus, tail(stderr.Bytes()))
	case p.err != nil:
		return nil, fmt.Errorf("the program ended with %w%s\n%s", p.err, remedy(p.err), tail(stderr.Bytes()))
	}
	o.summary = summaryOf(stdout.Bytes())
	return o, nil
}

// remedy says what to do if an exit status is no failure.
func remedy(err error) string {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || !exit.Exited() {
		return ""
	}
	return fmt.Sprintf(" (if that is how it ends when all is well, say so: --exit-status %d)", exit.ExitCode())
}

// usable is the number of cores that the program can keep busy: those it may
// run on, or fewer when its run-time system is told so.
func usable(cores int, w trace.Workload) int {
	if n, err := strconv.Atoi(w.Env[runtimes.OfProgram(w.Program).Processors.Variable]); err == nil && n > 0 {
		return min(cores, n)
	}
	return cores
}

// serve waits until the server answers, drives it, and stops it. The accounts
// are those of the work phase.
func (o *observation) serve(ctx context.Context, w trace.Workload, p *process, place *placement) error {
	defer p.stop()
	if err := load.Await(ctx, w.Load.Awaited(), p.done); err != nil {
		return err
	}
	release, err := place.generator()
	if err != nil {
		return err
	}
	defer release()
	pid := p.cmd.Process.Pid
	press := func(ctx context.Context, l trace.Load) error {
		_, err := load.Drive(ctx, l, load.Hooks{})
		return err
	}
	if _, err := hotspot.WarmUp(ctx, *w.Load, pid, press); err != nil {
		return err
	}
	var mu sync.Mutex
	var start, end accounts
	report, err := load.Drive(ctx, *w.Load, load.Hooks{
		WorkStart: func() { mu.Lock(); start = account(pid); mu.Unlock() },
		WorkEnd:   func() { mu.Lock(); end = account(pid); mu.Unlock() },
	})
	o.load = report
	if err != nil {
		return err
	}
	mu.Lock()
	defer mu.Unlock()
	o.wall = end.at.Sub(start.at).Seconds()
	o.use = end.use.minus(start.use)
	o.between(start, end)
	o.others -= report.CPU.Seconds() * o.wall / (w.Load.Warmup + w.Load.Duration)
	o.others = max(o.others, 0)
	return nil
}

// between fills in what the machine did between two accounts.
func (o *observation) between(start, end accounts) {
	o.others = max(end.busy-start.busy-o.use.cpu, 0)
	o.steal = end.steal - start.steal
	for _, d := range end.disks {
		for _, before := range start.disks {
			if before.name == d.name {
				o.disks = append(o.disks, diskUse{d.name, d.busy - before.busy})
			}
		}
	}
}

func (u use) minus(v use) use {
	u.cpu -= v.cpu
	u.waited -= v.waited
	u.readBytes -= v.readBytes
	u.writeBytes -= v.writeBytes
	earlier := map[string]float64{}
	for _, t := range v.threads {
		earlier[t.name] = t.cpu
	}
	threads := make([]threadUse, len(u.threads))
	for i, t := range u.threads {
		threads[i] = threadUse{t.name, t.cpu - earlier[t.name]}
	}
	u.threads = threads
	return u
}

// process is a started program.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	err  error         // how, after done
}

// stop interrupts a server and waits for it; what does not stop is killed.
func (p *process) stop() {
	signalGroup(p.cmd.Process.Pid, syscall.SIGINT)
	select {
	case <-p.done:
		var exit *exec.ExitError
		if errors.As(p.err, &exit) && endedBy(exit, syscall.SIGINT) {
			p.err = nil // it has no handler; that is how it stops
		}
	case <-time.After(grace):
		p.kill()
		<-p.done
		p.err = fmt.Errorf("no reaction to SIGINT within %v", grace)
	}
}

func (p *process) kill() { signalGroup(p.cmd.Process.Pid, syscall.SIGKILL) }

// summaryOf finds the program's own account in its output, nil if there is
// none.
func summaryOf(stdout []byte) *Summary {
	lines := bytes.Split(stdout, []byte("\n"))
	for i := len(lines) - 1; i >= 0; i-- {
		if !bytes.HasPrefix(lines[i], []byte("{")) {
			continue
		}
		var s Summary
		if json.Unmarshal(lines[i], &s) == nil {
			return &s
		}
	}
	return nil
}
