package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tierscope/core"
	"tierscope/project"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// sweepFlags are the flags of tierctl sweep; those that say what to simulate
// override the experiment's file.
type sweepFlags struct {
	configuration
	axes, constraints     []string
	metrics, only         []string
	asItIs                bool
	seed                  uint64
	reps, maxReps         int
	precision, confidence string
	duration, warmup      string
	ledger, format, save  string
	parallel              int
	resume, dryRun        bool
	shard, emit, image    string
	shards                int
	deadline
	lasting
}

func newSweep(t *terminal) *cobra.Command {
	var f sweepFlags
	cmd := &cobra.Command{
		Use:   "sweep EXPERIMENT | MODEL --axis NAME=VALUES …",
		Short: "Simulate a model in many configurations",
		Long: `Sweep simulates a model in every configuration of a grid: that of an experiment
file, or of the axes given with --axis. All configurations run on the same
random numbers, in parallel; the answer does not depend on the number of workers.

Every result goes to the append-only ledger of the project (runs/ledger.d), and
what is there already is not simulated again: an interrupted sweep resumes. For a model
outside a project, --resume keeps the ledger in ./runs/ledger.d and --ledger anywhere.

The exit code is 4 when --precision was not reached everywhere, 6 when the trust report of
the project advises against predictions.`,
		Example: `  tierctl sweep shop.tier/experiments/grid.json --parallel 6
  tierctl sweep model.json --axis workers=1,2,4,8 --axis rate=10..130/10 --where 'workers >= 2' --resume
  tierctl sweep shop.tier --axis workers=1..50 --axis cores=1..10 --axis rate=10..200:2000 --only R --only 'X class' --emit slurm --shards 64 > sweep.sh
  tierctl sweep model.json --axis rate=1..1000:20log --precision 5% --format csv > grid.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.sweep(cmd, t, args)
		},
	}
	f.configuration.flags(cmd)
	f.lasting.flags(cmd)
	f.forceFlag(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.axes, "axis", nil, "values of a parameter or path: `NAME=1,2,4`, NAME=10..130/10 (step), NAME=1..1000:7 (points) or :7log; repeatable")
	flags.StringArrayVar(&f.constraints, "where", nil, "leave out points for which `EXPRESSION` does not hold, such as 'workers >= cores'; repeatable")
	flags.StringArrayVar(&f.metrics, "metric", nil, "`KEY` of a metric to show in the table, such as 'R class/task p99'; repeatable")
	asItIsFlag(cmd, &f.asItIs)
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the random numbers")
	flags.IntVar(&f.reps, "reps", 0, "replications per configuration (default 10)")
	flags.IntVar(&f.maxReps, "max-reps", 0, "replications at most with --precision (default 10 × --reps)")
	flags.StringVar(&f.precision, "precision", "", "simulate each configuration until its intervals are ± `P`, such as 5%")
	flags.StringVar(&f.confidence, "confidence", "", "of all intervals (default 95%)")
	flags.StringVar(&f.duration, "duration", "", "simulated time per replication (default automatic)")
	flags.StringVar(&f.warmup, "warmup", "", "simulated time cut off, or none (default automatic)")
	parallelFlag(cmd, &f.parallel)
	flags.IntVar(&f.parallel, "workers", 0, "the same as --parallel; the axes set the parameters of the model")
	onlyFlag(cmd, &f.only)
	flags.StringVar(&f.ledger, "ledger", "", "`FOLDER` of the ledger (default: the project's)")
	flags.BoolVar(&f.resume, "resume", false, "keep a ledger in ./runs if there is no project, and go on where it stopped")
	flags.StringVar(&f.shard, "shard", "", "simulate only part `I/N` of the runs, into the ledger; the same command without --shard gathers all parts")
	flags.StringVar(&f.emit, "emit", "", "print what makes an engine run all parts: slurm, kubernetes or parallel")
	flags.IntVar(&f.shards, "shards", 8, "parts of --emit")
	flags.StringVar(&f.image, "image", "tierscope", "container image of --emit kubernetes, with tierctl on its PATH")
	f.flag(cmd)
	flags.BoolVar(&f.dryRun, "dry-run", false, "print the plan and what it costs, of which a few runs tell at most; keep nothing")
	flags.StringVar(&f.format, "format", "table", "table, csv (long: one row per run and metric) or json")
	flags.StringVar(&f.save, "save", "", "write the experiment to `FILE`, for next time")
	return cmd
}

// onlyFlag is what is kept of results; the rest is not even computed.
func onlyFlag(cmd *cobra.Command, only *[]string) {
	cmd.Flags().StringSliceVar(only, "only", nil, "keep and print only metrics whose key begins with `KEY`, such as R, 'X class' or R,X; repeatable. The ledger takes a kilobyte a run then")
}

func (f *sweepFlags) sweep(cmd *cobra.Command, t *terminal, args []string) error {
	if err := checkFormat(f.format, "table", "csv", "json"); err != nil {
		return err
	}
	part, err := f.part()
	if err != nil {
		return err
	}
	stop, err := f.start(cmd)
	if err != nil {
		return err
	}
	defer stop()
	e, model, home, err := f.load(cmd, args[0])
	if err != nil {
		return err
	}
	if f.save != "" {
		var b bytes.Buffer
		if err := experiment.Encode(&b, e); err != nil {
			return err
		}
		if err := project.WriteFile(f.save, b.Bytes()); err != nil {
			return err
		}
	}
	r := experiment.Runner{Model: model, Pool: simulation.NewPool(f.parallel), Simulate: simulation.Run}
	if r.Ledger, err = f.openLedger(t, home); err != nil {
		return err
	}
	defer closeLedger(r.Ledger)
	if f.shard != "" && r.Ledger == nil {
		return exit(exitUsage, errors.New("--shard: give --ledger, or a model of a project: the ledger is where shards come together"))
	}
	w, err := f.plan(cmd, t, &r, e, part)
	if cmd.Context().Err() != nil {
		return ended(cmd.Context(), t, kept(r.Ledger != nil))
	}
	if err != nil {
		if len(f.axes) > 0 {
			return exit(exitUsage, err)
		}
		return exit(exitInput, err)
	}
	sentence := w.sentence
	if f.shard != "" && f.emit == "" {
		sentence = "shard " + f.shard + ": " + sentence
	}
	fmt.Fprintln(t.err, sentence)
	warnOutsideAmong(t, home, &model, w.settings)
	if f.emit != "" {
		return f.printScript(cmd, t.out, args, w.sentence)
	}
	if f.dryRun {
		return nil
	}
	if err := f.applicable(home); err != nil {
		return err
	}
	if left, err := f.leaves(t); left || err != nil {
		return err
	}
	return f.during(cmd.Context(), "configurations", func() error { return f.simulate(cmd.Context(), t, &r, w, e.Precision) })
}

// simulate runs what is planned and judges it.
func (f *sweepFlags) simulate(ctx context.Context, t *terminal, r *experiment.Runner, w *sweeping, precision float64) error {
	said := sweepProgress(t)
	r.Patience, r.Waits = f.patience, f.waits(t)
	r.Progress = func(p experiment.Progress) {
		f.log.Report(p.Done, p.Points, p.Remaining)
		said(p)
	}
	v := verdict{precision: precision}
	if err := w.run(ctx, &v); err != nil && ctx.Err() == nil {
		return err
	}
	if err := ended(ctx, t, kept(r.Ledger != nil)); err != nil || f.shard != "" {
		return err // what shards found is printed when all have come together
	}
	return v.exit(t)
}

// part is the shard that the flags ask for.
func (f *sweepFlags) part() (experiment.Shard, error) {
	if f.shards < 1 {
		return experiment.Shard{}, exit(exitUsage, fmt.Errorf("--shards %d: give a number > 0", f.shards))
	}
	if f.shard == "" {
		return experiment.Shard{}, nil
	}
	s, err := experiment.ParseShard(f.shard)
	return s, exit(exitUsage, err)
}

func kept(ledger bool) string {
	if ledger {
		return "what was finished is in the ledger; the same command goes on from there"
	}
	return "nothing was kept; --resume keeps a ledger"
}

// load reads the experiment, or makes it from the flags, and the model. home
// is the project that the model belongs to, "" if none.
func (f *sweepFlags) load(cmd *cobra.Command, path string) (e experiment.Experiment, m core.Model, home string, err error) {
	modelPath := path
	if len(f.axes) == 0 {
		data, err := project.ReadFile(path)
		if err != nil {
			return e, m, "", exit(exitInput, fmt.Errorf("%w; give an experiment file, or a model with --axis", err))
		}
		if _, notModel := core.DecodeUnchecked(bytes.NewReader(data)); notModel == nil {
			return e, m, "", exit(exitUsage, fmt.Errorf("%s is a model; say what to vary with --axis, such as --axis workers=1,2,4", path))
		}
		if e, err = experiment.Decode(bytes.NewReader(data)); err != nil {
			return e, m, "", exit(exitInput, fmt.Errorf("%s: %w", path, err))
		}
		if e.Name == "" {
			e.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		}
		modelPath = modelOf(path, e)
	}
	if m, err = loadModel(modelPath); err != nil {
		return e, m, "", err
	}
	home = projectOf(modelPath)
	return e, m, home, f.override(cmd, &e, &m, home)
}

// modelOf returns the path of the model of an experiment: the one it names, or
// the project that it lies in.
func modelOf(path string, e experiment.Experiment) string {
	dir := filepath.Dir(path)
	switch {
	case e.Model == "":
		return filepath.Dir(dir) // of project.tier/experiments
	case filepath.IsAbs(e.Model):
		return e.Model
	default:
		return filepath.Join(dir, e.Model)
	}
}

// override puts what the flags say over the experiment, and makes m the model
// of the scenario.
func (f *sweepFlags) override(cmd *cobra.Command, e *experiment.Experiment, m *core.Model, home string) error {
	usage := func(flag string, err error) error { return exit(exitUsage, fmt.Errorf("--%s: %w", flag, err)) }
	c, err := f.choose(*m, home)
	if err != nil {
		return err
	}
	*m = c.model
	if e.Settings == nil {
		e.Settings = map[string]float64{}
	}
	maps.Copy(e.Settings, c.settings)
	for _, text := range f.axes {
		a, err := experiment.ParseAxis(text)
		if err != nil {
			return exit(exitUsage, err)
		}
		a.Parameter = knobOf(m, a.Parameter)
		e.Axes = append(e.Axes, a)
	}
	for _, text := range f.constraints {
		if _, err := experiment.Parse(text); err != nil {
			return usage("where", err)
		}
		e.Constraints = append(e.Constraints, text)
	}
	e.Metrics, e.Only = append(e.Metrics, f.metrics...), append(e.Only, f.only...)
	changed := cmd.Flags().Changed
	if changed("seed") {
		e.Seed = f.seed
	}
	e.ModelAsItIs = e.ModelAsItIs || f.asItIs
	if changed("reps") {
		e.Replications = f.reps
	}
	if changed("max-reps") {
		e.MaxReplications = f.maxReps
	}
	warmup := f.warmup // the flag itself stays as it was given, for --emit
	if warmup == "none" {
		warmup, e.Warmup = "", -1
	}
	for _, n := range []struct {
		flag, text string
		to         *float64
	}{{"precision", f.precision, &e.Precision}, {"confidence", f.confidence, &e.Confidence}, {"duration", f.duration, &e.Duration}, {"warmup", warmup, &e.Warmup}} {
		if n.text == "" {
			continue
		}
		if *n.to, err = number(n.text); err != nil {
			return usage(n.flag, err)
		}
	}
	return exit(exitUsage, e.Validate())
}

// openLedger opens the ledger that the results are kept in: the one that the
// flags name, or the project's; nil if there is neither.
func (f *sweepFlags) openLedger(t *terminal, home string) (*experiment.Ledger, error) {
	switch {
	case f.ledger != "":
		return openLedgerFile(t, f.ledger)
	case home == "" && f.resume:
		return openLedgerFile(t, filepath.Join("runs", "ledger.d"))
	default:
		return openLedger(t, home)
	}
}
