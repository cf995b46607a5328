// Package corpus reads the recordings of testdata/traces: what Build needs of
// one run of each of some sixty programs, batch programs and servers in Go and
// in Java. testdata/traces/README.md says what they are and how they are made.
// Tests import it, and cmd/sensitivity.
package corpus

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tierscope/analysis/stage"
	"tierscope/analysis/trail"
	"tierscope/project"
)

// Names returns the names of all recordings, sorted.
func Names() ([]string, error) {
	dir, err := root()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), project.Extension); ok && e.IsDir() {
			names = append(names, name)
		}
	}
	return names, nil
}

// Dir returns the project folder of a recording.
func Dir(name string) (string, error) {
	dir, err := root()
	return filepath.Join(dir, name+project.Extension), err
}

// Load reads a recording anew: what a caller changes in it, no other sees.
func Load(name string) (trail.Input, error) {
	dir, err := Dir(name)
	if err != nil {
		return trail.Input{}, err
	}
	return stage.Inputs(dir)
}

// root is testdata/traces of the module that the working directory is in.
func root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "testdata", "traces"), nil
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", errors.Join(errors.New("corpus: the working directory is not in the module"), fs.ErrNotExist)
		}
		dir = above
	}
}
