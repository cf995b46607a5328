package project

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"tierscope/core"
	"tierscope/project/scratch"
)

// WriteFile replaces the file at path by data, all or nothing: it writes a
// temporary file in the same directory, syncs it and renames it. Missing
// directories are made. On error the old file is untouched. A stream, such as /dev/stdout, is
// written to as it is.
func WriteFile(path string, data []byte) error {
	return WriteTo(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteTo is WriteFile of what fill writes, which may be large.
func WriteTo(path string, fill func(io.Writer) error) (err error) {
	if into, err := isStream(path); err != nil {
		return err
	} else if into {
		return pour(path, fill)
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return explain(err)
	}
	temp, err := os.CreateTemp(dir, scratch.Name(dir, "."+filepath.Base(path)+".")+".tmp")
	if err != nil {
		return explain(err)
	}
	defer func() {
		if err != nil {
			temp.Close()
			os.Remove(temp.Name())
		}
	}()
	buffered := bufio.NewWriter(temp)
	if err := errors.Join(fill(buffered), buffered.Flush()); err != nil {
		return explain(err)
	}
	if err := temp.Chmod(0o644); err != nil {
		return explain(err)
	}
	if err := temp.Sync(); err != nil {
		return explain(err)
	}
	if err := temp.Close(); err != nil {
		return explain(err)
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return explain(err)
	}
	return syncDir(dir)
}

// syncDir makes a rename durable. File systems that cannot sync a directory
// are not an error: the file itself is on disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return explain(err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrPermission) {
		return explain(err)
	}
	return nil
}

// explain adds the remedy to the errors of the file system that have one.
func explain(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%w; the disk is full: nothing was changed, free some space and try again", err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w; nothing was changed, choose a place where you may write", err)
	}
	return err
}

// Unwritable reports whether an error says that a place cannot be written to, by this user or by anybody.
func Unwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// Load reads one document. The error names the file.
func Load(path string, format core.Format, v any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := format.Decode(f, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Save writes one document atomically.
func Save(path string, format core.Format, v any) error {
	data, err := format.Marshal(v)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return WriteFile(path, data)
}
