package golang

import (
	"debug/buildinfo"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"

	"tierscope/analysis/trace"
)

// GOFLAGS=-trimpath takes the folders out of the names of files, by which code of the library is told
// from the program's.
func TestFramesKeepTheirFoldersWhateverGoflagsSay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module small\n", "main.go": "package main\n\nfunc main() { println() }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Target{}.find(t.Context(), trace.Workload{Program: dir, Env: map[string]string{"GOFLAGS": "-trimpath", "CGO_ENABLED": "0"}})
	if err != nil {
		t.Fatal(err)
	}
	name, err := p.build(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	trimmed := func(s debug.BuildSetting) bool { return s.Key == "-trimpath" && s.Value == "true" }
	if slices.ContainsFunc(info.Settings, trimmed) {
		t.Error("the program is built with -trimpath")
	}
}
