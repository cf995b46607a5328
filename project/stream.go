package project

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// isStream reports whether path is a terminal, a pipe or the like below /dev or /proc, which takes what is written and
// must not be replaced: root would leave a file in the place of /dev/null. What is neither a file nor
// a link elsewhere is an error; in a project from a stranger it is a trap.
func isStream(path string) (bool, error) {
	info, err := os.Lstat(path)
	if err != nil { // nothing is there, or the writing says what is wrong
		return false, nil //nolint:nilerr // see above
	}
	at, err := filepath.Abs(path)
	if err != nil {
		return false, err
	}
	mode := info.Mode()
	system := strings.HasPrefix(at, "/dev/") || strings.HasPrefix(at, "/proc/")
	if system && mode&fs.ModeSymlink != 0 { // of /dev/stdout
		if info, err = os.Stat(path); err != nil {
			return false, err
		}
		if mode = info.Mode(); mode.IsRegular() {
			return true, nil
		}
	}
	switch {
	case mode.IsRegular(), mode.IsDir(), mode&fs.ModeSymlink != 0:
		return false, nil
	case system && mode&(fs.ModeNamedPipe|fs.ModeCharDevice) != 0:
		return true, nil
	}
	return false, fmt.Errorf("%s is a device or a pipe, not a file; choose another name", path)
}

// pour writes what fill writes to a stream.
func pour(path string, fill func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0) // exists: the mode does not matter
	if err != nil {
		return explain(err)
	}
	buffered := bufio.NewWriter(f)
	return explain(errors.Join(fill(buffered), buffered.Flush(), f.Close()))
}
