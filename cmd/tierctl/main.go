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
	err := newRoot().ExecuteContext(ctx)
	stop()
	if err != nil {
		var quiet *silentError
		if !errors.As(err, &quiet) {
			fmt.Fprintln(os.Stderr, visible("tierctl: "+err.Error()))
		}
	}
	os.Exit(exitCode(err))
}
