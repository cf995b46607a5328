package execution_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"tierscope/analysis/execution"
)

func shell(script string) execution.Program {
	return execution.Program{Path: "/bin/sh", Args: []string{"-c", script}}
}

// Both streams are one text, in the order in which the program wrote them.
func TestAFinishedProgramReturnsWhatItWrote(t *testing.T) {
	t.Parallel()
	o, text, err := shell("echo one; echo two >&2; echo three").Finish(context.Background(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(text), "one\ntwo\nthree\n"; got != want {
		t.Errorf("output %q, want %q", got, want)
	}
	if o.Stopped || o.Wall <= 0 {
		t.Errorf("outcome %+v: want one that ended by itself after some time", o)
	}
}

// Programs tell on either stream why they fail: the error has it, with the
// status and the command.
func TestAProgramThatFailsIsQuoted(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"standard output": "echo no such option; exit 3",
		"standard error":  "echo no such option >&2; exit 3",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := shell(script).Finish(context.Background(), time.Minute)
			if err == nil {
				t.Fatal("a program with exit status 3 is no error")
			}
			for _, want := range []string{"no such option", "exit status 3", "/bin/sh"} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
		})
	}
}

// A program that does not end is stopped, with what it started: sleep would
// hold the pipe of a caller that waits for the end of the output.
func TestAProgramThatDoesNotEndIsStopped(t *testing.T) {
	t.Parallel()
	_, _, err := shell("echo waiting; sleep 600 & wait").Finish(context.Background(), 200*time.Millisecond)
	if err == nil {
		t.Fatal("a program that was stopped is no error")
	}
	for _, want := range []string{"did not end within 200ms", "waiting"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
}

func TestACancelledRunIsNotTheProgramsFault(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := shell("sleep 600").Finish(ctx, time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
