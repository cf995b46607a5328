package project

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Bundle writes the project as one file (.tierz, a zip archive) for sharing.
// Without results, the ledger and the runs' data stay out. The window's state
// and version control's files always do.
func (p *Project) Bundle(to string, results bool) error {
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	err := filepath.WalkDir(p.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(p.Dir, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case name == ".":
			return nil
		case entry.IsDir() && (strings.HasPrefix(name, ".") || (!results && name == "runs")):
			return filepath.SkipDir
		case entry.IsDir(), strings.HasPrefix(entry.Name(), "."), name == "view.json", !entry.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		w, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate}) // no time: equal projects, equal bytes
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return WriteFile(to, b.Bytes())
}

// bundleLimit is the most bytes that a bundle may unpack to: a defence
// against archives made to fill a disk.
const bundleLimit = 8 << 30

// Unbundle unpacks a bundle into a new folder. It fails if the folder exists
// and is not empty, and leaves nothing behind on error.
func Unbundle(from, dir string) (err error) {
	archive, err := zip.OpenReader(from)
	if err != nil {
		return fmt.Errorf("%s: not a bundle: %w", from, err)
	}
	defer archive.Close()
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s: exists and is not empty; choose another name", dir)
	}
	hasManifest := false
	for _, f := range archive.File {
		if !filepath.IsLocal(f.Name) || strings.Contains(f.Name, `\`) {
			return fmt.Errorf("%s: holds %q, which would be written outside the folder; the bundle is not ours", from, f.Name)
		}
		hasManifest = hasManifest || f.Name == "project.json"
	}
	if !hasManifest {
		return fmt.Errorf("%s: has no project.json, so it is not a bundle of a project", from)
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return explain(err)
	}
	temp, err := os.MkdirTemp(parent, ".unbundle-*")
	if err != nil {
		return explain(err)
	}
	defer os.RemoveAll(temp)
	left := int64(bundleLimit)
	for _, f := range archive.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		n, err := extract(f, filepath.Join(temp, filepath.FromSlash(f.Name)), left)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", from, f.Name, err)
		}
		left -= n
	}
	if err := os.Chmod(temp, 0o755); err != nil {
		return explain(err)
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) { // an empty folder of that name
		return explain(err)
	}
	return explain(os.Rename(temp, dir))
}

// extract writes one file of an archive and returns its size.
func extract(f *zip.File, to string, limit int64) (int64, error) {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return 0, explain(err)
	}
	in, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return 0, explain(err)
	}
	n, err := io.Copy(out, io.LimitReader(in, limit+1))
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err == nil && n > limit {
		err = fmt.Errorf("the bundle unpacks to more than %d bytes", int64(bundleLimit))
	}
	return n, explain(err)
}
