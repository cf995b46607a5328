package measure

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"tierscope/analysis/settings"
	"tierscope/analysis/trace"
	"tierscope/project"
)

// inFile returns the workload with another number in a file that an argument names: in a copy of it, in the user's cache.
func inFile(w trace.Workload, how string, value float64) (trace.Workload, error) {
	word, before, path, text, err := settings.EditFile(w, how, value)
	if err != nil {
		return w, err
	}
	to, err := copied(filepath.Base(path), text)
	if err != nil {
		return w, fmt.Errorf("a copy of %s: %w", path, err)
	}
	w.Args = slices.Clone(w.Args)
	w.Args[word] = before + to
	w.Files = settings.Files(w)
	return w, nil
}

// copied returns the path of a file with a text.
func copied(name, text string) (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	path := filepath.Join(base, "tierscope", "settings", fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:16], name)
	if there, err := os.ReadFile(path); err == nil && string(there) == text {
		return path, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	return path, project.WriteFile(path, []byte(text))
}
