package golang

import (
	"context"
	"path/filepath"
	"strings"
	"syscall"

	"tierscope/analysis/execution"
	"tierscope/analysis/trace"
)

// run runs an executable under the workload, with more environment.
func (t Target) run(ctx context.Context, exe string, w trace.Workload, dir string, env ...string) (execution.Outcome, error) {
	if err := w.GetReady(ctx); err != nil {
		return execution.Outcome{}, err
	}
	if w.Load != nil && t.Drive == nil {
		return execution.Outcome{}, errNoDrive
	}
	env = append(execution.Environment(w.Env), env...)
	p := execution.Program{
		Path: exe, Args: w.Args, Dir: w.Dir, Stdin: w.Stdin, Cores: w.Cores, ExitStatus: w.ExitStatus, Messages: filepath.Join(dir, "stderr.txt"),
		// The C library's own use of rseq(2) would leave the probes none.
		Env:       append(env, "GLIBC_TUNABLES=glibc.pthread.rseq=0"),
		Interrupt: syscall.SIGINT, Explain: panicked,
	}
	return p.Under(ctx, w, t.Drive, t.timeout(w))
}

// panicked recognises a program that ended with a panic, or that the run-time system
// ended because nothing can go on.
func panicked(status syscall.WaitStatus, messages string) string {
	if status.ExitStatus() == 2 && strings.Contains(messages, "all goroutines are asleep - deadlock!") {
		return "the program deadlocked: all its goroutines wait, as those below say where, and nothing can wake them"
	}
	if status.ExitStatus() == 2 && strings.Contains(messages, "goroutine ") {
		return "the program panicked: mend it or change its arguments"
	}
	return ""
}
