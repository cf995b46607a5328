package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// OnlyFiles returns an error if a project has anything but files, folders and links to them: a named pipe in a folder
// from a stranger keeps its reader waiting for ever. Hidden folders are those of other programs.
func OnlyFiles(dir string) error {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist): // who reads it is told; others work here, too
			return nil
		case err != nil:
			return err
		case entry.IsDir() && path != dir && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		}
		mode := entry.Type()
		if mode&fs.ModeSymlink != 0 {
			info, err := os.Stat(path)
			if err != nil {
				return nil //nolint:nilerr // a link to nothing: there is no such file
			}
			mode = info.Mode()
		}
		if !mode.IsRegular() && !mode.IsDir() {
			return fmt.Errorf("%s is a device or a pipe, and a project has files only; remove it", path)
		}
		return nil
	})
}
