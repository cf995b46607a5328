package capture

import (
	"context"
	_ "embed" // for the probe
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"tierscope/analysis/execution"
	"tierscope/analysis/golang/instrument"
)

//go:embed probe.go.txt
var probe []byte

//go:embed msan.go.txt
var msan []byte

// goProgram is a Go program with probes in its source.
type goProgram struct {
	plan Plan
	dir  string
}

// newGo builds the program for all that is measured; what cannot be built is a warning.
func newGo(ctx context.Context, p Plan, dir string, r *Result) (*subject, error) {
	program, err := instrument.Load(ctx, p.Program, p.Env)
	if err != nil {
		return nil, err
	}
	rec := &recorder{p: program}
	rec.insert()
	g := goProgram{p, dir}
	s := &subject{name: base(p.Program), state: program.State(), sites: rec.sites, threads: rec.threads}
	exe, err := program.Build(ctx, dir, rec.probe(), instrument.Goroutine()...)
	if err != nil {
		return nil, err
	}
	s.clocks = g.runner("clocks", exe)
	if exe, err = accessBuild(ctx, program, dir); err != nil {
		r.Warnings = append(r.Warnings, "no counts of loads, stores and working set: "+err.Error())
	} else {
		s.beside = append(s.beside, g.runner("accesses", exe, "TIERSCOPE_MEMORY="+g.area()))
	}
	if exe, err = buildFor(ctx, program, dir, "steps", steps); err != nil {
		r.Warnings = append(r.Warnings, "no counts of loops and calls: "+err.Error())
	} else {
		s.beside = append(s.beside, g.runner("steps", exe, "TIERSCOPE_COUNT=1"))
	}
	if !p.Simulate {
		return s, nil
	}
	simulator, err := findSimulator()
	if err != nil {
		return nil, err
	}
	if exe, err = buildFor(ctx, program, dir, "bare", bare); err != nil {
		return nil, err
	}
	s.beside = append(s.beside, runner{"in the simulator", func(ctx context.Context, in Input) (string, error) {
		env, err := g.prepare(in)
		if err != nil {
			return "", err
		}
		return simulator.run(ctx, p, exe, dir, in, env)
	}})
	return s, nil
}

func (g goProgram) records() string { return filepath.Join(g.dir, "records") }
func (g goProgram) area() string    { return filepath.Join(g.dir, "memory") }

// prepare empties the files of the probes, and returns the environment of a run.
func (g goProgram) prepare(in Input) ([]string, error) {
	const areaSize = 1 << 20
	if err := errors.Join(os.WriteFile(g.records(), nil, 0o600), os.WriteFile(g.area(), make([]byte, areaSize), 0o600)); err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	return append(slices.Concat(os.Environ(), g.plan.Env, in.Env), "TIERSCOPE_CAPTURE="+g.records()), nil
}

// runner runs one of the builds.
func (g goProgram) runner(name, exe string, more ...string) runner {
	return runner{name, func(ctx context.Context, in Input) (string, error) {
		env, err := g.prepare(in)
		if err != nil {
			return "", err
		}
		program := execution.Program{Path: exe, Args: in.Args, Stdin: in.Stdin, Env: append(env, more...), ExitStatus: g.plan.Exit}
		if _, _, err := program.Finish(ctx, g.plan.Timeout); err != nil {
			return "", err
		}
		data, err := os.ReadFile(g.records())
		if err != nil {
			return "", fmt.Errorf("capture: %w", err)
		}
		return string(data), nil
	}}
}

// base is the last element of a path, also of "." and "..".
func base(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	return filepath.Base(path)
}
