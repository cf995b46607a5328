package scratch_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tierscope/project/scratch"
)

// With this variable the test binary is a process that makes temporary things and is killed.
const makeIn = "TIERSCOPE_TEST_SCRATCH"

func TestMain(m *testing.M) {
	if dir := os.Getenv(makeIn); dir != "" {
		folder, err := os.MkdirTemp(dir, scratch.Name(dir, "tierscope-test-"))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, "inside"), nil, 0o600)
		}
		if err == nil {
			_, err = os.CreateTemp(dir, scratch.Name(dir, ".notes.md.")+".tmp")
		}
		if err != nil {
			panic(err)
		}
		os.Stdout.WriteString("made\n")
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

// What a killed process left goes with the next one; what a living one has, and what has
// another's name, stays.
func TestWhatAKilledProcessLeftIsRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, other := range []string{"notes~~of~~mine", "tierscope-x~~4026531836.1.0~~2~~3", "tierscope-other-container~~1.999999.1~~5"} {
		if err := os.WriteFile(filepath.Join(dir, other), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	maker := exec.Command(os.Args[0])
	maker.Env = append(os.Environ(), makeIn+"="+dir)
	out, err := maker.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := maker.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 5)
	if _, err := out.Read(line); err != nil {
		t.Fatal(err)
	}
	next := func() []string {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), makeIn+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 5)); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // that it was killed
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	if names := next(); len(names) != 3+2+2 {
		t.Errorf("beside a living process there is %v, want 3 others, its 2 and our 2", names)
	}
	if err := maker.Process.Kill(); err != nil { // it is dead whether or not anybody waits for it
		t.Fatal(err)
	}
	defer func() { _ = maker.Wait() }()
	for zombie := false; !zombie; {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", maker.Process.Pid))
		zombie = err != nil || strings.Contains(string(stat), ") Z ")
	}
	if names := next(); len(names) != 3+2 {
		t.Errorf("after its death there is %s, want 3 others and our 2", strings.Join(names, " "))
	}
}
