package graphlayout

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Program is the name of the program that computes layouts (cmd/tierlayout).
const Program = "tierlayout"

// find finds the program that computes layouts: beside this one, where it is installed and
// built, or on the PATH.
func find() (string, error) {
	name := Program
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	program, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("graphlayout: graphs are laid out by a program of its own, %s, which is neither beside this one nor on the PATH: make %s builds it", name, Program)
	}
	return program, nil
}

// compute runs the program on a graph in Graphviz's language; ctx kills it.
func compute(ctx context.Context, program, dot string) (string, error) {
	if program == "" {
		var err error
		if program, err = find(); err != nil {
			return "", err
		}
	}
	cmd := exec.CommandContext(ctx, program)
	cmd.Env = append(os.Environ(), temporary(private())...)
	cmd.Stdin = strings.NewReader(dot)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", fmt.Errorf("graphlayout: %w", ctx.Err())
	}
	if err != nil {
		return "", fmt.Errorf("graphlayout: %s: %w: %s", program, err, strings.TrimSpace(stderr.String()))
	}
	return string(out), nil
}

// temporary is what tells a program where temporary files go: Unix reads TMPDIR, Windows TMP.
func temporary(dir string) []string { return []string{"TMPDIR=" + dir, "TMP=" + dir} }

// private returns a folder for compiled code that the user can write, and others need not;
// or a path that cannot be one: then nothing is kept, and Graphviz compiled every time.
func private() string {
	const nowhere = os.DevNull + "/nowhere"
	cache, err := os.UserCacheDir()
	if err != nil {
		return nowhere
	}
	dir := filepath.Join(cache, "tierscope")
	if os.MkdirAll(dir, 0o700) != nil {
		return nowhere
	}
	f, err := os.CreateTemp(dir, "writable-*")
	if err != nil {
		return nowhere
	}
	f.Close()
	os.Remove(f.Name())
	return dir
}
