package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tierscope/core/quantity"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
	"tierscope/simulation/optimise"
)

// optimizeFlags are the flags of tierctl optimize.
type optimizeFlags struct {
	configuration
	axes, constraints, slos            []string
	maximise, minimise, cost, loadKnob string
	budget, format                     string
	seed                               uint64
	reps, parallel, top                int
}

func newOptimize(t *terminal) *cobra.Command {
	var f optimizeFlags
	cmd := &cobra.Command{
		Use:     "optimize MODEL --axis NAME=VALUES … --slo LIMIT …",
		Aliases: []string{"optimise"},
		Short:   "Find the best configuration under limits, and say how sure that is",
		Long: `Optimize simulates a grid of configurations and judges each by the probability that
it keeps all limits. Undecided ones are simulated longer, as far as the budget goes;
those whose arrivals exceed capacity by the operational laws are not simulated at all.

The exit code is 0 when a configuration meets the limits, 3 when none does, and 4 when
that is undecided.`,
		Example: `  tierctl optimize shop.tier --axis workers=1..16 --axis cores=1..8 --slo 'R.p95 <= 200ms' --slo 'U <= 90%' --cost 'cores + 0.05*workers'
  tierctl optimize model.json --axis workers=1,2,4,8 --slo 'R.p95 <= 50ms' --maximise X --load rate --budget 5m`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.optimize(cmd, t, args[0])
		},
	}
	f.flags(cmd)
	f.forceFlag(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.axes, "axis", nil, "values of a parameter or path, as of tierctl sweep; repeatable")
	flags.StringArrayVar(&f.constraints, "where", nil, "leave out points for which `EXPRESSION` does not hold; repeatable")
	flags.StringArrayVar(&f.slos, "slo", nil, "`LIMIT` to keep, such as 'R.p95 <= 200ms', 'U disk/sda <= 90%' or 'X >= 100/s'; repeatable")
	flags.StringVar(&f.maximise, "maximise", "", "`METRIC` to maximise, such as X")
	flags.StringVar(&f.minimise, "minimise", "", "`METRIC` to minimise, such as R.p95")
	flags.StringVar(&f.cost, "cost", "", "`EXPRESSION` over parameters that breaks ties, or is minimised when nothing else is asked for")
	flags.StringVar(&f.loadKnob, "load", "", "parameter or path that load grows with: also find how far it may grow (headroom)")
	flags.StringVar(&f.budget, "budget", "", "wall-clock time at most, such as 5m")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the random numbers")
	flags.IntVar(&f.reps, "reps", 0, "replications at first (default 10)")
	parallelFlag(cmd, &f.parallel)
	flags.IntVar(&f.top, "top", 20, "rows of the table")
	flags.StringVar(&f.format, "format", "table", "table or json")
	cmd.MarkFlagsMutuallyExclusive("maximise", "minimise")
	return cmd
}

func (f *optimizeFlags) optimize(cmd *cobra.Command, t *terminal, path string) error {
	if err := checkFormat(f.format, "table", "json"); err != nil {
		return err
	}
	c, ledger, err := f.predicting(t, path)
	if err != nil {
		return err
	}
	defer closeLedger(ledger)
	warnOutside(t, c.project, &c.model, c.settings)
	q := optimise.Question{Maximise: f.maximise, Minimise: f.minimise, Cost: f.cost, Load: f.loadKnob}
	q.Grid = experiment.Experiment{Name: "optimize", Seed: f.seed, Replications: f.reps, Constraints: f.constraints, Settings: c.settings}
	if err := f.parse(&q); err != nil {
		return exit(exitUsage, err)
	}
	r := experiment.Runner{Model: c.model, Ledger: ledger, Pool: simulation.NewPool(f.parallel), Simulate: simulation.Run, Progress: sweepProgress(t)}
	answer, err := optimise.Run(cmd.Context(), &r, q)
	if err != nil {
		return exit(exitInput, err)
	}
	if f.format == "json" {
		for i := range answer.Candidates {
			c := &answer.Candidates[i]
			c.Point = timeless([]experiment.Point{c.Point})[0]
		}
		err = printJSON(t.out, answer)
	} else {
		err = printAnswer(t.out, answer, f.top)
	}
	switch {
	case err != nil:
		return err
	case errors.Is(cmd.Context().Err(), context.Canceled):
		fmt.Fprintln(t.err, "interrupted: the answer is of what there was")
		return &silentError{exitInterrupted}
	case answer.State == optimise.Fails && !answer.Incomplete:
		return &silentError{exitViolated}
	case answer.State != optimise.Meets:
		return &silentError{exitUndecided}
	}
	return nil
}

// parse reads the flags that have a syntax of their own.
func (f *optimizeFlags) parse(q *optimise.Question) error {
	for _, text := range f.axes {
		a, err := experiment.ParseAxis(text)
		if err != nil {
			return err
		}
		q.Grid.Axes = append(q.Grid.Axes, a)
	}
	for _, text := range f.slos {
		l, err := optimise.ParseLimit(text)
		if err != nil {
			return fmt.Errorf("--slo: %w", err)
		}
		q.Limits = append(q.Limits, l)
	}
	if f.cost != "" {
		if _, err := experiment.Parse(f.cost); err != nil {
			return fmt.Errorf("--cost: %w", err)
		}
	}
	if f.budget != "" {
		seconds, err := number(f.budget)
		if err != nil {
			return fmt.Errorf("--budget: %w", err)
		}
		q.Budget = time.Duration(seconds * float64(time.Second))
	}
	return q.Grid.Validate()
}

// printAnswer writes an answer for people.
func printAnswer(w io.Writer, a *optimise.Answer, top int) error {
	fmt.Fprintf(w, "%s\n\n", a.Sentence)
	names := map[string]bool{}
	for _, c := range a.Candidates {
		for name := range c.Settings {
			names[name] = true
		}
	}
	parameters := slices.Sorted(maps.Keys(names))
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(out, "state\tP")
	for _, name := range parameters {
		fmt.Fprintf(out, "\t%s", name)
	}
	fmt.Fprintln(out, "\tcost\twhy")
	for i, c := range a.Candidates {
		if i == top {
			fmt.Fprintf(out, "… and %d more\n", len(a.Candidates)-top)
			break
		}
		state := string(c.State)
		if c.Best {
			state = "BEST"
		}
		fmt.Fprintf(out, "%s\t%.2f", state, c.Probability)
		for _, name := range parameters {
			fmt.Fprintf(out, "\t%g", c.Settings[name])
		}
		fmt.Fprintf(out, "\t%s\t%s\n", quantity.Digits(c.Cost, 3), c.Why)
	}
	return out.Flush()
}
