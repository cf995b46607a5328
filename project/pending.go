package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Files of a project that belong together are replaced together: they are written below
// Pending, under the paths that they will have in the project, and Commit moves them all
// into their places. Who is killed before that has changed nothing; what is killed while
// it moves is completed by the next who opens the project (Complete).

const (
	pendingFolder = ".pending"
	completeFile  = "complete" // in the folder: everything is there, only moves are left
)

// Pending is where files of the project at dir are kept until they are committed.
func Pending(dir string) string { return filepath.Join(dir, pendingFolder) }

// Commit moves the pending files of a project into their places.
func Commit(dir string) error {
	if err := WriteFile(filepath.Join(Pending(dir), completeFile), nil); err != nil {
		return err
	}
	return Complete(dir)
}

// WriteSet replaces files together, by their names, in a folder of their own, which is no project; first is the one that readers
// begin with. who is what another writer reads about us, see Lock.
func WriteSet(dir, first, who string, files map[string][]byte) error {
	release, err := Lock(filepath.Join(dir, first), who)
	if err != nil {
		return err
	}
	defer release()
	if err := errors.Join(Complete(dir), explain(os.RemoveAll(Pending(dir)))); err != nil { // of one who was killed
		return err
	}
	for name, data := range files {
		if err := WriteFile(filepath.Join(Pending(dir), name), data); err != nil {
			return errors.Join(err, os.RemoveAll(Pending(dir)))
		}
	}
	return Commit(dir)
}

// Complete moves the pending files of a project that was left in the middle of Commit;
// for any other project it does nothing. Several processes may do so at once.
func Complete(dir string) error {
	from := Pending(dir)
	mark := filepath.Join(from, completeFile)
	if _, err := os.Lstat(mark); err != nil {
		return nil
	}
	if err := moveAll(dir, from, mark); err != nil {
		return fmt.Errorf("%s: a change of several files was begun and cannot be completed: %w", dir, explain(err))
	}
	if err := os.Remove(mark); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return explain(err)
	}
	return explain(os.RemoveAll(from))
}

// moveAll moves all files but the mark. None is left when it ends: whoever is killed while the folder is removed would leave a part
// of a set.
func moveAll(dir, from, mark string) error {
	folders := map[string]bool{}
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path == mark {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, name)
		if err := Within(dir, to); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		folders[filepath.Dir(to)] = true
		if err := os.Rename(path, to); err != nil {
			return err
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) { // of two names of one file, rename leaves both: rename(2)
			return err
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) { // another process does the same, and does the rest
		err = nil
	}
	for folder := range folders {
		err = errors.Join(err, syncDir(folder))
	}
	return err
}

// Within returns an error if the file at path, or the folder that it would be made in, is
// outside of the folder dir: by way of a link that somebody put there.
func Within(dir, path string) error {
	root, err := filepath.Abs(dir)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return err
	}
	at, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	for {
		real, err := filepath.EvalSymlinks(at)
		if err == nil {
			if rel, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(rel) {
				return &OutsideError{Path: at, To: real}
			}
			return nil
		}
		if info, gone := os.Lstat(at); gone == nil && info.Mode()&fs.ModeSymlink != 0 { // what is no link was made meanwhile, and is where its folder is
			return &OutsideError{Path: at, To: "a place that does not exist"}
		}
		if parent := filepath.Dir(at); parent != at {
			at = parent
			continue
		}
		return err
	}
}

// OutsideError is a part of a project that a link leads elsewhere.
type OutsideError struct{ Path, To string }

// Error names the link and the remedy.
func (e *OutsideError) Error() string {
	return fmt.Sprintf("%s is a link to %s, outside of the project; replace it by what it stands for", e.Path, e.To)
}
