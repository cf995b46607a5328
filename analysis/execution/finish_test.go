package execution_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
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

// Many programs are filters: every run reads the same file.
func TestAProgramReadsItsStandardInput(t *testing.T) {
	t.Parallel()
	p := shell("cat; cat")
	p.Stdin = filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(p.Stdin, []byte("a line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, text, err := p.Finish(context.Background(), time.Minute); err != nil || string(text) != "a line\n" {
			t.Errorf("it read %q, error %v; want the line of the file", text, err)
		}
	}
	p.Stdin += " that there is not"
	if _, _, err := p.Finish(context.Background(), time.Minute); err == nil {
		t.Error("a program without its input was run")
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

// Linters and the like tell by their exit status what they found.
func TestAnExitStatusThatIsExpectedIsNoFailure(t *testing.T) {
	t.Parallel()
	finder := shell("echo found; exit 1")
	finder.ExitStatus = 1
	if _, text, err := finder.Finish(context.Background(), time.Minute); err != nil || string(text) != "found\n" {
		t.Errorf("output %q, error %v: want what was found", text, err)
	}
	for script, want := range map[string]string{
		"exit 0":     "exit status 0 where 1 was expected",
		"exit 2":     "exit status 2 where 1 was expected",
		"kill -9 $$": "SIGKILL",
	} {
		p := shell(script)
		p.ExitStatus = 1
		if _, _, err := p.Finish(context.Background(), time.Minute); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", script, err, want)
		}
	}
	_, _, err := shell("exit 4").Finish(context.Background(), time.Minute)
	ended, ok := errors.AsType[*execution.StatusError](err)
	if !ok || ended.Status != 4 || !strings.Contains(err.Error(), "--exit-status 4") {
		t.Errorf("error %v: want one that has status 4 and the remedy", err)
	}
}

// A program that does not end is stopped, with what it started: sleep would
// hold the pipe of a caller that waits for the end of the output. What it wrote is in the error,
// once it had the time to write.
func TestAProgramThatDoesNotEndIsStopped(t *testing.T) {
	t.Parallel()
	for limit := 200 * time.Millisecond; ; limit *= 4 {
		_, _, err := shell("echo waiting; sleep 600 & wait").Finish(context.Background(), limit)
		if err == nil {
			t.Fatal("a program that was stopped is no error")
		}
		if want := "did not end within " + limit.String(); !strings.Contains(err.Error(), want) {
			t.Fatalf("%q does not say %q", err, want)
		}
		if strings.Contains(err.Error(), "waiting") {
			return
		}
		if limit > time.Minute {
			t.Fatalf("%q does not say what the program wrote", err)
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
