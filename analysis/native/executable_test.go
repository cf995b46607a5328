package native

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/analysis/native/recorder"
	"tierscope/analysis/trace"
)

// The loader ignores the recorder without a word where it cannot be used: what cannot be recorded, and what can be
// done about it, is said before the program is run.
func TestWhatCannotBeRecordedIsSaidBeforeTheRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		program string
		says    []string
	}{
		"no such program":   {filepath.Join(dir, "nothing"), []string{"there is no program", "nothing"}},
		"no permission":     {write("closed", "\x7fELF", 0o644), []string{"must not be executed", "chmod +x"}},
		"a folder":          {dir, []string{"is a folder", "--target go"}},
		"a script":          {write("script", "#!/bin/sh -e\necho\n", 0o755), []string{"is a script for /bin/sh -e", "name the program that it starts"}},
		"a text":            {write("text", "hello\n", 0o755), []string{"is no executable of this system"}},
		"a Go program":      {self, []string{"is a Go program", "--target go"}},
		"a static program":  {compiled(t, "cc", "exam.c", "-static", "-pthread", "-lm"), []string{"is statically linked", "without -static"}},
		"another machine":   {write("other", elfOf(t, compiled(t, "cc", "exam.c", "-pthread", "-lm"), func(b []byte) { b[18], b[19] = 8, 0 }), 0o755), []string{"another machine", "EM_MIPS"}},
		"a missing library": {withoutLibrary(t), []string{"needs libraries that are not there: libgone.so", "LD_LIBRARY_PATH"}},
		"musl":              {write("musl", elfOf(t, compiled(t, "cc", "exam.c", "-pthread", "-lm", "-Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1"), nil), 0o755), []string{"linked with musl", "glibc"}},
	} {
		err := front().Check(t.Context(), trace.Workload{Program: c.program})
		if err == nil {
			t.Errorf("%s: found ready", name)
			continue
		}
		for _, s := range c.says {
			if !strings.Contains(err.Error(), s) {
				t.Errorf("%s: %q does not say %q", name, err, s)
			}
		}
	}
}

// elfOf returns the bytes of an executable, changed.
func elfOf(t *testing.T, exe string, change func([]byte)) string {
	t.Helper()
	b, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(b)
	}
	return string(b)
}

// withoutLibrary is a program one of whose libraries has gone.
func withoutLibrary(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	library := filepath.Join(dir, "libgone.so")
	source := filepath.Join(dir, "gone.c")
	if err := os.WriteFile(source, []byte("int gone;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "cc", "-shared", "-fPIC", "-Wl,-soname=libgone.so", "-o", library, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	exe := compiled(t, "cc", "exam.c", "-pthread", "-lm", "-Wl,--no-as-needed", library)
	if err := os.Remove(library); err != nil {
		t.Fatal(err)
	}
	return exe
}

// A program that runs with the rights of another user would be run without the recorder.
func TestAProgramWithMoreRightsThanItsUserIsRefused(t *testing.T) {
	t.Parallel()
	exe := compiled(t, "cc", "exam.c", "-pthread", "-lm")
	const nobody = 65534
	if err := os.Chown(exe, nobody, -1); err != nil {
		t.Skip("only root gives files away")
	}
	if err := os.Chmod(exe, 0o755|os.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	err := front().Check(t.Context(), trace.Workload{Program: exe})
	if err == nil || !strings.Contains(err.Error(), "setuid") || !strings.Contains(err.Error(), "copy without these bits") {
		t.Errorf("got %v, want that setuid is in the way, and what to do", err)
	}
}

// Without a C compiler the recorder cannot be made.
func TestWithoutACompilerTheRecorderIsMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("CC", "")
	_, err := recorder.Library(context.Background(), t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "no C compiler") || !strings.Contains(err.Error(), "apt-get install gcc") {
		t.Errorf("got %v, want that there is no compiler and how to get one", err)
	}
}

// A program that ends at once has nothing to model.
func TestAProgramThatEndsAtOnceIsTooShort(t *testing.T) {
	t.Parallel()
	exe := compiled(t, "cc", "exam.c", "-O2", "-pthread", "-lm")
	_, err := front().Trace(t.Context(), workload(exe, "1", "1"), nil, nil, t.TempDir(), nil)
	if err == nil || !strings.Contains(err.Error(), "too short to analyse") || !strings.Contains(err.Error(), `["1" "1"]`) {
		t.Errorf("got %v, want that it is too short, and its arguments", err)
	}
}

// A wrapper that starts the program takes no recording, and the error says what to name.
func TestAWrapperThatIsNotTheProgramIsSaid(t *testing.T) {
	t.Parallel()
	exe := compiled(t, "cc", "exam.c", "-O2", "-pthread", "-lm")
	env, err := exec.LookPath("env")
	if err != nil {
		t.Skip("there is no env")
	}
	_, err = front().Sample(t.Context(), workload(env, exe, "10", "2"), t.TempDir(), nil)
	if err == nil || !strings.Contains(err.Error(), "wrapper of another one") {
		t.Errorf("got %v, want that it starts another program", err)
	}
}
