package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A file without an end is refused before it fills the memory, whichever command is given it: nothing but zeros, and what begins
// like a file of its kind. The memory of the process is bounded here, so that it would fail.
func TestAFileWithoutAnEndIsRefused(t *testing.T) {
	t.Parallel()
	program := tierctlProgram(t)
	const file = "FILE"
	kinds := []struct {
		begins, more string
		commands     [][]string
	}{
		{`{"rows": [1`, ",1", [][]string{
			{"check", file}, {"sweep", file}, {"convert", file, "new.tier"}, {"diff", file, file},
			{"validate", webServer, "--measured", webServer, "--map", file}, {"prolong", webServer, "--measured", file},
			{"regress", "feed", file, "a=b", "--at", "n=1"}, {"regress", "predict", file, ".", "--hook", "f", "--out", "x"},
			{"disk", "compare", file, file}, {"disk", "use", webServer, file, "--out", "x.json"}, {"machine", "compare", file, file},
			{"predictability", "show", file}, {"predictability", "balance", "--from", file + "=1", "--from", file + "=2", "--jobs-from", "1", "--jobs-to", "2"},
		}},
		{"workers,R\n", "1,2\n", [][]string{{"validate", webServer, "--measured", file}, {"regress", file}, {"disk", "estimate", file}}},
	}
	for _, kind := range kinds {
		for _, args := range kind.commands {
			for begins, endless := range map[string]func(*testing.T) string{
				"zeros": func(*testing.T) string { return "/dev/zero" },
				"as it": func(t *testing.T) string { return endlessly(t, kind.begins, kind.more) },
			} {
				t.Run(strings.Join(args[:2], " ")+"/"+begins, func(t *testing.T) {
					t.Parallel()
					words := strings.ReplaceAll(strings.Join(args, "\x00"), file, endless(t))
					limited := append([]string{"-c", `ulimit -v 8000000; exec "$0" "$@"`, program}, strings.Split(words, "\x00")...)
					cmd := exec.Command("/bin/sh", limited...)
					out, err := cmd.CombinedOutput()
					exit, ok := errors.AsType[*exec.ExitError](err)
					if !ok || exit.ExitCode() != exitInput && exit.ExitCode() != exitUsage || bytes.Contains(out, []byte("out of memory")) {
						t.Errorf("it ends with %v: %.300s", err, out)
					}
				})
			}
		}
	}
}

// Who interrupts twice does not wait: nobody writes into the pipe that is read.
func TestASecondInterruptEndsWhatDoesNotListen(t *testing.T) {
	t.Parallel()
	silent := filepath.Join(t.TempDir(), "silent.json")
	if err := unix.Mkfifo(silent, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), tierctlProgram(t), "check", silent)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for patience := time.After(long); ; {
		select {
		case <-ended:
			return
		case <-patience:
			_ = cmd.Process.Kill()
			t.Fatalf("after %v of interrupts it still runs", long)
		case <-time.After(100 * time.Millisecond): // signals before it listens, or while the last one is pending, are one
			_ = cmd.Process.Signal(os.Interrupt)
		}
	}
}

// endlessly is the name of a pipe from which somebody reads text, then more and more.
func endlessly(t *testing.T, text, more string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "endless.json")
	if err := unix.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, err := fmt.Fprint(f, text)
		for block := strings.Repeat(more, 1<<16/len(more)); err == nil; {
			_, err = f.WriteString(block)
		}
	}()
	t.Cleanup(func() {
		f.Close()
		<-written
	})
	return name
}
