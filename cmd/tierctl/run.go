package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tierscope/analysis/trust"
	"tierscope/core/quantity"
	"tierscope/judge"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// runFlags are the flags of tierctl run.
type runFlags struct {
	director string
	configuration
	deadline
	asItIs                  bool
	seed                    uint64
	reps, maxReps, parallel int
	precision, confidence   string
	duration, warmup        string
	metrics, only           []string
	batchMeans, all, dryRun bool
	format                  string
	timeline                string
	spans                   int
}

func newRun(t *terminal) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run MODEL",
		Short: "Simulate a model in one configuration",
		Long: `run simulates a model and prints response time, throughput and utilization with
confidence intervals. Replications run in parallel; equal flags and an equal
seed print equal bytes.

The results of a project's model go to its ledger (runs/ledger.d), and what is there
already is not simulated again. --scenario takes a scenario of the project, and the other
flags set parameters on top of it.

Interrupt it (Ctrl-C) and it prints what it has. The exit code is 4 when --precision was
not reached, 6 when the trust report of the project advises against predictions, 7 when the
simulated program halts: in a deadlock, or at a defect of the model.`,
		Example: `  tierctl run shop.tier --threads 8 --cores 4 --rate 120/s
  tierctl run model.json --set workers=8 --precision 2% --max-time 60s --format csv
  tierctl run shop.tier --scenario 'two disks' --seed 7 --reps 20
  tierctl run shop.tier --timeline shop.pftrace
  tierctl run model.json --set disks/sda/speed=3 --set graphs/worker/fragments/parse/scale=0.7`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, t, args[0])
		},
	}
	f.flags(cmd)
	f.forceFlag(cmd)
	flags := cmd.Flags()
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the random numbers")
	flags.IntVar(&f.reps, "reps", 0, "independent replications (default 10)")
	flags.IntVar(&f.maxReps, "max-reps", 0, "replications at most with --precision (default 10 × --reps)")
	flags.StringVar(&f.precision, "precision", "", "go on until the intervals of R and X are ± `P`, such as 5%")
	flags.StringVar(&f.confidence, "confidence", "", "of all intervals (default 95%)")
	f.flag(cmd)
	flags.StringVar(&f.duration, "duration", "", "simulated time per replication (default automatic)")
	flags.StringVar(&f.warmup, "warmup", "", "simulated time cut off, or none (default automatic)")
	directorFlag(cmd, &f.director)
	flags.BoolVar(&f.batchMeans, "batch-means", false, "one long run cut into batches instead of replications")
	asItIsFlag(cmd, &f.asItIs)
	parallelFlag(cmd, &f.parallel)
	flags.StringArrayVar(&f.metrics, "metric", nil, "print only metrics whose key begins with `KEY`, such as 'R class/task p95'; repeatable")
	onlyFlag(cmd, &f.only)
	flags.BoolVar(&f.all, "all", false, "print every metric, those of fragments too")
	flags.StringVar(&f.format, "format", "table", "table, csv (long: one row per metric) or json")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print the plan and what it costs, simulate nothing")
	flags.StringVar(&f.timeline, "timeline", "", "write what every thread, core, lock, disk and queue does to `FILE`, which ui.perfetto.dev opens: Perfetto's own format with arrows, or JSON if its name ends so")
	flags.IntVar(&f.spans, "spans", 200_000, "most spans of --timeline; it begins after the warm-up")
	return cmd
}

func (f *runFlags) run(cmd *cobra.Command, t *terminal, path string) error {
	if err := checkFormat(f.format, "table", "csv", "json"); err != nil {
		return err
	}
	options, err := f.options()
	if err != nil {
		return exit(exitUsage, err)
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
	if _, err := c.model.With(c.settings); err != nil {
		return exit(exitUsage, err)
	}
	warnOutside(t, c.project, &c.model, c.settings)
	options.Progress = runProgress(t)
	r := experiment.Runner{Model: c.base, Ledger: ledger, Simulate: simulation.Run}
	if f.dryRun {
		plan, err := r.PlanSingle(cmd.Context(), c.edits, c.settings, options)
		if err != nil {
			return err
		}
		fmt.Fprintln(t.err, plan.Sentence())
		return nil
	}
	run, known, err := r.Single(cmd.Context(), f.scenario, c.edits, c.settings, options)
	if run.Result == nil {
		return err
	}
	if err != nil {
		fmt.Fprintln(t.err, "warning: the result was not kept:", err)
	}
	t.clearLine()
	if known {
		fmt.Fprintln(t.err, "from the ledger")
	}
	result := run.Result
	if err := f.print(t.out, result); err != nil {
		return err
	}
	if f.format == "table" && c.project != "" {
		if grade, _, err := judge.GradeOfProject(c.project, &c.base); err == nil && grade != "" {
			fmt.Fprintf(t.out, "trust grade %s: %s\n", grade, trust.Promise(grade))
		}
	}
	if f.timeline != "" {
		if err := writeTimeline(t, f.timeline, result.Timeline); err != nil {
			return err
		}
	}
	if f.format != "table" {
		for _, w := range result.Warnings {
			fmt.Fprintln(t.err, "warning:", w)
		}
	}
	switch {
	case errors.Is(cmd.Context().Err(), context.Canceled):
		return ended(cmd.Context(), t, "the intervals are of the replications so far")
	case result.Halted != "":
		fmt.Fprintln(t.err, "halted:", result.Halted)
		return &silentError{exitHalted}
	case result.Replications == 0:
		return ended(cmd.Context(), t, "there is no result yet")
	case options.Precision > 0 && !precise(result, options.Precision):
		fmt.Fprintf(t.err, "undecided: the precision of %s was not reached; give more time or replications\n", f.precision)
		return &silentError{exitUndecided}
	}
	return nil
}

// options are the simulation options that the flags say.
func (f *runFlags) options() (simulation.Options, error) {
	o := simulation.Options{Seed: f.seed, Replications: f.reps, MaxReplications: f.maxReps, Workers: f.parallel, BatchMeans: f.batchMeans, ModelAsItIs: f.asItIs, Only: f.only}
	var err error
	if o.Director, err = director(f.director); err != nil {
		return o, err
	}
	if f.timeline != "" {
		if f.spans <= 0 {
			return o, fmt.Errorf("--spans %d: give a number > 0", f.spans)
		}
		o.Timeline = f.spans
	}
	if f.reps < 0 || f.maxReps < 0 || f.parallel < 0 {
		return o, fmt.Errorf("--reps, --max-reps and --parallel take numbers ≥ 0")
	}
	if f.warmup == "none" {
		f.warmup, o.Warmup = "", -1
	}
	for _, n := range []struct {
		flag, text string
		to         *float64
	}{{"precision", f.precision, &o.Precision}, {"confidence", f.confidence, &o.Confidence}, {"duration", f.duration, &o.Duration},
		{"warmup", f.warmup, &o.Warmup}} {
		if n.text == "" {
			continue
		}
		v, err := number(n.text)
		switch {
		case err != nil:
			return o, fmt.Errorf("--%s: %w", n.flag, err)
		case !(v > 0) || math.IsInf(v, 1):
			return o, fmt.Errorf("--%s %s: give a number > 0", n.flag, n.text)
		case n.flag == "confidence" && v >= 1:
			return o, fmt.Errorf("--confidence %s: give a probability below 1, such as 95%%", n.text)
		}
		*n.to = v
	}
	return o, nil
}

// precise reports whether the intervals of mean R and X (or T) are within the
// relative precision asked for.
func precise(r *simulation.Result, precision float64) bool {
	for _, m := range r.Metrics {
		if m.Stat != "mean" || !strings.HasPrefix(m.Of, "class/") && m.Name != "T" || m.Name != "R" && m.Name != "X" && m.Name != "T" {
			continue
		}
		e := m.Estimate
		if half, _ := e.Shares(); e.Mean != 0 && !(half <= precision*math.Abs(e.Mean)*(1+1e-9)) {
			return false
		}
	}
	return true
}

// shown returns the metrics that the flags ask for.
func (f *runFlags) shown(r *simulation.Result) []simulation.Metric {
	if (f.all || len(f.only) > 0) && len(f.metrics) == 0 {
		return r.Metrics
	}
	return slices.DeleteFunc(slices.Clone(r.Metrics), func(m simulation.Metric) bool {
		if len(f.metrics) > 0 {
			return !slices.ContainsFunc(f.metrics, func(key string) bool { return strings.HasPrefix(m.Key(), key) })
		}
		switch {
		case m.Name == "R", m.Name == "T", m.Name == "D" && m.Estimate.Mean > 0, m.Name == "B" && m.Estimate.Mean > 0:
			return false
		case m.Name == "X":
			return !strings.HasPrefix(m.Of, "class/")
		case m.Name == "U":
			return strings.HasPrefix(m.Of, "core/")
		default:
			return true
		}
	})
}

func (f *runFlags) print(w io.Writer, r *simulation.Result) error {
	switch f.format {
	case "json":
		timeless := *r
		timeless.Elapsed, timeless.Busy = 0, 0 // equal commands print equal bytes
		return printJSON(w, &timeless)
	case "csv":
		return f.csv(w, r)
	default:
		return f.table(w, r)
	}
}

func (f *runFlags) csv(w io.Writer, r *simulation.Result) error {
	out := csv.NewWriter(w)
	parameters := slices.Sorted(maps.Keys(r.Configuration))
	row := append(slices.Clone(parameters), "metric", "of", "stat", "value", "lo", "hi", "n", "unit")
	values := make([]string, 0, len(row))
	for _, name := range parameters {
		values = append(values, decimal(r.Configuration[name]))
	}
	if err := out.Write(quantity.Cells(row)); err != nil {
		return err
	}
	metrics := r.Metrics
	if len(f.metrics) > 0 {
		metrics = f.shown(r)
	}
	for _, m := range metrics {
		e := m.Estimate
		row := append(slices.Clone(values), m.Name, m.Of, m.Stat, decimal(e.Mean), decimal(e.Lo), decimal(e.Hi), strconv.Itoa(e.N), m.Unit)
		if err := out.Write(quantity.Cells(row)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func (f *runFlags) table(w io.Writer, r *simulation.Result) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "METRIC\tOF\tSTAT\tVALUE\t")
	var notes []string
	for _, m := range f.shown(r) {
		e := m.Estimate
		marks := ""
		for _, warning := range e.Warnings {
			if !slices.Contains(notes, warning) {
				notes = append(notes, warning)
			}
			marks += fmt.Sprintf("[%d]", slices.Index(notes, warning)+1)
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", metricWords[m.Name], m.Of, m.Stat, quantity.Amount(e.Mean, e.Lo, e.Hi, unitOf(m)), marks)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for i, note := range notes {
		fmt.Fprintf(w, "[%d] %s\n", i+1, note)
	}
	fmt.Fprintln(w)
	if r.Doubt != "" {
		fmt.Fprintln(w, r.Doubt)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintln(w, "warning:", warning)
	}
	confidence := 0.95
	if len(r.Metrics) > 0 {
		confidence = r.Metrics[0].Estimate.Confidence
	}
	method := "replications"
	if r.BatchMeans {
		method = "batches"
	}
	simulated := fmt.Sprintf(" of %s after a warm-up of %s", quantity.Format(r.Duration, "s"), quantity.Format(r.Warmup, "s"))
	if r.Terminating {
		simulated = " from start to end"
	}
	_, err := fmt.Fprintf(w, "%g %% intervals from %d %s%s; %d tasks; seed %d; simulator %s; fingerprint %s\n",
		100*confidence, r.Replications, method, simulated, r.Completions, r.Seed, r.Version, r.Fingerprint)
	return err
}

// unitOf is the unit in which a table shows a metric: shares in per cent.
func unitOf(m simulation.Metric) string {
	if m.Name == "U" || m.Name == "D" {
		return "1"
	}
	return m.Unit
}

// metricWords are the names of metrics in a table, with their symbols.
var metricWords = map[string]string{
	"R": "response time R", "X": "throughput X", "U": "utilization U", "Q": "queue length Q", "W": "wait W", "S": "service time S",
	"N": "number N", "T": "makespan T", "D": "lost D", "E": "execution time E", "V": "visits V", "B": "time in", "H": "hits H",
}
