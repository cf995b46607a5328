package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tierscope/analysis/factor"
	"tierscope/analysis/journal"
	measured "tierscope/analysis/prolong"
	"tierscope/measure/prolong"
	"tierscope/project"
	simulated "tierscope/simulation/prolong"
)

// prolongFlags are the flags of tierctl prolong.
type prolongFlags struct {
	configuration
	program, by, method, out, format string
	delay, touch                     string
	groups                           int
	measured                         string
	only, env                        []string
	levels                           []float64
	repeats, baselines               int
	seed                             uint64
	atEntry, oblique                 bool
	timeout                          time.Duration
	faster                           float64
	lasting
	deadline
}

func newProlong(t *terminal) *cobra.Command {
	var f prolongFlags
	cmd := &cobra.Command{
		Use:   "prolong [MODEL] [--program PACKAGE] [-- ARGS]",
		Short: "Delay one module at a time and see which others become slower: hidden dependencies",
		Long: `Prolong delays modules (functions, files or packages) one at a time and watches how long all
others take. With MODEL it does so in the simulator, in a second or two; with --program it puts
probes into the program, of Go, Java or compiled with pthreads, and measures; with both it compares.

A delay that sleeps shows locks, queues and whatever else is held meanwhile. One that is busy shows
who competes for the cores as well. One that walks through memory, compared with one that is busy, shows
caches and memory bandwidth that modules share. In programs of many modules groups are
delayed first, and those that matter are split.

The matrix says how many ms a module (column) takes longer for each ms put into another (row);
* marks what is significant. Factor analysis groups modules that move together, and dependencies
that no call shows are named with the lock that carries them.`,
		Example: `  tierctl prolong orders.tier
  tierctl prolong --program ./orders -- -orders 250
  tierctl prolong --program java -- -cp classes Bank -accounts 20
  tierctl prolong --program ./tinyhttpd-instrumented -- -threads 4
  tierctl prolong --program ./orders --delay memory -- -orders 250
  tierctl prolong orders.tier --program ./orders --out orders.tier/prolongation.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, t, args)
		},
	}
	f.configuration.flags(cmd)
	f.leaving(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.program, "program", "", "main `PACKAGE` (folder) of a Go program, a jar, java with its arguments after \"--\", or an executable compiled with -finstrument-functions, to measure with probes")
	flags.StringVar(&f.measured, "measured", "", "compare with the measurements in `FILE`, written by --out, instead of measuring")
	flags.StringVar(&f.by, "by", "function", "what a module is: function, file or package")
	flags.StringSliceVar(&f.only, "module", nil, "delay and watch only module `NAME`; repeatable (default: all that are executed often enough)")
	flags.Float64SliceVar(&f.levels, "level", nil, "delays as multiples of the module's own time (default 0.5,1,1.5; 1,2,4 through memory)")
	flags.IntVar(&f.repeats, "repeats", 0, "runs of each level (default 2 measured, 3 through memory or simulated)")
	flags.IntVar(&f.baselines, "baselines", 0, "runs without delay (default 8 measured, 12 simulated)")
	flags.StringVar(&f.delay, "delay", string(measured.Sleep), "what a measured module does while it is delayed: sleep, busy or memory")
	flags.StringVar(&f.touch, "touch", "32MB", "`SIZE` of the memory that --delay memory walks through")
	flags.IntVar(&f.groups, "groups", 0, "modules that are screened together (default: 8 in programs of more than 24 modules; 1: none)")
	flags.BoolVar(&f.atEntry, "at-entry", false, "delay at the entry of a module even where it takes a lock")
	flags.StringVar(&f.method, "method", string(factor.PrincipalAxis), "extraction of factors: principal axis, minimum residual, maximum likelihood")
	flags.BoolVar(&f.oblique, "promax", false, "let factors correlate (default: varimax)")
	flags.StringArrayVar(&f.env, "env", nil, "environment variable of the program: `NAME=VALUE`, repeatable")
	f.flag(cmd)
	flags.Float64Var(&f.faster, "faster", 0, "also predict the gain of cutting the own time of each module by `SHARE`, such as 0.4")
	flags.DurationVar(&f.timeout, "timeout", 5*time.Minute, "longest run of the program")
	flags.Uint64Var(&f.seed, "seed", 0, "of the random numbers and of the order of runs")
	cmd.MarkFlagsMutuallyExclusive("measured", "program")
	flags.StringVarP(&f.out, "out", "o", "", "also write the study to `FILE` (JSON), for the window")
	flags.StringVar(&f.format, "format", "table", "table or json")
	return cmd
}

func (f *prolongFlags) run(cmd *cobra.Command, t *terminal, args []string) error {
	dash := cmd.ArgsLenAtDash()
	models, arguments := args, []string(nil)
	if dash >= 0 {
		models, arguments = args[:dash], args[dash:]
	}
	o := factor.Options{Method: factor.Method(f.method), Oblique: f.oblique}
	switch {
	case len(models) > 1:
		return exit(exitUsage, fmt.Errorf("%d models: give one; arguments of the program follow \"--\"", len(models)))
	case len(models) == 0 && f.program == "":
		return exit(exitUsage, errors.New("prolong what? give a model, --program, or both"))
	case f.faster < 0 || f.faster >= 1:
		return exit(exitUsage, fmt.Errorf("--faster %g: give a share between 0 and 1", f.faster))
	case !slices.Contains([]string{"function", "file", "package"}, f.by):
		return exit(exitUsage, fmt.Errorf("--by %q: give function, file or package", f.by))
	case !slices.Contains([]factor.Method{factor.PrincipalAxis, factor.MinimumResidual, factor.MaximumLikelihood}, o.Method):
		return exit(exitUsage, fmt.Errorf("--method %q: give principal axis, minimum residual or maximum likelihood", f.method))
	}
	if err := checkFormat(f.format, "table", "json"); err != nil {
		return err
	}
	if left, err := f.leaves(t); left || err != nil {
		return err
	}
	stop, err := f.start(cmd)
	if err != nil {
		return err
	}
	defer stop()
	name := f.program
	if len(models) == 1 {
		name = models[0]
	}
	study := prolong.New(filepath.Base(name))
	study.Faster = f.faster
	if len(models) == 1 {
		if err := f.simulate(cmd.Context(), study, models[0], o); err != nil {
			return err
		}
	}
	if f.measured != "" {
		if err := readMeasured(study, f.measured, o); err != nil {
			return exit(exitInput, err)
		}
	}
	if f.program != "" {
		touch, err := memory(f.touch)
		if err != nil {
			return exit(exitUsage, fmt.Errorf("--touch: %w", err))
		}
		plan := measured.Plan{Kind: measured.Kind(f.delay), Touch: touch, Groups: f.groups,
			Program: f.program, Args: arguments, Env: f.env, Granularity: measured.Granularity(f.by), Only: f.only, Levels: f.levels,
			Repeats: f.repeats, Baselines: f.baselines, AtEntry: f.atEntry, Seed: f.seed, Timeout: f.timeout,
			Report: f.tells(t, func(p journal.Progress) string { return fmt.Sprintf("run %d of %d: %s", p.Done, p.Planned, p.Fact) })}
		var told error
		plan.Done = func(*measured.Result) error {
			told = f.tell(t, study)
			return told
		}
		return f.during(cmd.Context(), "runs", func() error {
			err := study.Measure(cmd.Context(), plan, o)
			if told != nil {
				return told
			}
			return exit(exitInput, err)
		})
	}
	return f.tell(t, study)
}

// tell writes the study and prints it.
func (f *prolongFlags) tell(t *terminal, study *prolong.Study) error {
	if f.out != "" {
		var text strings.Builder
		if err := study.Write(&text); err != nil {
			return err
		}
		if err := project.WriteFile(f.out, []byte(text.String())); err != nil {
			return err
		}
	}
	if f.format == "json" {
		return study.Write(t.out)
	}
	return printProlongation(t.out, study)
}

func (f *prolongFlags) simulate(ctx context.Context, study *prolong.Study, path string, o factor.Options) error {
	m, err := loadModel(path)
	if err != nil {
		return err
	}
	settings, err := f.settings(&m)
	if err != nil {
		return err
	}
	options := simulated.Options{Granularity: simulated.Granularity(f.by), Levels: f.levels, Repeats: f.repeats, Baselines: f.baselines,
		Only: f.only, AtEntry: f.atEntry, Seed: f.seed}
	_, err = await(ctx, func() (struct{}, error) { return struct{}{}, study.Simulate(ctx, m, settings, options, o) })
	if ctx.Err() != nil {
		return fmt.Errorf("a study needs all its runs, so that there is no result: %w", ctx.Err())
	}
	return exit(exitInput, err)
}

// readMeasured takes the measured runs of an earlier study.
func readMeasured(study *prolong.Study, path string, o factor.Options) error {
	file, err := project.OpenFile(path)
	if err != nil {
		return err
	}
	defer file.Close()
	before, err := prolong.Read(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if before.Measured == nil {
		return fmt.Errorf("%s: the study has no measured runs", path)
	}
	study.Failed, study.MeasuredTook = before.Failed, before.MeasuredTook
	return study.UseMeasured(before.Measured.Experiment, o)
}

// printProlongation writes a study for people.
func printProlongation(w io.Writer, s *prolong.Study) error {
	for _, side := range []struct {
		name string
		of   *factor.Analysis
		took float64
	}{{"Simulated", s.Simulated, s.SimulatedTook}, {"Measured", s.Measured, s.MeasuredTook}} {
		if side.of == nil {
			continue
		}
		fmt.Fprintf(w, "%s: %d runs, %.3g s\n", side.name, len(side.of.Experiment.Runs), side.took)
		if err := printAnalysis(w, side.of); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if a := s.Agreement; a != nil {
		same := "the same factors"
		if !a.SameFactors {
			same = "other factors"
		}
		if x, y := len(s.Simulated.Groups()), len(s.Measured.Groups()); x != y {
			same += fmt.Sprintf(" if %d are extracted from each (%d simulated and %d measured by parallel analysis)", a.Factors, x, y)
		}
		fmt.Fprintf(w, "Agreement: correlation %.3f of %d sensitivities between different modules, %s\n", a.Correlation, a.Pairs, same)
		if len(a.OnlyOne) > 0 {
			fmt.Fprintf(w, "only one of the two shows %s\n", strings.Join(a.OnlyOne, ", "))
		}
	}
	for _, u := range s.SpeedUps {
		fmt.Fprintf(w, "%s faster by %.0f %%: the whole takes %.1f %% less, a task %.1f %% less\n", u.Module, 100*s.Faster, 100*u.Gain, 100*u.Response)
	}
	for _, line := range s.Skipped {
		fmt.Fprintln(w, "left out,", line)
	}
	for _, line := range s.Failed {
		fmt.Fprintln(w, "failed run:", line)
	}
	return nil
}

func printAnalysis(w io.Writer, a *factor.Analysis) error {
	modules := a.Experiment.Modules
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(out, "ms per ms put into\t")
	for _, m := range modules {
		fmt.Fprintf(out, "%s\t", strings.TrimPrefix(m, "main."))
	}
	fmt.Fprintln(out)
	for i, m := range modules {
		fmt.Fprintf(out, "%s\t", strings.TrimPrefix(m, "main."))
		for j := range modules {
			s, mark := a.Sensitivities[i][j], " "
			if s.Significant {
				mark = "*"
			}
			fmt.Fprintf(out, "%.2f%s\t", s.Slope, mark)
		}
		fmt.Fprintln(out)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\neigenvalues %s; %d factors by parallel analysis, %d by Kaiser\n", numbers(a.Scree.Eigenvalues), a.Scree.Factors, a.Scree.Kaiser)
	if len(a.Loadings) > 0 {
		out = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprint(out, "loadings\t")
		for k := range a.Loadings[0] {
			fmt.Fprintf(out, "F%d (%.0f %%)\t", k+1, 100*a.Explained[k])
		}
		fmt.Fprintln(out)
		for i, m := range modules {
			fmt.Fprintf(out, "%s\t", strings.TrimPrefix(m, "main."))
			for _, l := range a.Loadings[i] {
				if math.Abs(l) < 0.3 {
					fmt.Fprint(out, "·\t")
				} else {
					fmt.Fprintf(out, "%.2f\t", l)
				}
			}
			fmt.Fprintln(out)
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	for _, d := range a.Dependencies {
		kind := "call  "
		if d.Latent {
			kind = "LATENT"
		}
		fmt.Fprintf(w, "%s  %s\n", kind, d.Sentence())
	}
	if len(a.Latent()) == 0 {
		fmt.Fprintln(w, "no latent dependency")
	}
	for _, warning := range a.Warnings {
		fmt.Fprintln(w, "warning:", warning)
	}
	return nil
}

func numbers(values []float64) string {
	var parts []string
	for _, v := range values {
		parts = append(parts, fmt.Sprintf("%.2f", v))
	}
	return strings.Join(parts, " ")
}
