package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/simulation"
	"tierscope/simulation/difference"
)

// diffFlags are the flags of tierctl diff.
type diffFlags struct {
	set       []string
	metric    string
	failOn    []string
	attribute bool
	all       bool
	asItIs    bool
	seed      uint64
	reps      int
	parallel  int
	top       int
	format    string

	recorded bool
	turns    bool
	consent  consentFlags
	rounds   int
	out      string
	took     *difference.Turns // nil: they did not run by turns
}

func newDiff(t *terminal) *cobra.Command {
	var f diffFlags
	cmd := &cobra.Command{
		Use:   "diff OLD NEW | diff --record PACKAGE@OLD PACKAGE@NEW [-- ARGS]",
		Short: "Say what changed between the models of two builds, and what that costs",
		Long: `Diff finds the elements of the old model in the new one, by function, call context and
place of creation, lists what differs, and simulates both with common random numbers.

With --attribute it swaps in one change at a time: the share of a change is the mean of
its effect as the first and as the last one that is made.

With --record it makes the models: of two states of a repository, two folders or two
executables, which then run by turns, so that a machine that is slower today is so for both;
the turns decide by how much the run times differ. With --turns the programs of two projects do.
Of Go programs it names the functions that were edited in the code that costs more.

The exit code is 3 when a condition of --fail-on is violated, 4 when one is undecided.`,
		Example: `  tierctl diff shop-1.8.tier shop-1.9.tier --attribute
  tierctl diff old.json new.json --set workers=8 --fail-on 'R.p95 > +5%' --fail-on 'X < -2%'
  tierctl diff --record ./cmd/shop@v1.8 ./cmd/shop --attribute --fail-on 'T > +2%' -- -orders 500`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.recorded {
				return cobra.MinimumNArgs(2)(cmd, args)
			}
			return cobra.ExactArgs(2)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.diff(cmd, t, args) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.set, "set", nil, "set a parameter or path of both models: `NAME=VALUE`, repeatable")
	flags.StringVar(&f.metric, "metric", "", "`KEY` of what the changes are judged by (default R mean; X when overloaded; T of a batch program)")
	flags.StringArrayVar(&f.failOn, "fail-on", nil, "`CONDITION` that must not hold, such as 'R.p95 > +5%'; repeatable")
	flags.BoolVar(&f.attribute, "attribute", false, "find what each change costs")
	flags.BoolVar(&f.all, "all", false, "list insignificant changes too")
	flags.IntVar(&f.top, "top", 30, "rows of the list of changes; 0: all")
	asItIsFlag(cmd, &f.asItIs)
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the random numbers")
	flags.IntVar(&f.reps, "reps", 0, "replications per simulation (default 10)")
	parallelFlag(cmd, &f.parallel)
	flags.StringVar(&f.format, "format", "table", "table or json")
	flags.BoolVar(&f.recorded, "record", false, "analyse two programs that end by themselves, and let them run by turns")
	flags.BoolVar(&f.turns, "turns", false, "let the programs of two projects run by turns, as --record does")
	f.consent.flags(cmd)
	flags.IntVar(&f.rounds, "rounds", 12, "`TURNS` of each of them, up to four times as many while they leave a --fail-on on T undecided")
	flags.StringVar(&f.out, "out", "", "`FOLDER` that keeps the two analyses of --record")
	return cmd
}

func (f *diffFlags) diff(cmd *cobra.Command, t *terminal, args []string) error {
	if err := checkFormat(f.format, "table", "json"); err != nil {
		return err
	}
	var conditions []difference.Condition
	for _, text := range f.failOn {
		c, err := difference.ParseCondition(text)
		if err != nil {
			return exit(exitUsage, fmt.Errorf("--fail-on: %w", err))
		}
		conditions = append(conditions, c)
	}
	o := difference.Options{Metric: f.metric, Attribute: f.attribute, Simulate: simulation.Run,
		Simulation: simulation.Options{Seed: f.seed, Replications: f.reps, ModelAsItIs: f.asItIs, Pool: simulation.NewPool(f.parallel)}}
	var err error
	if o.Settings, err = settings(f.set); err != nil {
		return exit(exitUsage, err)
	}
	old, now, edited, err := f.models(cmd, t, args, conditions)
	if err != nil {
		return err
	}
	o.Edited, o.Turns = edited, f.took
	start, report := time.Now(), t.progress()
	o.Progress = func(done, planned int) {
		report(step{Unit: "simulations", Done: done, Planned: planned, Elapsed: time.Since(start).Seconds()})
	}
	r, err := difference.Run(cmd.Context(), old, now, o)
	if err != nil {
		return exit(exitInput, err)
	}
	t.clearLine()
	if f.format == "json" {
		err = printJSON(t.out, r)
	} else {
		err = f.print(t.out, r)
	}
	if err != nil {
		return err
	}
	if r.Incomplete {
		fmt.Fprintln(t.err, "interrupted: the shares are of what there was")
		return &silentError{exitInterrupted}
	}
	var v verdicts
	for _, c := range conditions {
		outcome, text := c.Judge(r)
		fmt.Fprintln(t.err, text)
		v.add(outcome == difference.Violated, outcome == difference.Undecided)
	}
	return v.exit()
}

// models are the two that are compared, and which functions were edited between them, if that is known.
func (f *diffFlags) models(cmd *cobra.Command, t *terminal, args []string, conditions []difference.Condition) (old, now core.Model, edited func(string) []string, err error) {
	if f.recorded {
		return f.recordBoth(cmd, t, args, conditions)
	}
	if old, err = loadModel(args[0]); err == nil {
		now, err = loadModel(args[1])
	}
	if err == nil && f.turns {
		old, now, err = f.letRunBoth(cmd, t, args, [2]core.Model{old, now}, conditions)
	}
	if err == nil {
		edited, err = editedBetween(args[0], args[1])
	}
	return old, now, edited, err
}

// print writes a report for people.
func (f *diffFlags) print(w io.Writer, r *difference.Report) error {
	fmt.Fprintf(w, "%s\n\n", r.Verdict)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "METRIC\tOF\tSTAT\tOLD\tNEW\tDIFFERENCE\tCHANGE")
	for _, c := range r.Comparisons {
		if c.Name != "R" && c.Name != "X" && c.Name != "T" || c.Name == "X" && !strings.HasPrefix(c.Of, "class/") {
			continue
		}
		d := c.Absolute
		by := quantity.Format(d.Mean, c.Unit) // percentiles of whole runs have no interval
		if !math.IsInf(d.Hi, 0) {
			by = quantity.Interval(d.Mean, d.Lo, d.Hi, c.Unit)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", metricWords[c.Name], c.Of, c.Stat, quantity.Format(c.A.Mean, c.Unit),
			quantity.Format(c.B.Mean, c.Unit), by, quantity.Change(c.Relative.Mean))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if len(r.Shares) > 0 {
		unit := ""
		if c, ok := r.Of(r.Metric); ok {
			unit = c.Unit
		}
		fmt.Fprintf(table, "\nCHANGE\tEFFECT ON %s\n", r.Metric)
		for _, s := range r.Shares {
			fmt.Fprintf(table, "%s\t%s\n", s.Part, quantity.Interval(s.Effect.Mean, s.Effect.Lo, s.Effect.Hi, unit))
		}
		if e := r.Interaction; e != nil {
			fmt.Fprintf(table, "interaction\t%s\n", quantity.Interval(e.Mean, e.Lo, e.Hi, unit))
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return f.changes(w, table, r)
}

// changes lists what differs in the models.
func (f *diffFlags) changes(w io.Writer, table *tabwriter.Writer, r *difference.Report) error {
	fmt.Fprintln(w)
	for _, n := range r.Renamed {
		fmt.Fprintf(w, "%s %s is now %s\n", n.Kind, n.Old, n.New)
	}
	if len(r.Changes) == 0 {
		fmt.Fprintln(w, "The models do not differ.")
		return nil
	}
	fmt.Fprintln(table, "CHANGE\tOF\tWHAT\tOLD\tNEW\tBY\tSIGNIFICANT")
	shown, insignificant := 0, 0
	for _, c := range r.Changes {
		if c.Significant == difference.Insignificant && !f.all {
			insignificant++
			continue
		}
		if shown++; f.top > 0 && shown > f.top {
			continue
		}
		if c.Old == 0 && c.New == 0 {
			fmt.Fprintf(table, "%s\t%s\t%s\t\t\t\t\n", c.Kind, c.Of, c.What)
			continue
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", c.Kind, c.Of, c.What, quantity.Format(c.Old, c.Unit), quantity.Format(c.New, c.Unit),
			quantity.Change(c.Relative()), c.Significant)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if f.top > 0 && shown > f.top {
		fmt.Fprintf(w, "%d more changes are not shown; --top 0 lists them\n", shown-f.top)
	}
	if insignificant > 0 {
		fmt.Fprintf(w, "%d differences can be chance and are not shown; --all lists them\n", insignificant)
	}
	return nil
}
