package native

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Where the program's memory lies in its pages, and so which of it shares a line of the cache, is the same with the recorder: it has had none
// from the heap when the program begins.
func TestMemoryLiesWhereItLiesWithoutTheRecorder(t *testing.T) {
	t.Parallel()
	exe := compiled(t, "gcc", "heap.c", "-O1", "-pthread")
	plain, with := filepath.Join(t.TempDir(), "plain"), filepath.Join(t.TempDir(), "with")
	if out, err := exec.CommandContext(t.Context(), exe, plain).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, _, err := recordedRun(t, exe, []string{with}); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(with)
	if err != nil {
		t.Fatal(err)
	}
	if len(want) == 0 || string(got) != string(want) {
		t.Errorf("with the recorder memory lies at\n%swithout at\n%s", got, want)
	}
}
