package java

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"tierscope/analysis/execution"
	"tierscope/analysis/trace"
)

// outcome is how a run went, and what the JVM's threads used.
type outcome struct {
	execution.Outcome
	own   *account
	agent reading // what had been used when the agent was ready, before the program began
	served
}

// system is what the JVM's own threads used of the run's cost, in s, but not
// before the program began.
func (o *outcome) system(boot outcome) float64 {
	if o.Tasks > 0 {
		return (o.own.at(o.Work[1]).system() - o.own.at(o.Work[0]).system()).Seconds() / float64(o.Tasks)
	}
	return max(o.own.last().system()-max(o.agent.system(), boot.own.last().system()), 0).Seconds()
}

// start starts the program with more options for the JVM, and the account of
// its threads.
func (p *program) start(w trace.Workload, dir string, options []string) (*execution.Process, *account, error) {
	jvm := execution.Program{
		Path: p.java, Args: append(options, p.args...), Dir: w.Dir, Stdin: w.Stdin, Env: execution.Environment(w.Env), Cores: w.Cores,
		ExitStatus: w.ExitStatus,
		Messages:   filepath.Join(dir, "stderr.txt"),
		Interrupt:  syscall.SIGTERM, // on which a JVM runs its shutdown hooks
		Explain:    lastWords,
	}
	r, err := jvm.Start()
	if err != nil {
		return nil, nil, err
	}
	return r, watch(r.PID(), r.Done()), nil
}

// lastWords says why a JVM ended.
func lastWords(status syscall.WaitStatus, messages string) string {
	switch {
	case status.Signaled():
		return fmt.Sprintf("the JVM died of a signal (%v)", status.Signal())
	case strings.Contains(messages, "ClassNotFoundException") || strings.Contains(messages, "NoClassDefFoundError"):
		return "a class is missing: check the class path (-cp) and the working directory (--dir)"
	case strings.Contains(messages, "Exception in thread"):
		return fmt.Sprintf("the program ended with an exception (exit status %d): mend it or change its arguments", status.ExitStatus())
	}
	return ""
}

// settle completes the outcome of a run that has ended by the account.
func settle(o execution.Outcome, own *account) outcome {
	<-own.ended
	o.CPU = max(o.CPU, time.Duration(own.last().all)) // the other is counted in ticks
	return outcome{Outcome: o, own: own}
}

// batch runs a program to its end, or stops it after the timeout, or when the
// agent, which comes with options, says that it is deadlocked.
func (p *program) batch(ctx context.Context, w trace.Workload, timeout time.Duration, dir string, options ...string) (outcome, error) {
	r, own, err := p.start(w, dir, options)
	if err != nil {
		return outcome{}, err
	}
	var look func() error
	idle := r.AsksForLoad(0)
	if len(options) > 0 || w.Timeout == 0 {
		look = func() error {
			if len(options) > 0 {
				if err := deadlocked(dir); err != nil {
					return err
				}
			}
			if w.Timeout == 0 {
				return idle()
			}
			return nil
		}
	}
	o, err := r.Batch(ctx, timeout, look)
	return settle(o, own), err
}

// serve runs a server under the load of the workload, warm unless its stacks
// are only sampled. agent are the options of the agent; nil: there is none.
func (p *program) serve(ctx context.Context, w trace.Workload, drive execution.Drive, dir string, agent map[string]string, options ...string) (outcome, error) {
	if err := execution.Vacant(ctx, w.Load); err != nil {
		return outcome{}, err
	}
	r, own, err := p.start(w, dir, options)
	if err != nil {
		return outcome{}, err
	}
	var how served
	if agent["samples"] == "" {
		var tape *switcher
		if agent["record"] != "" {
			tape = &switcher{recording: agent["record"]}
		}
		drive = warmed(drive, r.PID(), cmp.Or(w.Cores, runtime.NumCPU()), tape, own.program, &how)
	}
	o, err := r.Serve(ctx, w.Load, drive, own.read)
	out := settle(o, own)
	out.served = how
	return out, err
}

// deadlocked tells of a deadlock that the agent found.
func deadlocked(dir string) error {
	j, err := readJournal(filepath.Join(dir, fileLog))
	if err != nil || j.deadlock == "" {
		return nil
	}
	return fmt.Errorf("the program is deadlocked: %s", j.deadlock)
}
