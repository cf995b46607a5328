package measure

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/analysis/settings"
	"tierscope/analysis/trace"
)

// A program that reads a file is told another number by a copy of it, a second one by a copy of that; the file stays as it is.
func TestANumberInAFileIsSetInACopy(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	const text = "# many\nworkers=3\nqueue = 40\n"
	original := filepath.Join(dir, "app.properties")
	if err := os.WriteFile(original, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w := trace.Workload{Program: "x", Dir: dir, Args: []string{"--config=app.properties"}}
	w.Files = settings.Files(w)
	for _, a := range []Axis{{Name: "workers", How: "argument 1 file workers {value}"}, {Name: "queue", How: "argument 1 file queue {value}"}} {
		var err error
		if w, err = a.Apply(w, 7); err != nil {
			t.Fatal(err)
		}
	}
	copied, ok := strings.CutPrefix(w.Args[0], "--config=")
	is, err := os.ReadFile(copied)
	if !ok || err != nil || string(is) != "# many\nworkers=7\nqueue = 7\n" {
		t.Errorf("the program is given %s, which says %q (%v)", w.Args[0], is, err)
	}
	if w.Files["argument 1 file workers"] != 7 {
		t.Errorf("the run is said to have %v", w.Files)
	}
	if is, err := os.ReadFile(original); err != nil || string(is) != text {
		t.Errorf("the file became %q (%v)", is, err)
	}
	if _, err := (Axis{Name: "n", How: "argument 1 file n {value}"}).Apply(w, 7); err == nil {
		t.Error("a number that the file does not have was set")
	}
}
