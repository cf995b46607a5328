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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newRoot().ExecuteContext(ctx)
	stop()
	if err != nil {
		var quiet *silentError
		if !errors.As(err, &quiet) {
			fmt.Fprintf(os.Stderr, "tierctl: %v\n", err)
		}
	}
	os.Exit(exitCode(err))
}
