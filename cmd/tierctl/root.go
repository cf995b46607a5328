package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"tierscope/analysis/stage"
	"tierscope/project"
)

// version is the release, set by the Makefile with -ldflags.
var version = "development"

// terminal is what every subcommand prints with: data to out, progress and
// warnings to err unless quiet.
type terminal struct {
	out, err io.Writer
	quiet    bool
	color    bool

	jsonProgress bool // progress for programs
}

// newRoot returns the command tree. A new subcommand is one file and one line
// here.
func newRoot() *cobra.Command {
	t := &terminal{out: os.Stdout, err: os.Stderr}
	root := &cobra.Command{
		Use:   "tierctl",
		Short: "Predict how fast a multithreaded program will be in a configuration nobody has run yet",
		Long: `tierctl watches a program in one run, builds a three-tier performance model of it,
and predicts response time, throughput and utilization in other configurations.

Results go to standard output, progress to standard error. Wherever a model is
asked for, give a model file or a project folder (name.tier).

Exit codes: 0 done, 1 internal or I/O error, 2 wrong usage, 3 condition violated,
4 undecided or out of time, 5 invalid input, 6 model not applicable,
7 the simulated program halts (a deadlock), 130 interrupted.`,
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			t.out, t.err = onScreen(cmd.OutOrStdout()), onScreen(cmd.ErrOrStderr())
			t.color = colors(t.out)
			if t.quiet {
				t.err = io.Discard
			}
			warnMismatches(t, cmd, args)
			return placeable(cmd)
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().BoolVarP(&t.quiet, "quiet", "q", false, "print no progress and no warnings")
	root.PersistentFlags().BoolVar(&t.jsonProgress, "json-progress", false, "print progress as JSON objects, one a line")
	root.AddCommand(
		newRun(t),
		newCheck(t),
		newShow(t),
		newConvert(t),
		newSweep(t),
		newExplain(t),
		newOptimize(t),
		newDiff(t),
		newWalks(t),
		newPlot(t),
		newReportCommand(t),
		newAnalyze(t),
		newStage(t, stage.Sample, "Run a program with stack samples: thread groups, library functions"),
		newStage(t, stage.Scan, "Read a program's source: locks, queues, I/O, go statements"),
		newStage(t, stage.Trace, "Run a program with probes and record what every thread does"),
		newStage(t, stage.Build, "Make the model of the files that the other stages left"),
		newReduction(t),
		newMeasure(t),
		newAdvise(t),
		newStatus(t),
		newDisk(t),
		newMachine(t),
		newValidate(t),
		newAccuracy(t),
		newRegress(t),
		newHybrid(t),
		newProlong(t),
		newPredictability(t),
		newGUI(),
		newMan(t),
	)
	for _, command := range root.Commands() {
		code(command)
	}
	return root
}

// code gives the errors of a command's work their exit code. What is left, the
// errors of cobra's own checks of flags and arguments, is wrong usage.
func code(command *cobra.Command) {
	if command.HasSubCommands() && !command.Runnable() { // cobra prints help for whatever follows, and is content
		command.Args, command.RunE = cobra.NoArgs, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	if work := command.RunE; work != nil {
		command.RunE = func(cmd *cobra.Command, args []string) error {
			err := work(cmd, args)
			var coded *codedError
			var silent *silentError
			switch {
			case err == nil, errors.As(err, &coded), errors.As(err, &silent):
				return err
			case errors.Is(cmd.Context().Err(), context.DeadlineExceeded):
				return exit(exitUndecided, orPlainly(err, "out of time"))
			case cmd.Context().Err() != nil:
				return exit(exitInterrupted, orPlainly(err, "interrupted"))
			default:
				return exit(exitFailure, err)
			}
		}
	}
	for _, child := range command.Commands() {
		code(child)
	}
}

// placeable returns why what the command makes could not be kept where its flags say: before it works for that, for hours in
// a campaign.
func placeable(cmd *cobra.Command) error {
	for _, name := range []string{"out", "profile", "accuracy", "save"} {
		f := cmd.Flags().Lookup(name)
		dry := cmd.Flags().Lookup("dry-run")
		if f == nil || !f.Changed || name == "out" && dry != nil && dry.Changed {
			continue
		}
		if err := project.Placeable(f.Value.String()); err != nil {
			return exit(exitFailure, fmt.Errorf("--%s: %w", name, err))
		}
	}
	return nil
}

// colors reports whether w is a terminal that wants colours
// (https://no-color.org).
func colors(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if s, safe := w.(screen); safe {
		f, ok = s.File, true
	}
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
