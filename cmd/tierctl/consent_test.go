package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tierscope/analysis/stage"
	"tierscope/project"
)

// received is a project from somebody else whose commands leave a file.
func received(t *testing.T, load string) (dir, left string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("programs are measured on Linux only")
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	m, err := project.LoadModel(webServer)
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "gift.tier")
	p, err := project.Create(dir, project.Manifest{}, m)
	if err != nil {
		t.Fatal(err)
	}
	left = filepath.Join(t.TempDir(), "left")
	w := fmt.Sprintf(`{"format": %q, "version": 1, "target": "go", "workload": {"program": "/bin/true", "prepare": "touch %s"%s}}`, stage.WorkloadFormat.Name, left, load)
	if err := project.WriteFile(p.Path("analysis", "workload.json"), []byte(w)); err != nil {
		t.Fatal(err)
	}
	return dir, left
}

// A project that was received executes nothing until its user has seen what and has agreed:
// measure and analyze --from say what, and how to agree.
func TestAReceivedProjectExecutesNothingBeforeItsUserAgrees(t *testing.T) {
	dir, left := received(t, "")
	for _, command := range [][]string{
		{"measure", "--model", dir, "--repeats", "1"},
		{"analyze", "--out", dir},
		{"trace", "--out", dir},
	} {
		_, stderr, code := tierctl(t.Context(), command...)
		if code != exitUsage || !strings.Contains(stderr, "touch "+left) || !strings.Contains(stderr, "--consent") {
			t.Errorf("tierctl %s ends with %d and says %q", strings.Join(command, " "), code, stderr)
		}
	}
	out, _, code := tierctl(t.Context(), "measure", "--model", dir, "--repeats", "1", "--dry-run")
	if code != exitDone || !strings.Contains(out, "touch "+left) || !strings.Contains(out, "/bin/true") {
		t.Errorf("--dry-run ends with %d and shows %q, want the program and the command before it", code, out)
	}
	if _, err := os.Stat(left); err == nil {
		t.Fatal("the command of the project was executed")
	}
	if _, stderr, code := tierctl(t.Context(), "measure", "--model", dir, "--repeats", "1", "--consent"); code != exitDone {
		t.Fatalf("with consent measure ends with %d: %s", code, stderr)
	}
	if _, err := os.Stat(left); err != nil {
		t.Error("with consent the command before the runs was not executed")
	}
	for _, again := range [][]string{{}, {"--program", "/bin/true", "--out", filepath.Join(t.TempDir(), "m.csv")}} {
		if _, stderr, code := tierctl(t.Context(), append([]string{"measure", "--model", dir, "--repeats", "2"}, again...)...); code != exitDone {
			t.Errorf("the second time measure asks again (%d): %s", code, stderr)
		}
	}
}

func TestALoadOnAnotherMachineIsAllowedByName(t *testing.T) {
	dir, left := received(t, `, "load": {"url": "http://victim.example/", "rate_per_s": 1, "duration_s": 1}`)
	_, stderr, code := tierctl(t.Context(), "measure", "--model", dir, "--repeats", "1", "--consent")
	if code != exitUsage || !strings.Contains(stderr, "--load-host victim.example") {
		t.Errorf("measure ends with %d and says %q, want the host and how to name it", code, stderr)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("a command of the project was executed all the same")
	}
}
