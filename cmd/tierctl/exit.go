package main

import (
	"errors"
	"syscall"
)

// Exit codes. A script can tell a violated condition from an undecided one,
// and both from a mistake.
const (
	exitDone          = 0   // done, all conditions met
	exitFailure       = 1   // internal or I/O error
	exitUsage         = 2   // wrong usage
	exitViolated      = 3   // a condition is violated (--fail-on, an SLO)
	exitUndecided     = 4   // an interval straddles the limit: more time may decide
	exitInput         = 5   // the input is invalid: schema, CSV row
	exitNotApplicable = 6   // the model cannot answer this question; --force overrides
	exitHalted        = 7   // the simulated program does not run to its end: a deadlock, or a defect of the model
	exitInterrupted   = 130 // interrupted, partial results printed or saved
)

// codedError is an error that decides the exit code.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

// exit returns err with an exit code; nil for nil. A machine that failed is not the
// fault of the input.
func exit(code int, err error) error {
	if err == nil {
		return nil
	}
	for _, trouble := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO, syscall.EMFILE, syscall.ENOMEM} {
		if code == exitInput && errors.Is(err, trouble) {
			code = exitFailure
		}
	}
	return &codedError{code, err}
}

// silentError ends the program with a code after the reason has been printed
// as part of the result.
type silentError struct{ code int }

func (e *silentError) Error() string { return "" }

// loud is an error of the work itself, not a verdict about its result.
func loud(err error) error {
	if _, verdict := errors.AsType[*silentError](err); verdict {
		return nil
	}
	return err
}

// exitCode returns the exit code for the error of a command.
func exitCode(err error) int {
	var coded *codedError
	var silent *silentError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &coded):
		return coded.code
	case errors.As(err, &silent):
		return silent.code
	default:
		return exitUsage // cobra's own checks of flags and arguments
	}
}

// verdicts collects the outcomes of conditions into an exit code: a violation
// outweighs an undecided condition.
type verdicts struct{ violated, undecided bool }

func (v *verdicts) add(violated, undecided bool) {
	v.violated, v.undecided = v.violated || violated, v.undecided || undecided
}

func (v *verdicts) exit() error {
	switch {
	case v.violated:
		return &silentError{exitViolated}
	case v.undecided:
		return &silentError{exitUndecided}
	}
	return nil
}
