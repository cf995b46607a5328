package project

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"tierscope/project/scratch"
)

// Placeable returns why a file or folder could not be written at path, for those who work long for what they will write:
// it is below a file, or its folder may not be written by this user. Missing folders are made later. Nothing stays of the trial.
func Placeable(path string) error {
	if into, err := isStream(path); err != nil || into {
		return err
	}
	dir := path
	for dir != filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err == nil && info.IsDir() {
			break
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return explain(err)
		}
		dir = filepath.Dir(dir)
	}
	f, err := os.CreateTemp(dir, scratch.Name(dir, ".place.")+".tmp")
	if err != nil {
		return explain(err)
	}
	return explain(errors.Join(f.Close(), os.Remove(f.Name())))
}
