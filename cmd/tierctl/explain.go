package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tierscope/core/quantity"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
	"tierscope/simulation/explain"
)

// explainFlags are the flags of tierctl explain.
type explainFlags struct {
	configuration
	asItIs    bool
	seed      uint64
	reps      int
	precision string
	metric    string
	top       int
	parallel  int
	format    string
	deadline
}

func newExplain(t *terminal) *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{
		Use:   "explain MODEL",
		Short: "Say what limits a configuration, and prove it",
		Long: `Explain makes every resource and piece of code of the model 10 % and 30 % faster in
turn, on the same random numbers, and ranks them by the lower confidence limit of what
that changes. It prints a verdict, where the time of a task goes, the ranking, and
findings with what to try.

The exit code is 4 when the verdict is undecided.`,
		Example: `  tierctl explain shop.tier --scenario baseline --top 10
  tierctl explain model.json --rate 120/s --metric 'R class/task p95'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.explain(cmd, t, args[0])
		},
	}
	f.flags(cmd)
	f.forceFlag(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.metric, "metric", "", "`KEY` of what should become better (default R mean; X when overloaded; T of a batch program)")
	flags.IntVar(&f.top, "top", 10, "rows of the ranking")
	asItIsFlag(cmd, &f.asItIs)
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the random numbers")
	flags.IntVar(&f.reps, "reps", 0, "replications per simulation (default 10)")
	flags.StringVar(&f.precision, "precision", "", "of the baseline, such as 5%")
	f.flag(cmd)
	parallelFlag(cmd, &f.parallel)
	flags.StringVar(&f.format, "format", "table", "table or json")
	return cmd
}

func (f *explainFlags) explain(cmd *cobra.Command, t *terminal, path string) error {
	if err := checkFormat(f.format, "table", "json"); err != nil {
		return err
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
	o := explain.Options{Metric: f.metric, Settings: c.settings, Simulation: simulation.Options{Seed: f.seed, Replications: f.reps, ModelAsItIs: f.asItIs}}
	if f.precision != "" {
		if o.Simulation.Precision, err = number(f.precision); err != nil {
			return exit(exitUsage, fmt.Errorf("--precision: %w", err))
		}
	}
	r := experiment.Runner{Model: c.model, Ledger: ledger, Pool: simulation.NewPool(f.parallel), Simulate: simulation.Run, Progress: sweepProgress(t)}
	report, err := explain.Run(cmd.Context(), &r, o)
	if report == nil && cmd.Context().Err() != nil {
		return ended(cmd.Context(), t, "the baseline has no result yet")
	}
	if err != nil {
		return exit(exitInput, err)
	}
	if f.format == "json" {
		report.Baseline = timeless([]experiment.Point{{Result: report.Baseline}})[0].Result
		err = printJSON(t.out, report)
	} else {
		err = printReport(t.out, report, f.top)
	}
	switch {
	case err != nil:
		return err
	case cmd.Context().Err() != nil:
		return ended(cmd.Context(), t, "the ranking is of what there was")
	case report.Baseline.Halted != "":
		return &silentError{exitHalted}
	case report.Verdict.Confidence == explain.Undecided:
		return &silentError{exitUndecided}
	}
	return nil
}

// printReport writes a report for people.
func printReport(w io.Writer, r *explain.Report, top int) error {
	fmt.Fprintf(w, "%s\n", r.Verdict.Sentence)
	fmt.Fprintf(w, "Confidence: %s (%s).\n", r.Verdict.Confidence, r.Verdict.Rule)
	printBreakdown(w, r)
	if len(r.Ranking) > 0 {
		fmt.Fprintln(w)
		if err := printRanking(w, r, top); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%-8s %3d  %s %s\n", f.Class, f.Score, f.Summary, f.Why)
		var tries []string
		for _, try := range f.Try {
			tries = append(tries, try.Label)
		}
		if len(tries) > 0 {
			fmt.Fprintf(w, "%14sTry: %s.\n", "", strings.Join(tries, "; "))
		}
	}
	return nil
}

// printBreakdown writes one line per class: where the time goes.
func printBreakdown(w io.Writer, r *explain.Report) {
	class := ""
	for _, p := range r.Breakdown {
		if p.Class != class {
			class = p.Class
			whole, _ := r.Baseline.Find("R " + class + " mean")
			fmt.Fprintf(w, "\n%s: mean R %s =", explain.Label(class), interval(whole.Estimate.Mean, whole.Estimate.Lo, whole.Estimate.Hi))
		} else {
			fmt.Fprint(w, " +")
		}
		fmt.Fprintf(w, " %s %s", p.Label, quantity.Format(p.Estimate.Mean, "s"))
	}
	if class != "" {
		fmt.Fprintln(w)
	}
}

func interval(mean, lo, hi float64) string {
	if math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return quantity.Format(mean, "s")
	}
	return quantity.Interval(mean, lo, hi, "s")
}

func printRanking(w io.Writer, r *explain.Report, top int) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	header := "what\tkind\tbusy\tqueue"
	for _, e := range r.Ranking[0].Effects {
		header += fmt.Sprintf("\t%s faster", quantity.Share(e.Faster))
	}
	fmt.Fprintln(out, header)
	for i, c := range r.Ranking {
		if i == top {
			break
		}
		busy, queue := "–", "–"
		if c.Utilization != nil {
			busy = quantity.Share(c.Utilization.Mean)
		}
		if c.Queue != nil {
			queue = quantity.Digits(c.Queue.Mean, 2)
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s", c.Label, c.Kind, busy, queue)
		for _, e := range c.Effects {
			fmt.Fprintf(out, "\t%s ± %s", quantity.Change(e.Gain.Mean), quantity.Share(e.Gain.HalfWidth()))
			if c.Kind == explain.Pool || c.Kind == explain.Queue {
				fmt.Fprintf(out, " (%s)", e.Change)
			}
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}
