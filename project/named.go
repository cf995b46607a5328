package project

import (
	"fmt"
	"io"
	"os"

	"tierscope/core"
)

// MostFile bounds a file that somebody has named, in bytes: a table of a hundred thousand runs has
// as many. One without an end, such as /dev/zero, would fill the memory.
const MostFile = 256 << 20

// OpenFile opens a file that somebody has named, whose reader fails after MostFile bytes.
func OpenFile(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{core.Bounded(f, MostFile), f}, nil
}

// ReadFile reads a file that somebody has named.
func ReadFile(path string) ([]byte, error) {
	f, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return data, err
}
