package goroot_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/analysis/golang/goroot"
)

// The go command refuses to build with an overlay of files in the module cache,
// where the toolchains are that it fetches for a newer go line in go.mod. This
// test makes the installation that runs it such a one, by moving the cache.
func TestFilesOfAFetchedToolchainCanBeReplaced(t *testing.T) {
	t.Parallel()
	here, err := goroot.Find(t.Context(), ".", os.Environ(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(here.Root)
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "GOROOT="+real, "GOTOOLCHAIN=local", "GOFLAGS=-mod=mod", "GOMODCACHE="+filepath.Dir(real))
	cache, program := t.TempDir(), t.TempDir()
	fetched, err := goroot.Find(t.Context(), program, env, cache)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(fetched.Root, cache) {
		t.Fatalf("the root is %s; want a name in %s, outside the module cache", fetched.Root, cache)
	}
	write := func(dir, name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write(program, "go.mod", "module example\n")
	write(program, "main.go", "package main\n\nimport \"unicode/utf8\"\n\nfunc main() { print(utf8.Replaced) }\n")
	source, err := os.ReadFile(filepath.Join(fetched.Root, "src/unicode/utf8/utf8.go"))
	if err != nil {
		t.Fatal(err)
	}
	edited := write(cache, "utf8.go", string(source)+"\nconst Replaced = true\n")
	overlay := write(cache, "overlay.json", `{"Replace": {"`+filepath.Join(fetched.Root, "src/unicode/utf8/utf8.go")+`": "`+edited+`"}}`)
	if _, err := fetched.Run(t.Context(), program, env, "vet", "-overlay", overlay, "."); err != nil {
		t.Error(err)
	}
}
