package native

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"tierscope/analysis/trace"
)

// subjects is where the programs in C and its relatives are.
const subjects = "../../testdata/programs/c"

// cacheDir is where tests keep the compiled recorder: a folder of this user, whoever else tests on this machine.
var cacheDir = filepath.Join(os.TempDir(), "tierscope-test-"+strconv.Itoa(os.Getuid()))

// compiled compiles a program in C, C++ or Rust, or skips the test where there is no compiler for it.
func compiled(t *testing.T, compiler, source string, options ...string) string {
	t.Helper()
	path, err := exec.LookPath(compiler)
	if err != nil {
		t.Skipf("there is no %s here to compile %s with", compiler, source)
	}
	exe := filepath.Join(t.TempDir(), "subject")
	args := append([]string{filepath.Join(subjects, source), "-o", exe}, options...)
	if out, err := exec.CommandContext(t.Context(), path, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", compiler, args, err, out)
	}
	return exe
}

// front is the front end as tests use it.
func front() Target {
	return Target{Timeout: time.Minute, Compare: time.Millisecond, Record: 64 << 20, CacheDir: cacheDir}
}

func workload(exe string, args ...string) trace.Workload {
	return trace.Workload{Program: exe, Args: args, Cores: 1}
}
