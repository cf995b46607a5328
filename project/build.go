package project

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"tierscope/project/scratch"
)

// build makes a folder, all or nothing: fill writes into a temporary one beside it, which
// is renamed. An empty folder of that name is replaced.
func build(dir, prefix string, fill func(part string) error) error {
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return explain(err)
	}
	part, err := os.MkdirTemp(parent, scratch.Name(parent, prefix))
	if err != nil {
		return explain(err)
	}
	defer os.RemoveAll(part)
	if err := fill(part); err != nil {
		return err
	}
	if err := os.Chmod(part, 0o755); err != nil {
		return explain(err)
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return explain(err)
	}
	if err := os.Rename(part, dir); err != nil {
		return explain(err)
	}
	return syncDir(parent)
}
