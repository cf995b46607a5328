package prolong

import (
	"context"
	_ "embed" // for the probe
	"os"

	"tierscope/analysis/execution"
	"tierscope/analysis/golang/instrument"
)

//go:embed probe.go.txt
var probe []byte

// goProgram is a Go program whose source probes are compiled into.
type goProgram struct {
	plan    Plan
	dir     string
	program *instrument.Program
}

func newGo(ctx context.Context, p Plan, dir string) (*goProgram, error) {
	program, err := instrument.Load(ctx, p.Program, p.Env)
	if err != nil {
		return nil, err
	}
	return &goProgram{p, dir, program}, nil
}

func (g *goProgram) state() string { return g.program.State() }

func (g *goProgram) probe(ctx context.Context, keep func(string) bool) (*structure, launcher, error) {
	g.program.Reset()
	s := study(g.program, g.plan.Granularity, keep)
	s.instrument(g.program)
	exe, err := g.program.Build(ctx, g.dir, probe, instrument.Goroutine()...)
	if err != nil {
		return nil, nil, err
	}
	return s, func(ctx context.Context, file string) (ended, error) {
		program := execution.Program{Path: exe, Args: g.plan.Args, Env: append(append(os.Environ(), g.plan.Env...), "TIERSCOPE_PROLONG="+file)}
		run, _, err := program.Finish(ctx, g.plan.Timeout)
		return ended{wall: run.Wall.Seconds(), cpu: run.CPU.Seconds()}, err
	}, nil
}
