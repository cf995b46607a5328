package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A machine that fails while something is read or written is not the fault of the input, whatever was being done.
func TestAFullDiskIsNotTheFaultOfTheInput(t *testing.T) {
	t.Parallel()
	full := &os.PathError{Op: "write", Path: "trace.bin", Err: syscall.ENOSPC}
	for err, want := range map[error]int{
		exit(exitInput, fmt.Errorf("analyze: %w", full)):             exitFailure,
		exit(exitInput, errors.Join(errors.New("twice"), full)):      exitFailure,
		exit(exitInput, errors.New("model.json: cores is −1")):       exitInput,
		exit(exitUsage, fmt.Errorf("--out: %w", full)):               exitUsage,
		fmt.Errorf("in a project: %w", exit(exitInput, syscall.EIO)): exitFailure,
	} {
		if code := exitCode(err); code != want {
			t.Errorf("%v: exit code %d, want %d", err, code, want)
		}
	}
}

// Build tags reach the go command as it takes them from anybody, beside what the user has set for it.
func TestTagsReachTheGoCommand(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=mod")
	for _, x := range []struct {
		env  map[string]string
		tags string
		want string
	}{
		{nil, "", ""},
		{nil, "netgo,fast", "-mod=mod -tags=netgo,fast"},
		{map[string]string{"GOFLAGS": "-race"}, "fast", "-race -tags=fast"},
	} {
		if got := withTags(x.env, x.tags)["GOFLAGS"]; got != x.want {
			t.Errorf("tags %q beside %v: GOFLAGS are %q, want %q", x.tags, x.env, got, x.want)
		}
	}
}

// What is worked for, perhaps for hours, has a place before the work begins: here below a file.
func TestResultsThatCouldNotBeKeptAreNotWorkedFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, ran := filepath.Join(dir, "file"), filepath.Join(dir, "ran")
	program := filepath.Join(dir, "program")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.WriteFile(program, []byte("#!/bin/sh\ntouch "+ran+"\n"), 0o700)); err != nil {
		t.Fatal(err)
	}
	place := filepath.Join(file, "new", "result")
	for _, args := range [][]string{
		{"measure", "--program", program, "--grid", "x=1,2", "--out", place},
		{"machine", "measure", "--seconds", "3600", "--out", place},
		{"prolong", "--program", program, "--out", place},
		{"predictability", "go", program, "--out", place, "--", "{n}"},
		{"regress", "capture", program, "--vary", "n=1..9", "--profile", place},
		{"hybrid", "--vary", "n=1,2", "--out", place + ".tier", "--", program},
		{"analyze", "--out", place + ".tier", "--", program},
		{"sweep", webServer, "--axis", "workers=1,2", "--save", place},
		{"report", webServer, "--out", place},
	} {
		_, said, code := tierctl(t.Context(), args...)
		if code != exitFailure || !strings.Contains(said, place[:len(file)]) {
			t.Errorf("tierctl %q ends with %d and says %q, want %d and the place", args, code, said, exitFailure)
		}
		if _, err := os.Stat(ran); err == nil {
			t.Fatalf("tierctl %q ran the program first", args)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("beside the file and the program there is %v", left)
	}
}
