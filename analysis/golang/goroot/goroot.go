// Package goroot finds the Go installation that builds a program, under a name
// by which an overlay may replace its files.
package goroot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"tierscope/analysis/execution"
)

// Installation is a Go installation as a program's folder and environment
// choose it.
type Installation struct {
	Version  string // such as go1.26.8
	Root     string // GOROOT
	OS, Arch string // what it builds for
	Flags    string // GOFLAGS

	linked bool // Root is a name of ours
}

// Find asks the go command which installation builds the program in dir.
//
// A toolchain that the go command has fetched itself (GOTOOLCHAIN) lies in the
// module cache, whose files it lets nobody replace, by name. Such an
// installation is used through a symbolic link in cache.
func Find(ctx context.Context, dir string, env []string, cache string) (Installation, error) {
	out, err := Installation{}.Run(ctx, dir, env, "env", "-json", "GOVERSION", "GOROOT", "GOMODCACHE", "GOFLAGS", "GOOS", "GOARCH")
	if err != nil {
		return Installation{}, err
	}
	var said map[string]string
	if err := json.Unmarshal(out, &said); err != nil {
		return Installation{}, fmt.Errorf("go env: %w", err)
	}
	i := Installation{Version: said["GOVERSION"], Root: said["GOROOT"], OS: said["GOOS"], Arch: said["GOARCH"], Flags: said["GOFLAGS"]}
	if strings.HasPrefix(i.Root, said["GOMODCACHE"]+string(filepath.Separator)) {
		if i.Root, err = link(i.Root, filepath.Join(cache, "goroot")); err != nil {
			return Installation{}, fmt.Errorf("the Go toolchain in the module cache: %w", err)
		}
		i.linked = true
	}
	return i, nil
}

// link makes a symbolic link to root in dir and returns its name.
func link(root, dir string) (string, error) {
	name := filepath.Join(dir, filepath.Base(root))
	if to, err := os.Readlink(name); err == nil && to == root {
		return name, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(dir, ".new-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	if err := os.Symlink(root, filepath.Join(tmp, "link")); err != nil {
		return "", err
	}
	return name, os.Rename(filepath.Join(tmp, "link"), name)
}

// Command is a go command of the installation, to run in dir.
func (i Installation) Command(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	name := "go"
	if i.linked {
		name = filepath.Join(i.Root, "bin", "go")
		env = append(slices.Clone(env), "GOROOT="+i.Root, "GOTOOLCHAIN=local")
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, env
	return cmd
}

// Run runs a go command and returns its standard output. The error has the end
// of what it said on standard error.
func (i Installation) Run(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	cmd := i.Command(ctx, dir, env, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case err == nil:
		return out, nil
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("the go command is not on the PATH: install Go 1.26, programs are built with the user's own toolchain")
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, execution.Tail(stderr.Bytes(), 4096))
}
