// Package layouttest gives tests the program that computes layouts, which lies beside the
// programs that need it, but not beside the binaries of their tests.
package layouttest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tierscope/gui/graphlayout"
)

// program builds the program, or finds it in the go command's cache, and returns its path.
var program = sync.OnceValues(func() (string, error) {
	cmd := exec.Command("go", "tool", "-n", graphlayout.Program)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("layouttest: %v: %w", cmd, err)
	}
	return strings.TrimSpace(string(out)), nil
})

// Program returns the path of the program.
func Program(tb testing.TB) string {
	tb.Helper()
	path, err := program()
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

// New returns a layouter that keeps layouts in memory.
func New(tb testing.TB) *graphlayout.Layouter {
	tb.Helper()
	return graphlayout.New(Program(tb), "")
}

// OnPath makes the program one of those on the PATH, for a TestMain of what looks for it
// there.
func OnPath() error {
	path, err := program()
	if err != nil {
		return err
	}
	return os.Setenv("PATH", filepath.Dir(path)+string(os.PathListSeparator)+os.Getenv("PATH"))
}
