package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tierscope/analysis/consent"
	"tierscope/analysis/stage"
	"tierscope/analysis/trace"
	"tierscope/calibrate"
	"tierscope/cmd/target"
	"tierscope/core"
	"tierscope/judge"
	"tierscope/measure"
	"tierscope/project"
	"tierscope/project/scratch"
)

// recordBoth analyses two builds, lets them run by turns, and returns their models, which then
// differ by what the turns do.
func (f *diffFlags) recordBoth(cmd *cobra.Command, t *terminal, args []string) (old, now core.Model, err error) {
	dir := f.out
	if dir == "" {
		if dir, err = os.MkdirTemp("", scratch.Name("", "tierscope-diff-")); err != nil {
			return old, now, err
		}
		defer os.RemoveAll(dir) // a folder for temporary files
	} else if err := os.MkdirAll(dir, 0o777); err != nil {
		return old, now, exit(exitUsage, err)
	}
	var models [2]core.Model
	var workloads [2]trace.Workload
	for i, name := range []string{"old", "new"} {
		sources := filepath.Join(dir, name)
		if err := os.Mkdir(sources, 0o700); err != nil {
			return old, now, exit(exitUsage, fmt.Errorf("%w; give another folder, or remove what an earlier comparison left there", err))
		}
		program, err := parseRevision(args[i]).checkOut(cmd.Context(), sources)
		if err != nil {
			return old, now, exit(exitInput, err)
		}
		workloads[i] = trace.Workload{Program: program, Args: args[2:]}
		if models[i], err = f.record(cmd.Context(), t, filepath.Join(dir, name+project.Extension), &workloads[i]); err != nil {
			return old, now, err
		}
	}
	took, err := measure.ByTurns(cmd.Context(), workloads[:], f.rounds, func(fact string) { fmt.Fprintln(t.err, "turns ", fact) })
	if err != nil {
		return old, now, exit(exitInput, err)
	}
	var turns calibrate.Turns
	for i := range took[0] {
		turns.Old, turns.New = append(turns.Old, took[0][i].CPU), append(turns.New, took[1][i].CPU)
	}
	old, now, says, err := calibrate.Together(cmd.Context(), models[0], models[1], turns)
	if err != nil {
		return old, now, exit(exitInput, err)
	}
	fmt.Fprintln(t.err, says)
	return old, now, nil
}

// record analyses one build. What is executed was typed.
func (f *diffFlags) record(ctx context.Context, t *terminal, dir string, w *trace.Workload) (core.Model, error) {
	front := target.All()[target.Guess(w.Program)]
	s := stage.Study{Dir: dir, Target: front, Workload: *w, Tool: "tierctl " + version, Report: progressLines(t)}
	typed(t, consent.Of(dir, *w, nil))
	o, err := judge.Study(ctx, &s, stage.Sample, stage.Build, false)
	switch {
	case errors.Is(err, context.Canceled):
		return core.Model{}, exit(exitInterrupted, fmt.Errorf("interrupted while %s was analysed", w.Program))
	case err != nil:
		return core.Model{}, exit(exitInput, fmt.Errorf("%s: %w", w.Program, err))
	case len(o.Model.Sources) > 0:
		return core.Model{}, exit(exitInput, fmt.Errorf("%s is a server; analyse both builds under the same load, and compare the two projects", w.Program))
	}
	return *o.Model, nil
}
