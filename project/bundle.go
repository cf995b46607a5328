package project

import (
	"archive/zip"
	"bytes"
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
		case entry.IsDir(), strings.HasPrefix(entry.Name(), "."), name == "view.json", !results && name == "runs":
			return nil
		}
		if err := bundled(p.Dir, path); err != nil {
			return err
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

// bundled returns an error for what cannot go into a bundle: a link that leads out of the
// project, which whoever made the folder chose, and what is no file.
func bundled(dir, path string) error {
	if err := Within(dir, path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is neither a file nor a folder, and cannot be bundled; remove it or replace it by what it stands for", path)
	}
	return nil
}

// Bounds of what a bundle may unpack to: a defence against archives made to fill a disk.
// Its files are text, which deflate makes 5 to 30 times smaller, rarely more; it can make
// zeros 1032 times smaller (RFC 1951: 258 bytes in 2 bits).
const (
	mostUnpacked = 8 << 30
	mostRatio    = 100
	anyBundle    = 64 << 20 // whatever its size
)

func bundleLimit(packed int64) int64 {
	return min(mostUnpacked, max(anyBundle, mostRatio*packed))
}

// Unbundle unpacks a bundle into a new folder. It fails if the folder exists
// and is not empty, and leaves nothing behind on error.
func Unbundle(from, dir string) (err error) {
	archive, err := zip.OpenReader(from)
	if err != nil {
		return fmt.Errorf("%s: not a bundle: %w", from, err)
	}
	defer archive.Close()
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	limit := bundleLimit(info.Size())
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s: exists and is not empty; choose another name", dir)
	}
	hasManifest, announced := false, uint64(0)
	for _, f := range archive.File {
		announced += min(f.UncompressedSize64, mostUnpacked) // so that sums do not wrap
		if !filepath.IsLocal(f.Name) || strings.Contains(f.Name, `\`) {
			return fmt.Errorf("%s: holds %q, which would be written outside the folder; the bundle is not ours", from, f.Name)
		}
		hasManifest = hasManifest || f.Name == "project.json"
	}
	if !hasManifest {
		return fmt.Errorf("%s: has no project.json, so it is not a bundle of a project", from)
	}
	if announced > uint64(limit) {
		return fmt.Errorf("%s: %w", from, tooLarge(limit))
	}
	return build(dir, ".unbundle-", func(part string) error {
		left := limit
		for _, f := range archive.File {
			if strings.HasSuffix(f.Name, "/") {
				continue
			}
			n, err := extract(f, filepath.Join(part, filepath.FromSlash(f.Name)), left)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", from, f.Name, err)
			}
			left -= n
		}
		return nil
	})
}

func tooLarge(limit int64) error {
	return fmt.Errorf("the bundle unpacks to more than %d MB, which no project of its size does; it is damaged, or made to fill a disk", limit>>20)
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
		err = tooLarge(limit)
	}
	return n, explain(err)
}
