package golang

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tierscope/analysis/execution"
	"tierscope/analysis/golang/goroot"
	"tierscope/analysis/trace"
)

// program is a main package and the Go installation that builds it.
type program struct {
	pkg       string // as the go command takes it: ".", a path, a path@version
	dir       string // where the go command runs
	env       []string
	toolchain goroot.Installation
	cgo       []string // packages outside the standard library that use cgo
	atomic    []string // packages of its module that import sync/atomic, and are all Go
}

// find locates the main package of a workload: a directory, a Go file, an
// import path seen from the working directory, or path@version from the
// module cache or proxy.
func (t Target) find(ctx context.Context, w trace.Workload) (*program, error) {
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
	cache, err := t.cache()
	if err != nil {
		return nil, err
	}
	if strings.Contains(p.pkg, "@") {
		if p.pkg, p.dir, err = p.toolchain.Fetch(ctx, p.pkg, p.env, cache); err != nil {
			return nil, err
		}
	}
	if p.toolchain, err = goroot.Find(ctx, p.dir, p.env, cache); err != nil {
		return nil, err
	}
	if strings.Contains(p.toolchain.Flags, "-overlay") {
		return nil, fmt.Errorf("GOFLAGS has an -overlay already (%s): the probes need one of their own, unset it", p.toolchain.Flags)
	}
	if os, arch := p.toolchain.OS, p.toolchain.Arch; os != "linux" || arch != "amd64" && arch != "arm64" {
		return nil, fmt.Errorf("programs for %s/%s cannot be recorded: want linux/amd64 or linux/arm64", os, arch)
	}
	if _, ok := releases()[minor(p.toolchain.Version)]; !ok {
		return nil, unknownRelease(p.toolchain.Version)
	}
	return p, nil
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
	return p.toolchain.Run(ctx, p.dir, p.env, args...)
}

// inspect asks the go command whether this is a main package that loads.
func (p *program) inspect(ctx context.Context) error {
	out, err := p.command(ctx, "list", "-deps", "-f",
		`{{.Name}}{{"\t"}}{{.ImportPath}}{{"\t"}}{{.Standard}}{{"\t"}}{{len .CgoFiles}}{{"\t"}}{{with .Module}}{{.Path}}{{end}}{{"\t"}}{{join .Imports " "}}`, p.pkg)
	if err != nil {
		return fmt.Errorf("package %s does not load: %w", p.pkg, err)
	}
	lines := strings.Split(strings.Trim(string(out), "\n"), "\n")
	main := strings.Split(lines[len(lines)-1], "\t")
	if main[0] != "main" {
		return fmt.Errorf("%s is package %q: want a main package, the program to run", strings.Join(main[1:2], ""), main[0])
	}
	for _, l := range lines {
		f := strings.Split(l, "\t")
		switch {
		case len(f) != len(main) || f[2] != "false":
		case f[3] != "0":
			p.cgo = append(p.cgo, f[1])
		case f[4] == main[4] && slices.Contains(strings.Fields(f[5]), "sync/atomic"):
			p.atomic = append(p.atomic, f[1])
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
	args := []string{"build", "-trimpath=false", "-o", name} // what the library is, its path tells
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
