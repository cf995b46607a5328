package corpus

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Hashes are the lines of hashes.txt: Fingerprint.Hashes by the name of the recording.
type Hashes map[string]string

// hashes is hashes.txt beside the recordings.
func hashes() (string, error) {
	dir, err := root()
	return filepath.Join(dir, "hashes.txt"), err
}

// ReadHashes reads hashes.txt.
func ReadHashes() (Hashes, error) {
	path, err := hashes()
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	h := Hashes{}
	for line := range strings.Lines(string(data)) {
		name, hashes, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			return nil, fmt.Errorf("%s: %q is not a name and hashes", path, line)
		}
		h[name] = hashes
	}
	return h, nil
}

// Write writes hashes.txt.
func (h Hashes) Write() error {
	path, err := hashes()
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(h)) {
		fmt.Fprintln(&b, name, h[name])
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
