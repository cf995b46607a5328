package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A package at a state of its repository is what git has, whatever the folder holds now, and the
// repository is as it was. A path that is no folder is left to those who know it.
func TestAPackageAtAStateOfItsRepository(t *testing.T) {
	t.Parallel()
	repo := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", repo, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v %s", args, err, out)
		}
		return string(out)
	}
	folder := filepath.Join(repo, "cmd", "shop")
	file := filepath.Join(folder, "main.go")
	write := func(content string) {
		t.Helper()
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q")
	write("package old")
	git("add", "-A")
	git("commit", "-qm", "old")
	git("tag", "v1.8")
	write("package now")
	before := git("status", "--porcelain", "--branch")

	at, err := parseRevision(folder+"@v1.8").checkOut(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(at, "main.go")); string(got) != "package old" {
		t.Errorf("at v1.8 the file is %q (%v)", got, err)
	}
	if after := git("status", "--porcelain", "--branch"); after != before {
		t.Errorf("the repository is %q, it was %q", after, before)
	}
	if _, err := parseRevision(folder+"@v9").checkOut(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "v9") {
		t.Errorf("a state that is not there: %v", err)
	}
	for _, as := range []string{folder, "example.org/shop@v1.8"} {
		if got, err := parseRevision(as).checkOut(t.Context(), t.TempDir()); err != nil || got != as {
			t.Errorf("%s became %s (%v)", as, got, err)
		}
	}
}
