package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// longest is how long a runner may take: a number that makes the analysis go round for ever
// cannot be that. A runner takes seconds.
const longest = 5 * time.Minute

// laboratory builds runners and keeps what they found.
type laboratory struct {
	root  string // of the module
	cache string
	state string // hash of the source of the runner and of the recordings
}

// newLaboratory takes the hash of all that a result depends on.
func newLaboratory(ctx context.Context, root, cache string) (*laboratory, error) {
	l := &laboratory{root: root, cache: cache}
	list := l.goCommand(ctx, "list", "-deps", "-f", `{{if .Module}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{end}}`, runnerPackage)
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w", list, err)
	}
	files := strings.Fields(string(out))
	err = filepath.WalkDir(filepath.Join(root, "testdata", "traces"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && filepath.Base(filepath.Dir(path)) == "analysis" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	sum := sha256.New()
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		fmt.Fprintln(sum, strings.TrimPrefix(path, root), digest(path, data))
	}
	l.state = hex.EncodeToString(sum.Sum(nil))
	return l, errors.Join(os.MkdirAll(l.path("results"), 0o755), os.MkdirAll(l.path("work"), 0o755))
}

// runnerPackage is built with a number of the analysis replaced.
const runnerPackage = "./cmd/sensitivity/runner"

// finding is what a runner printed, or why there is none.
type finding struct {
	Made  map[string]Made
	Error string
}

// trial is a runner with at most one file replaced.
type trial struct {
	name         string
	file, source string // "": none
	calibrated   bool
	former       string // what a runner found before; "": nothing
}

// try returns what a runner finds. A number that cannot be is no error, it is a finding,
// but not one that is kept.
func (l *laboratory) try(ctx context.Context, t trial) (finding, error) {
	parts := []string{l.state, t.name, strings.TrimPrefix(t.file, l.root), digest(t.file, []byte(t.source)), fmt.Sprint(t.calibrated)}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	kept := l.path("results", hex.EncodeToString(sum[:16])+".json")
	var f finding
	if data, err := os.ReadFile(kept); err == nil {
		return f, json.Unmarshal(data, &f)
	}
	f, err := l.run(ctx, t)
	if err != nil || f.Error != "" {
		return f, err
	}
	data, err := json.Marshal(f)
	if err != nil {
		return f, err
	}
	return f, os.WriteFile(kept, data, 0o644)
}

// run builds a runner in a folder of its own, and runs it.
func (l *laboratory) run(ctx context.Context, t trial) (f finding, err error) {
	work, err := os.MkdirTemp(l.path("work"), "")
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	replaced := map[string]string{}
	if t.file != "" {
		replaced[t.file] = filepath.Join(work, "varied.go")
		if err := os.WriteFile(replaced[t.file], []byte(t.source), 0o644); err != nil {
			return f, err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return f, err
	}
	if err := os.WriteFile(filepath.Join(work, "overlay.json"), overlay, 0o644); err != nil {
		return f, err
	}
	binary := filepath.Join(work, "runner")
	build := l.goCommand(ctx, "build", "-p", "1", "-overlay", filepath.Join(work, "overlay.json"), "-o", binary, runnerPackage)
	if _, says, err := outputOf(build); err != nil {
		return finding{Error: says}, ctx.Err()
	}
	limited, stop := context.WithTimeout(ctx, longest)
	defer stop()
	run := exec.CommandContext(limited, binary, fmt.Sprintf("--calibrate=%t", t.calibrated), "--former="+t.former)
	run.Dir = l.root
	printed, says, err := outputOf(run)
	switch {
	case ctx.Err() != nil:
		return f, ctx.Err()
	case limited.Err() != nil:
		return finding{Error: fmt.Sprintf("no end within %v", longest)}, nil
	case err != nil:
		return finding{Error: says}, nil
	}
	return f, json.Unmarshal(printed, &f.Made)
}

// digest is the hash of a file: of a Go file the tokens, as comments change no model.
func digest(path string, data []byte) string {
	sum := sha256.New()
	if filepath.Ext(path) != ".go" {
		sum.Write(data)
		return hex.EncodeToString(sum.Sum(nil))
	}
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile(path, -1, len(data)), data, nil, 0)
	for {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return hex.EncodeToString(sum.Sum(nil))
		}
		fmt.Fprintln(sum, tok, text)
	}
}

// goCommand is the go command with a build cache of its own: hundreds of variants of packages
// are nobody else's.
func (l *laboratory) goCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = l.root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false", "GOCACHE="+l.path("build"))
	return cmd
}

// clean removes what can be built again.
func (l *laboratory) clean() error {
	return errors.Join(os.RemoveAll(l.path("work")), os.RemoveAll(l.path("build")))
}

func (l *laboratory) path(elements ...string) string {
	return filepath.Join(append([]string{l.cache}, elements...)...)
}

// outputOf runs a command; says is the last line of its standard error.
func outputOf(cmd *exec.Cmd) (printed []byte, says string, err error) {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if err == nil {
		return out.Bytes(), "", nil
	}
	lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
	if says = lines[len(lines)-1]; says == "" {
		says = err.Error()
	}
	return nil, says, err
}
