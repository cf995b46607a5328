package target

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"tierscope/analysis"
	"tierscope/analysis/java/hotspot"
)

// Guess is the front end for a program whose language nobody has named, by the file: a jar or the
// java command, an executable of this system; otherwise a Go package.
func Guess(program string) string {
	if strings.EqualFold(filepath.Ext(program), ".jar") || hotspot.Runs(program) {
		return "java"
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return Default
	}
	if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
		return Default
	}
	f, err := os.Open(path)
	if err != nil {
		return Default
	}
	defer f.Close()
	magic := make([]byte, 4)
	if n, _ := f.Read(magic); n < len(magic) || !bytes.Equal(magic, []byte("\x7fELF")) {
		return Default
	}
	return "native"
}

// Of returns the front end for a program whose language nobody has named.
func Of(program string) analysis.Target { return All()[Guess(program)] }
