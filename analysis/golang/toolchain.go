package golang

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

	"tierscope/analysis"
	"tierscope/analysis/execution"
)

// program is a main package and the Go installation that builds it.
type program struct {
	pkg     string // as the go command takes it: ".", a path, a path@version
	dir     string // where the go command runs
	env     []string
	version string // go env GOVERSION
	goroot  string
	cgo     []string // packages outside the standard library that use cgo
}

// find locates the main package of a workload: a directory, a Go file, an
// import path seen from the working directory, or path@version from the
// module cache or proxy.
func (t Target) find(ctx context.Context, w analysis.Workload) (*program, error) {
	p := &program{pkg: w.Program, env: execution.Environment(w.Env)}
	st, err := os.Stat(w.Program)
	switch {
	case w.Program == "":
		return nil, errors.New("no program given: want the main package to analyse")
	case err == nil && st.IsDir():
		p.dir, p.pkg = w.Program, "."
	case err == nil && strings.HasSuffix(w.Program, ".go"):
		p.dir, p.pkg = filepath.Dir(w.Program), filepath.Base(w.Program)
	case err == nil:
		return nil, fmt.Errorf("%s is a file: want the Go package it was built from, probes are compiled into the program", w.Program)
	}
	out, err := p.command(ctx, "env", "-json", "GOVERSION", "GOROOT", "GOFLAGS", "GOOS", "GOARCH")
	if err != nil {
		return nil, err
	}
	var env map[string]string
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	p.version, p.goroot = env["GOVERSION"], env["GOROOT"]
	if strings.Contains(env["GOFLAGS"], "-overlay") {
		return nil, fmt.Errorf("GOFLAGS has an -overlay already (%s): the probes need one of their own, unset it", env["GOFLAGS"])
	}
	if env["GOOS"] != "linux" || env["GOARCH"] != "amd64" && env["GOARCH"] != "arm64" {
		return nil, fmt.Errorf("programs for %s/%s cannot be recorded: want linux/amd64 or linux/arm64", env["GOOS"], env["GOARCH"])
	}
	if _, ok := releases()[minor(p.version)]; !ok {
		return nil, unknownRelease(p.version)
	}
	if strings.Contains(p.pkg, "@") {
		if err := t.fetch(ctx, p); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// fetch makes a module that requires path@version and nothing else, and has
// the go command get it. It stays in the cache. go install takes such a path
// too, but go list and the static analysis do not.
func (t Target) fetch(ctx context.Context, p *program) error {
	cache, err := t.cache()
	if err != nil {
		return err
	}
	path, _, _ := strings.Cut(p.pkg, "@")
	dir := filepath.Join(cache, "module", strings.NewReplacer("/", "_", "@", "_").Replace(p.pkg))
	if !exists(dir) {
		if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
			return fmt.Errorf("fetch: %w", err)
		}
		tmp, err := os.MkdirTemp(filepath.Dir(dir), ".new-*")
		if err != nil {
			return fmt.Errorf("fetch: %w", err)
		}
		defer os.RemoveAll(tmp)
		if err := os.WriteFile(filepath.Join(tmp, "go.mod"), []byte("module tierscope.invalid/subject\n"), 0o644); err != nil {
			return fmt.Errorf("fetch: %w", err)
		}
		get := *p
		get.dir = tmp
		if _, err := get.command(ctx, "get", p.pkg); err != nil {
			return fmt.Errorf("%s cannot be had: %w", p.pkg, err)
		}
		if err := os.Rename(tmp, dir); err != nil && !exists(dir) {
			return fmt.Errorf("fetch: %w", err)
		}
	}
	p.pkg, p.dir = path, dir
	return nil
}

func unknownRelease(version string) error {
	var known []string
	for v := range releases() {
		known = append(known, v)
	}
	slices.Sort(known)
	return fmt.Errorf("Go release %s is not supported, its run-time system is not known to the probes (known: %s): build with another one, such as GOTOOLCHAIN=go1.26.8",
		version, strings.Join(known, ", "))
}

// command runs the go command and returns its standard output.
func (p *program) command(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("the go command is not on the PATH: install Go 1.26, programs are built with the user's own toolchain")
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, execution.Tail(stderr.Bytes(), 4096))
	}
	return out, nil
}

// inspect asks the go command whether this is a main package that loads.
func (p *program) inspect(ctx context.Context) error {
	out, err := p.command(ctx, "list", "-deps", "-f",
		`{{.Name}}{{"\t"}}{{.ImportPath}}{{"\t"}}{{.Standard}}{{"\t"}}{{len .CgoFiles}}`, p.pkg)
	if err != nil {
		return fmt.Errorf("package %s does not load: %w", p.pkg, err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	name, path, _ := strings.Cut(lines[len(lines)-1], "\t")
	if name != "main" {
		path, _, _ = strings.Cut(path, "\t")
		return fmt.Errorf("%s is package %q: want a main package, the program to run", path, name)
	}
	for _, l := range lines {
		if f := strings.Split(l, "\t"); len(f) == 4 && f[2] == "false" && f[3] != "0" {
			p.cgo = append(p.cgo, f[1])
		}
	}
	return nil
}

// build builds the program into dir and returns the executable. With an
// overlay it carries probes.
func (p *program) build(ctx context.Context, dir, overlay string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("build: %w", err)
	}
	name := filepath.Join(dir, "program")
	args := []string{"build", "-o", name}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	if _, err := p.command(ctx, append(args, p.pkg)...); err != nil {
		return "", fmt.Errorf("the program does not build: %w", err)
	}
	if _, err := os.Stat(name); err != nil {
		return "", fmt.Errorf("build: no executable: %w", err)
	}
	return name, nil
}
