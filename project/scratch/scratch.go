// Package scratch names temporary files and folders after the process that makes them, so
// that the next one can remove what a process left that was killed. Nobody else's are
// touched: not those of a process that runs, and not those of another container, whose
// processes cannot be seen from here.
package scratch

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Name is a pattern for os.CreateTemp and os.MkdirTemp in dir ("": the folder for temporary
// files) that begins with the prefix. The first time in a folder, what dead processes left
// there is removed.
func Name(dir, prefix string) string {
	if dir == "" {
		dir = os.TempDir()
	}
	if _, swept := folders.LoadOrStore(filepath.Clean(dir), true); !swept {
		sweep(dir)
	}
	return prefix + mark + owner() + mark + "*"
}

// Owner is this process, in a word that no other process has.
func Owner() string { return owner() }

// Dead reports whether an owner was a process of this container, or of this machine, that does
// not run; false if it cannot be known.
func Dead(who string) bool { return dead(who) }

// mark encloses the owner in a name. It is not in names that people choose.
const mark = "~~"

// folders are those that this process has swept.
var folders sync.Map

// sweep removes what dead processes left in a folder. What cannot be removed stays.
func sweep(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		parts := strings.Split(e.Name(), mark)
		if len(parts) == 3 && dead(parts[1]) {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}
