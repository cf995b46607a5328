package journal

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// State identifies files by their contents, and folders by the names, sizes and times
// of what is in them: a program that was changed is another one.
func State(paths ...string) string {
	h := sha256.New()
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			continue
		case !info.IsDir():
			if f, err := os.Open(path); err == nil {
				io.Copy(h, f) //nolint:errcheck // what cannot be read has no state
				f.Close()
			}
			continue
		}
		filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error { //nolint:errcheck // nothing returns one
			if err != nil {
				return nil //nolint:nilerr // what cannot be read has no state
			}
			if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
				fmt.Fprintln(h, name, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:12])
}
