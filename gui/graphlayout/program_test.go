package graphlayout_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tierscope/gui/graphlayout"
	"tierscope/gui/graphlayout/layouttest"
)

// one is a graph of one node.
var one = graphlayout.Graph{Nodes: []graphlayout.Node{{W: 60, H: 30}}}

// entries are the names in a folder.
func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		names = append(names, e.Name())
	}
	return names
}

// go-graphviz keeps what it compiles in TMPDIR/go-graphviz, which everybody on the machine shares: it
// would panic where another user had made that first, and run code that another can write. So
// nothing is read from there and nothing left, whether the user has a folder for caches,
// where it is kept instead, or none.
func TestALayoutLeavesNothingInTheFolderForTemporaryFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere XDG_CACHE_HOME is not the folder for caches")
	}
	program := layouttest.Program(t)
	for name, cache := range map[string]string{"a cache": t.TempDir(), "no cache": os.DevNull + "/nowhere"} {
		temporary := t.TempDir()
		t.Setenv("TMPDIR", temporary)
		t.Setenv("XDG_CACHE_HOME", cache)
		if _, err := graphlayout.New(program, "").Layout(t.Context(), one); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if left := entries(t, temporary); len(left) > 0 {
			t.Errorf("%s: a layout left %q among the temporary files", name, left)
		}
		if name == "a cache" {
			if kept := entries(t, filepath.Join(cache, "tierscope")); len(kept) != 1 || kept[0] != "go-graphviz" {
				t.Errorf("the folder for caches has %q, want go-graphviz", kept)
			}
		}
		if got := os.Getenv("TMPDIR"); got != temporary {
			t.Errorf("%s: temporary files of this program go to %q after a layout, want %q as before", name, got, temporary)
		}
		// What somebody else left there is not touched.
		theirs := filepath.Join(temporary, "go-graphviz")
		if err := os.WriteFile(theirs, []byte("theirs"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := graphlayout.New(program, "").Layout(t.Context(), one); err != nil {
			t.Errorf("%s, with go-graphviz of another user: %v", name, err)
		}
		if data, err := os.ReadFile(theirs); err != nil || string(data) != "theirs" {
			t.Errorf("%s: go-graphviz of another user is %q now (%v)", name, data, err)
		}
	}
}

// A program that is installed without tierlayout still says what is missing.
func TestAMissingProgramIsNamed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := graphlayout.New("", "").Layout(t.Context(), one)
	if err == nil || !strings.Contains(err.Error(), "make tierlayout builds it") {
		t.Errorf("without tierlayout: error %v, want what builds it", err)
	}
}

// Both programs find tierlayout on the PATH, where it is not beside them.
func TestTheProgramIsFoundOnThePath(t *testing.T) {
	t.Setenv("PATH", filepath.Dir(layouttest.Program(t)))
	if _, err := graphlayout.New("", "").Layout(t.Context(), one); err != nil {
		t.Error(err)
	}
}

// What is not a graph is the program's error, with what it says of it.
func TestTheProgramSaysWhatIsWrong(t *testing.T) {
	broken := graphlayout.Graph{Direction: "TB;]", Nodes: one.Nodes}
	if _, err := graphlayout.New(layouttest.Program(t), "").Layout(t.Context(), broken); err == nil || !strings.Contains(err.Error(), "tierlayout: ") {
		t.Errorf("error %v, want that of tierlayout", err)
	}
}
