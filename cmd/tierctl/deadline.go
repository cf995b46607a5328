package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

// deadline is the flag --max-time: how long a command may take, whatever it is doing.
type deadline struct{ text string }

func (d *deadline) flag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&d.text, "max-time", "", "stop after this wall-clock time, such as 60s, with what there is")
}

// start makes the context of the command end when its time is up. The returned function must be
// called in the end.
func (d *deadline) start(cmd *cobra.Command) (context.CancelFunc, error) {
	if d.text == "" {
		return func() {}, nil
	}
	seconds, err := number(d.text)
	if err == nil && !(seconds > 0 && seconds < 1e9) {
		err = errors.New("give a time > 0")
	}
	if err != nil {
		return func() {}, exit(exitUsage, fmt.Errorf("--max-time %s: %w", d.text, err))
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), time.Duration(seconds*float64(time.Second)))
	cmd.SetContext(ctx)
	return cancel, nil
}

// ended returns how a command ends whose context has: by a signal, or because its time is up. what
// says what the caller gets. It is nil while the context goes on.
func ended(ctx context.Context, t *terminal, what string) error {
	switch err := ctx.Err(); {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Fprintln(t.err, "out of time: "+what)
		return &silentError{exitUndecided}
	default:
		fmt.Fprintln(t.err, "interrupted: "+what)
		return &silentError{exitInterrupted}
	}
}

// patience is how long work that does not look at its context may still take when that has ended.
const patience = 200 * time.Millisecond

// await returns what f returns, or the error of ctx if that has ended for longer than patience. f then goes
// on until it ends by itself or the program does; nobody hears of it.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := f()
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
	}
	select {
	case a := <-done:
		return a.value, a.err
	case <-time.After(patience):
		var nothing T
		return nothing, ctx.Err()
	}
}

// orPlainly returns err, in plain words where it says no more than that a context has ended.
func orPlainly(err error, words string) error {
	if errors.Is(err, context.Canceled) && err.Error() == context.Canceled.Error() ||
		errors.Is(err, context.DeadlineExceeded) && err.Error() == context.DeadlineExceeded.Error() {
		return errors.New(words)
	}
	return err
}
