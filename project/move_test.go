package project

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A file of a set may be that which is in its place already, by another name (stage.takeOver): it is moved like all others, and nothing is left
// that whoever is killed while the folder is removed would leave a part of.
func TestAFileThatIsInItsPlaceIsMovedToo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	from := Pending(dir)
	mark := filepath.Join(from, completeFile)
	there := filepath.Join(dir, "analysis", "trace")
	for _, path := range []string{there, filepath.Join(from, "analysis", "workload.json"), mark} {
		if err := WriteFile(path, []byte("text")); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(there, filepath.Join(from, "analysis", "trace")); err != nil {
		t.Fatal(err)
	}
	if err := moveAll(dir, from, mark); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(there); err != nil || string(text) != "text" {
		t.Errorf("in its place is %q (%v)", text, err)
	}
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && path != mark {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
