//go:build unix

package project_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tierscope/project"
)

// Root writes to /dev/stdout or /dev/null, and finds it there afterwards; what is no file elsewhere is not replaced.
func TestAStreamIsWrittenToAndNotReplaced(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	into := fmt.Sprintf("/dev/fd/%d", w.Fd())
	if _, err := os.Stat(into); err != nil {
		t.Skip("there is no ", into)
	}
	if err := project.WriteFile(into, []byte("text")); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if text, err := io.ReadAll(r); err != nil || string(text) != "text" {
		t.Fatalf("through the pipe comes %q (%v), want the text", text, err)
	}
	before, err := os.Lstat(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	if err := project.WriteFile(os.DevNull, []byte("text")); err != nil {
		t.Error(err)
	}
	if after, err := os.Lstat(os.DevNull); err != nil || !os.SameFile(before, after) {
		t.Fatalf("%s is another one now (%v)", os.DevNull, err)
	}
	pipe := filepath.Join(t.TempDir(), "measured.csv")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("there are no named pipes here: ", err)
	}
	if err := project.WriteFile(pipe, nil); err == nil {
		t.Error("a named pipe was replaced by a file")
	}
}

// Nobody waits for what comes out of a pipe, or of a terminal, that a stranger put into a project.
func TestAProjectHasOnlyFiles(t *testing.T) {
	t.Parallel()
	for what, put := range map[string]func(at string) error{
		"a named pipe":     func(at string) error { return syscall.Mkfifo(at, 0o600) },
		"a link to a pipe": func(at string) error { return os.Symlink("/dev/zero", at) },
	} {
		p, _ := sample(t)
		for _, name := range []string{"notes.md", "model/model.json"} {
			at := p.Path(filepath.FromSlash(name))
			_ = os.Remove(at) // notes there are none
			if err := put(at); err != nil {
				t.Skip("there is no such thing here: ", err)
			}
			_, opened := project.Open(p.Dir)
			_, read := project.LoadModel(p.Dir)
			for _, err := range []error{opened, read} {
				if err == nil || !strings.Contains(err.Error(), "files only") {
					t.Errorf("%s in the place of %s: %v, want that it is no file", what, name, err)
				}
			}
			if err := os.Remove(at); err != nil {
				t.Fatal(err)
			}
		}
	}
}
