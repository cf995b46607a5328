package main

import (
	"errors"
	"fmt"
	"os"
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
