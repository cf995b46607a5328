// Command tierctl is the command-line twin of Tierscope: it analyses programs,
// simulates models, runs sweeps and compares predictions with measurements.
// Results go to standard output, progress and errors to standard error.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) { // as nohup does
			signals = append(signals, s)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop) // the second signal ends what does not listen to the first, such as waiting for who writes into a pipe
	root, out := newRoot(), &output{File: os.Stdout}
	root.SetOut(out)
	err := root.ExecuteContext(ctx)
	stop()
	if err == nil && out.failed != nil && !errors.Is(out.failed, syscall.EPIPE) { // who reads may have enough
		err = exit(exitFailure, fmt.Errorf("standard output: %w", out.failed))
	}
	if err != nil {
		var quiet *silentError
		if !errors.As(err, &quiet) {
			fmt.Fprintln(os.Stderr, visible("tierctl: "+err.Error()))
		}
	}
	os.Exit(exitCode(err))
}
