package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

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
	asItIs                             bool
	seed                               uint64
	reps, parallel, top                int
	pareto                             bool
	deadline
}

func newOptimize(t *terminal) *cobra.Command {
	var f optimizeFlags
	cmd := &cobra.Command{
		Use:     "optimize MODEL --axis NAME=VALUES … --slo LIMIT …",
		Aliases: []string{"optimise"},
		Short:   "Find the best configuration under limits, and say how sure that is",
		Long: `Optimize searches a space of configurations, of any size: it rules out what operational
laws rule out, estimates what is left, simulates for a short time what may be the best, learns
from that, and simulates the last few in full. Each is judged by the probability that it keeps
all limits. Where the cost is the only objective, it ends with the cheapest that does.

The exit code is 0 when a configuration meets the limits, 3 when none does, and 4 when
that is undecided or the time is up before.`,
		Example: `  tierctl optimize shop.tier --axis workers=1..16 --axis cores=1..8 --slo 'R.p95 <= 200ms' --slo 'U <= 90%' --cost 'cores + 0.05*workers'
  tierctl optimize model.json --axis workers=1..500 --axis cores=1..64 --axis disks/sda/speed=1..8:real --minimise R.p95 --cost 'cores + workers/20' --pareto
  tierctl optimize model.json --axis workers=1,2,4,8 --slo 'R.p95 <= 50ms' --maximise X --load rate --budget 5m`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.optimize(cmd, t, args[0])
		},
	}
	f.flags(cmd)
	f.forceFlag(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.axes, "axis", nil, "values of a parameter or path, as of tierctl sweep, or `NAME=0.5..8:real`, NAME=0,1,2:any (no order); repeatable")
	flags.StringArrayVar(&f.constraints, "where", nil, "leave out points for which `EXPRESSION` does not hold; repeatable")
	flags.StringArrayVar(&f.slos, "slo", nil, "`LIMIT` to keep, such as 'R.p95 <= 200ms', 'U disk/sda <= 90%', 'X >= 100/s' or 'P(R <= 1s) >= 0.9'; repeatable")
	flags.StringVar(&f.maximise, "maximise", "", "`METRIC` to maximise, such as X")
	flags.StringVar(&f.minimise, "minimise", "", "`METRIC` to minimise, such as R.p95")
	flags.StringVar(&f.cost, "cost", "", "`EXPRESSION` over parameters that breaks ties, or is minimised when nothing else is asked for")
	flags.BoolVar(&f.pareto, "pareto", false, "find the front of cost and metric: what no other configuration beats in both")
	flags.StringVar(&f.loadKnob, "load", "", "parameter or path that load grows with: also find how far it may grow (headroom)")
	flags.StringVar(&f.budget, "budget", "", "the same as --max-time")
	f.flag(cmd)
	asItIsFlag(cmd, &f.asItIs)
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
	if f.text == "" {
		f.text = f.budget
	}
	stop, err := f.start(cmd)
	if err != nil {
		return err
	}
	defer stop()
	c, ledger, err := f.predicting(cmd.Context(), t, path)
	if err != nil {
		return err
	}
	defer closeLedger(ledger)
	warnOutside(t, c.project, &c.model, c.settings)
	q := optimise.Question{Maximise: f.maximise, Minimise: f.minimise, Cost: f.cost, Pareto: f.pareto, Load: f.loadKnob}
	q.Grid = experiment.Experiment{Name: "optimize", Seed: f.seed, Replications: f.reps, ModelAsItIs: f.asItIs, Constraints: f.constraints, Settings: c.settings}
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
	case cmd.Context().Err() != nil && (answer.State != optimise.Meets || errors.Is(cmd.Context().Err(), context.Canceled)):
		return ended(cmd.Context(), t, "the answer is of what there was")
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
	return nil
}

// objective is the estimate of what is optimised, in seconds or per second.
func objective(c optimise.Candidate) string {
	if e := c.Objective; c.Result != nil && !math.IsNaN(e.Mean) {
		return fmt.Sprintf("%s ± %s", quantity.Digits(e.Mean, 3), quantity.Digits(e.HalfWidth(), 2))
	}
	return "–"
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
	goal := slices.ContainsFunc(a.Candidates, func(c optimise.Candidate) bool { return c.Objective.Lo != c.Objective.Hi })
	if goal {
		fmt.Fprint(out, "\tobjective")
	}
	fmt.Fprintln(out, "\tcost\twhy")
	for i, c := range a.Candidates {
		if i == top {
			fmt.Fprintf(out, "… and %d more\n", len(a.Candidates)-top)
			break
		}
		state := string(c.State)
		switch {
		case c.Front:
			state = "FRONT"
		case c.Best:
			state = "BEST"
		case c.Short:
			state += " (short)"
		}
		fmt.Fprintf(out, "%s\t%.2f", state, c.Probability)
		for _, name := range parameters {
			fmt.Fprintf(out, "\t%g", c.Settings[name])
		}
		if goal {
			fmt.Fprintf(out, "\t%s", objective(c))
		}
		fmt.Fprintf(out, "\t%s\t%s\n", quantity.Digits(c.Cost, 3), c.Why)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	var parts []string
	for _, s := range a.Stages {
		part := fmt.Sprintf("%d %s", s.Points, s.Name)
		if s.Out > 0 {
			part += fmt.Sprintf(" (%d ruled out)", s.Out)
		}
		parts = append(parts, part)
	}
	_, err := fmt.Fprintf(w, "\n%s\n", strings.Join(parts, ", "))
	return err
}
