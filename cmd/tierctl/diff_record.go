package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

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
	"tierscope/simulation/difference"
)

// recordBoth analyses two builds, lets them run by turns, and returns their models, which then
// differ by what the turns do.
func (f *diffFlags) recordBoth(cmd *cobra.Command, t *terminal, args []string, conditions []difference.Condition) (old, now core.Model, edited func(string) []string, err error) {
	dir := f.out
	if dir == "" {
		if dir, err = os.MkdirTemp("", scratch.Name("", "tierscope-diff-")); err != nil {
			return old, now, nil, err
		}
		defer os.RemoveAll(dir) // a folder for temporary files
	} else if err := os.MkdirAll(dir, 0o777); err != nil {
		return old, now, nil, exit(exitUsage, err)
	}
	var models [2]core.Model
	var workloads [2]trace.Workload
	for i, name := range []string{"old", "new"} {
		sources := filepath.Join(dir, name)
		if err := os.Mkdir(sources, 0o700); err != nil {
			return old, now, nil, exit(exitUsage, fmt.Errorf("%w; give another folder, or remove what an earlier comparison left there", err))
		}
		program, err := parseRevision(args[i]).checkOut(cmd.Context(), sources)
		if err != nil {
			return old, now, nil, exit(exitInput, err)
		}
		workloads[i] = trace.Workload{Program: program, Args: args[2:]}
		if models[i], err = f.record(cmd.Context(), t, filepath.Join(dir, name+project.Extension), &workloads[i]); err != nil {
			return old, now, nil, err
		}
	}
	if old, now, err = f.letRun(cmd.Context(), t, models, workloads, conditions); err != nil {
		return old, now, nil, err
	}
	edited, err = editedBetween(filepath.Join(dir, "old"+project.Extension), filepath.Join(dir, "new"+project.Extension))
	return old, now, edited, err
}

// letRunBoth lets the programs of two projects run by turns, and returns their models, which then differ by what
// the turns do.
func (f *diffFlags) letRunBoth(cmd *cobra.Command, t *terminal, dirs []string, models [2]core.Model, conditions []difference.Condition) (old, now core.Model, err error) {
	var workloads [2]trace.Workload
	for i, dir := range dirs {
		if _, workloads[i], err = stage.Load(dir); err != nil {
			return old, now, exit(exitInput, fmt.Errorf("--turns: %w", err))
		}
		if err := f.consent.ask(cmd, t, consent.Of(dir, workloads[i], nil)); err != nil {
			return old, now, err
		}
	}
	return f.letRun(cmd.Context(), t, models, workloads, conditions)
}

// letRun lets two programs run by turns.
func (f *diffFlags) letRun(ctx context.Context, t *terminal, models [2]core.Model, workloads [2]trace.Workload, conditions []difference.Condition) (old, now core.Model, err error) {
	took, err := measure.ByTurns(ctx, workloads[:], func(took [][]measure.Took) bool { return f.enough(turnsOf(took), conditions) },
		func(fact string) { fmt.Fprintln(t.err, "turns ", fact) })
	if err != nil {
		return old, now, exit(exitInput, err)
	}
	turns := turnsOf(took)
	more, lo, hi := turns.Time()
	f.took = &difference.Turns{Rounds: len(turns.Old), More: more, Lo: lo, Hi: hi}
	old, now, says, err := calibrate.Together(ctx, models[0], models[1], turns)
	if err != nil {
		return old, now, exit(exitInput, err)
	}
	fmt.Fprintln(t.err, says)
	return old, now, nil
}

func turnsOf(took [][]measure.Took) (t calibrate.Turns) {
	for i := range took[0] {
		t.Old, t.New = append(t.Old, calibrate.Cost(took[0][i])), append(t.New, calibrate.Cost(took[1][i]))
	}
	return t
}

// mostOften is how many times as many rounds there are while a condition is undecided. Theory: the interval is
// half as wide then.
const mostOften = 4

// enough reports whether there were enough turns: as many as asked for, and while they do not tell whether a
// condition of run times holds, more.
func (f *diffFlags) enough(t calibrate.Turns, conditions []difference.Condition) bool {
	n := len(t.Old)
	if n != f.rounds { // two looks at an interval that errs once in 40 times to one side: once in 20
		return n >= mostOften*f.rounds
	}
	_, lo, hi := t.Time()
	return !slices.ContainsFunc(conditions, func(c difference.Condition) bool {
		return c.Name == "T" && c.Stat == "mean" && lo <= c.Limit && c.Limit <= hi
	})
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

// editedBetween reads which functions differ between the programs of two projects; nil if one of the paths is no
// project, or none whose code was read.
func editedBetween(old, now string) (func(function string) []string, error) {
	var facts [2]*trace.Facts
	for i, dir := range []string{old, now} {
		var err error
		if facts[i], err = stage.ReadFacts(&project.Project{Dir: dir}); err != nil {
			return nil, exit(exitInput, err)
		}
	}
	return trace.Edited(facts[0], facts[1]), nil
}
