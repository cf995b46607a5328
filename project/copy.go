package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"tierscope/project/scratch"
)

// Copy copies a project folder to a folder that does not exist yet, without
// its runs. A copy that fails half-way leaves nothing.
func Copy(from, to string) (err error) {
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s exists already", to)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return explain(err)
	}
	part, err := os.MkdirTemp(filepath.Dir(to), scratch.Name(filepath.Dir(to), ".copy-"))
	if err != nil {
		return explain(err)
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(part) // the first error is the one that matters
		}
	}()
	if err := os.CopyFS(filepath.Join(part, "p"), os.DirFS(from)); err != nil {
		return fmt.Errorf("%s cannot be copied to %s: %w", from, to, explain(err))
	}
	if err := os.RemoveAll(filepath.Join(part, "p", "runs")); err != nil {
		return explain(err)
	}
	if err := os.Rename(filepath.Join(part, "p"), to); err != nil {
		return explain(err)
	}
	return os.Remove(part)
}
