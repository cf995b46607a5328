package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tierscope/analysis/journal"
	"tierscope/analysis/loops"
	"tierscope/analysis/predictability"
	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/project"
)

func newPredictability(t *terminal) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "predictability",
		Short: "Find between which problem sizes the time of a program can be predicted from smaller ones",
		Long: `Predictability runs a program at small sizes and finds the point of predictability (PoP), below
which a just-in-time compiler takes too much of the time; the cost as a function of the size, of the
order that the loops have; and the point of unpredictability (PoU) of a heap, above which the
collector does. Kept in a project, it warns about scenarios outside.`,
	}
	cmd.AddCommand(newPredictabilityOf(t, predictability.Java), newPredictabilityOf(t, predictability.Go), newPredictabilityShow(t), newPredictabilityCheck(t),
		newBalance(t), newLoops(t))
	return cmd
}

// predictabilityFlags are the flags of tierctl predictability java and go.
type predictabilityFlags struct {
	plan              predictability.Plan
	heaps             []string
	ample, order      string
	project, out      string
	parameter, format string
	recorded          float64
	lasting
}

func newPredictabilityOf(t *terminal, runtime predictability.Runtime) *cobra.Command {
	var f predictabilityFlags
	f.plan.Runtime = runtime
	cmd := &cobra.Command{Args: cobra.MinimumNArgs(1), RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, t, args) }}
	flags := cmd.Flags()
	switch runtime {
	case predictability.Java:
		cmd.Use, cmd.Short = "java -- java [OPTIONS] MAIN ARGS WITH {n}", "PoP, cost and PoU of a Java program on a stock JVM"
		cmd.Long = `The command after -- is that of the JVM, with its options such as the collector, but without
-Xmx: the heap is what is varied. {n} stands for the problem size. Nothing is compiled in: the JVM
is observed through its threads, its log and its attach socket.`
		cmd.Example = `  tierctl predictability java -- java -cp classes Particles {n}
  tierctl predictability java --heap 24MB,48MB --check -- java -XX:+UseSerialGC -cp classes BoxedLu {n}`
		flags.Float64Var(&f.plan.CompileShare, "compile-share", 0.3, "share of CPU time spent compiling from which a size is not predictable")
		flags.Float64Var(&f.plan.Deviation, "plateau", 75, "standard deviation of the number of compiled methods that five sizes may have")
	case predictability.Go:
		cmd.Use, cmd.Short = "go PACKAGE -- ARGS WITH {n}", "Cost and PoU (GOMEMLIMIT) of a Go program"
		cmd.Long = `A Go program is compiled before it runs: there is no point of predictability. The heap is
GOMEMLIMIT. {n} in the arguments stands for the problem size.`
		cmd.Example = `  tierctl predictability go ./boxedlu --heap 16MB -- {n}`
	}
	flags.StringSliceVar(&f.heaps, "heap", nil, "find the PoU of a heap of `SIZE`, such as 24MB; repeatable, the first is what the program runs with")
	flags.StringVar(&f.ample, "ample", "", "`SIZE` of a heap that is no limit (default 4GB, or half of the machine)")
	flags.Float64Var(&f.plan.Slowdown, "slowdown", 1.5, "CPU time against that in the ample heap, from which a heap is too small")
	flags.IntVar(&f.plan.From, "from", 16, "smallest size")
	flags.IntVar(&f.plan.To, "to", 0, "largest size (default: as --longest says)")
	flags.DurationVar(&f.plan.Longest, "longest", 10*time.Second, "CPU time that a run in the ample heap may take")
	flags.IntVar(&f.plan.Repeats, "repeats", 5, "runs of each size; the median of their CPU times counts")
	flags.StringVar(&f.order, "order", "", "complexity, such as n^3 (default: that of the loops, or what fits)")
	flags.BoolVar(&f.plan.Check, "check", false, "also run what was predicted: larger sizes, and where each heap really becomes too small")
	flags.DurationVar(&f.plan.CheckTime, "check-time", 2*time.Minute, "longest measurement of one heap for --check; what is known by then is kept")
	flags.StringArrayVar(&f.plan.Env, "env", nil, "environment variable of the program: `NAME=VALUE`, repeatable")
	flags.StringVar(&f.project, "project", "", "keep the study in the project `FOLDER`, for the window and for warnings")
	flags.StringVar(&f.parameter, "parameter", "", "`NAME` of the parameter of the project's model that is the problem size")
	flags.Float64Var(&f.recorded, "recorded", 0, "problem size at which the project's model was recorded")
	flags.StringVarP(&f.out, "out", "o", "", "also write the study to `FILE` (JSON)")
	flags.StringVar(&f.format, "format", "table", "table or json")
	f.leaving(cmd)
	return cmd
}

func (f *predictabilityFlags) run(cmd *cobra.Command, t *terminal, args []string) error {
	if err := checkFormat(f.format, "table", "json"); err != nil {
		return err
	}
	var err error
	f.plan.Command = args
	if f.plan.Heaps, err = memories(f.heaps); err != nil {
		return exit(exitUsage, fmt.Errorf("--heap: %w", err))
	}
	if f.ample != "" {
		if f.plan.Ample, err = memory(f.ample); err != nil {
			return exit(exitUsage, fmt.Errorf("--ample: %w", err))
		}
	}
	if f.order != "" {
		if f.plan.Order, err = loops.ParseOrder(f.order); err != nil {
			return exit(exitUsage, fmt.Errorf("--order: %w", err))
		}
	}
	var home *project.Project
	if f.project != "" {
		if home, err = f.home(); err != nil {
			return exit(exitInput, err)
		}
	}
	if left, err := f.leaves(t); left || err != nil {
		return err
	}
	f.plan.Report = f.tells(t, func(p journal.Progress) string { return p.Fact })
	var told error
	f.plan.Done = func(study *predictability.Study) error {
		told = f.tell(t, study, home)
		return told
	}
	return f.during(cmd.Context(), "runs", func() error {
		_, err := predictability.Find(cmd.Context(), f.plan)
		if told != nil || cmd.Context().Err() != nil {
			return cmp.Or(told, err)
		}
		return exit(exitInput, err)
	})
}

// tell saves the study where it is wanted and prints it.
func (f *predictabilityFlags) tell(t *terminal, study *predictability.Study, home *project.Project) error {
	study.Parameter, study.Recorded = f.parameter, f.recorded
	if home != nil {
		if err := home.Save(predictability.Format, study, predictability.File); err != nil {
			return err
		}
	}
	if f.out != "" {
		if err := project.Save(f.out, predictability.Format, study); err != nil {
			return err
		}
	}
	if f.format == "json" {
		return printJSON(t.out, study)
	}
	return printPredictability(t.out, study)
}

// home opens the project and checks the name of the parameter before anything
// runs.
func (f *predictabilityFlags) home() (*project.Project, error) {
	p, err := project.Open(f.project)
	if err != nil {
		return nil, err
	}
	if err := p.Writable(); err != nil {
		return nil, err
	}
	if f.parameter == "" {
		return p, nil
	}
	m, err := p.Model()
	if err != nil {
		return nil, err
	}
	if _, ok := m.Parameter(f.parameter); !ok {
		return nil, fmt.Errorf("--parameter: the model has no parameter %q; it has %v", f.parameter, m.ParameterNames())
	}
	return p, nil
}

// memory reads a size of memory in bytes, such as 24MB; a megabyte is 2²⁰ bytes,
// as JVM and Go have it.
func memory(text string) (int64, error) {
	units := []struct {
		suffix string
		bytes  float64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}, {"g", 1 << 30}, {"m", 1 << 20}, {"k", 1 << 10}}
	for _, u := range units {
		var v float64
		var rest string
		if n, _ := fmt.Sscanf(text, "%g%s", &v, &rest); n == 2 && rest == u.suffix && v > 0 {
			return int64(math.Round(v * u.bytes)), nil
		}
	}
	return 0, fmt.Errorf("%q: give a size of memory, such as 24MB or 1GB", text)
}

func memories(texts []string) (list []int64, err error) {
	for _, text := range texts {
		h, err := memory(text)
		if err != nil {
			return nil, err
		}
		list = append(list, h)
	}
	return list, nil
}

func newPredictabilityCheck(t *terminal) *cobra.Command {
	var heaps []string
	var limit time.Duration
	var format string
	cmd := &cobra.Command{
		Use:   "check PROJECT|FILE",
		Short: "Measure the points of unpredictability that a study predicts",
		Long: `Check runs the program of a study in its heaps, and in the ample one, at sizes around each
predicted point of unpredictability, until it is known on which side of the threshold they are. The
result is kept in the study. A measurement that takes too long ends with what is known by then.`,
		Example: `  tierctl predictability check study.json --heap 24MB --time 100s`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(format, "table", "json"); err != nil {
				return err
			}
			wanted, err := memories(heaps)
			if err != nil {
				return exit(exitUsage, fmt.Errorf("--heap: %w", err))
			}
			study, save, err := openStudy(args[0])
			if err != nil {
				return exit(exitInput, err)
			}
			report := func(p journal.Progress) { fmt.Fprintln(t.err, p.Fact) }
			if err := predictability.CheckHeaps(cmd.Context(), study, wanted, limit, report); err != nil {
				if cmd.Context().Err() != nil {
					return err
				}
				return exit(exitInput, err)
			}
			if err := save(); err != nil {
				return err
			}
			if format == "json" {
				return printJSON(t.out, study)
			}
			return printPredictability(t.out, study)
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "table or json")
	cmd.Flags().StringSliceVar(&heaps, "heap", nil, "measure the heap of `SIZE` only; repeatable")
	cmd.Flags().DurationVar(&limit, "time", 2*time.Minute, "longest measurement of one heap")
	return cmd
}

func newPredictabilityShow(t *terminal) *cobra.Command {
	var at []float64
	var heaps []string
	var format string
	cmd := &cobra.Command{
		Use:     "show PROJECT|FILE",
		Short:   "Print a study again, or what it says of a size: its time, and the heap that it needs",
		Example: `  tierctl predictability show study.json --at 5000 --at 20000 --heap 64MB`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat(format, "table", "json"); err != nil {
				return err
			}
			study, err := readStudy(args[0])
			if err != nil {
				return exit(exitInput, err)
			}
			of, err := memories(heaps)
			if err != nil {
				return exit(exitUsage, fmt.Errorf("--heap: %w", err))
			}
			if len(at) == 0 && format == "json" {
				return printJSON(t.out, study)
			}
			if len(at) == 0 {
				return printPredictability(t.out, study)
			}
			if len(of) == 0 {
				of = []int64{0}
			}
			if format == "json" {
				return printJSON(t.out, saidOf(study, at, of))
			}
			for _, n := range at {
				fmt.Fprintf(t.out, "size %.6g: %s of CPU time in an ample heap", n, quantity.Format(study.At(n), "s"))
				if h := study.HeapFor(n); h > 0 {
					fmt.Fprintf(t.out, "; live %s; a heap of %s is enough", predictability.Megabytes(int64(study.Base.At(n))), predictability.Megabytes(h))
				}
				fmt.Fprintln(t.out)
				for _, heap := range of {
					if why := study.Outside(n, heap); why != "" {
						fmt.Fprintln(t.out, "  not predictable:", why)
					}
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "table or json")
	cmd.Flags().Float64SliceVar(&at, "at", nil, "say of `SIZE` how long it takes and what heap it needs; repeatable")
	cmd.Flags().StringSliceVar(&heaps, "heap", nil, "in a heap of `SIZE` (default: the first of the study); repeatable")
	return cmd
}

// saidOfSize is what a study says of one size.
type saidOfSize struct {
	Size    float64           `json:"size"`
	CPU     float64           `json:"cpu_s"`           // in an ample heap
	Heap    int64             `json:"heap_bytes"`      // that is enough; 0: not known
	Outside map[string]string `json:"not_predictable"` // why, by heap
}

func saidOf(study *predictability.Study, at []float64, heaps []int64) (all []saidOfSize) {
	for _, n := range at {
		said := saidOfSize{Size: n, CPU: study.At(n), Heap: study.HeapFor(n), Outside: map[string]string{}}
		for _, heap := range heaps {
			if why := study.Outside(n, heap); why != "" {
				said.Outside[predictability.Megabytes(heap)] = why
			}
		}
		all = append(all, said)
	}
	return all
}

// readStudy reads a study from a project or from a file of its own.
func readStudy(path string) (*predictability.Study, error) {
	study, _, err := openStudy(path)
	return study, err
}

// openStudy reads a study and returns how to keep it again.
func openStudy(path string) (study *predictability.Study, save func() error, err error) {
	study = &predictability.Study{}
	if p, err := project.Open(path); err == nil {
		return study, func() error { return p.Save(predictability.Format, study, predictability.File) }, p.Load(predictability.Format, study, predictability.File)
	}
	return study, func() error { return project.Save(path, predictability.Format, study) }, project.Load(path, predictability.Format, study)
}

// warnOutside prints a warning if the project has a study of predictability and
// configurations lie outside.
func warnOutside(t *terminal, home string, m *core.Model, settings ...map[string]float64) {
	warnOutsideAmong(t, home, m, slices.Values(settings))
}

func warnOutsideAmong(t *terminal, home string, m *core.Model, settings iter.Seq[map[string]float64]) {
	if home == "" {
		return
	}
	study, err := readStudy(home)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintln(t.err, "warning: the study of predictability was not read:", err)
		}
		return
	}
	if why := study.OutsideAmong(m, settings); why != "" {
		fmt.Fprintln(t.err, "warning: not predictable:", why)
	}
}

// printPredictability writes a study for people.
func printPredictability(w io.Writer, s *predictability.Study) error {
	if s.PoP != nil {
		fmt.Fprintf(w, "PoP   size %.6g (size %.6g is below): compilation takes less than %.0f %% of the CPU time; compiled methods ±%.3g over the calibration\n",
			s.PoP.Size, s.PoP.Lower, 100*s.PoP.Threshold, s.PoP.Deviation)
	} else {
		fmt.Fprintln(w, "PoP   none: nothing is compiled while the program runs")
	}
	fmt.Fprintf(w, "cost  %s s of CPU time; the order is by %s; misses its calibration by %s\n", s.Formula(), s.OrderBy, quantity.Share(s.Cost.Error))
	if mean, n := s.CheckError(); n > 0 {
		fmt.Fprintf(w, "      misses %d larger sizes, not used to fit it, by %s on average\n", n, quantity.Share(mean))
	}
	if f := s.Surface; f != nil {
		fmt.Fprintf(w, "live  L = %s bytes; collector/program in a heap of H bytes = %.3g·(L/(H−%.3g−%.3g·L))^%.2f·n^%.2f; misses the PoU of the largest sizes in it by %s\n",
			s.Base, math.Exp(f.A), f.Reserve, 1+f.ReserveShare, f.B, f.C, quantity.Share(f.Error))
	}
	if t := s.Thresholds; t != nil {
		fmt.Fprintf(w, "heap  needed H = %.3g·n^%.2f bytes; misses the PoU of the largest sizes in it by %s\n", math.Exp(t.A), t.B, quantity.Share(t.Error))
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(s.PoU) > 0 {
		fmt.Fprintf(out, "\nheap\tPoU (slow-down %.3g)\tinterval\texhausted at\tmeasured\terror\tby the peak footprint (paper)\n", s.Slowdown)
		for _, p := range s.PoU {
			missed := ""
			if at, ok := p.Measured(); ok {
				missed = quantity.Change(p.Size/at - 1)
			}
			paper := "–"
			if pou, maxMem, ok := s.ByFootprint(p.Heap); ok {
				paper = fmt.Sprintf("%.4g, MaxMem %.4g", pou, maxMem)
			}
			fmt.Fprintf(out, "%s\t%.4g\t%.4g…%.4g\t%.4g\t%s\t%s\t%s\n", predictability.Megabytes(p.Heap), p.Size, p.Lower, p.Upper, p.Exhausted, p.MeasuredText(), missed, paper)
		}
	}
	fmt.Fprintln(out, "\nsize\tfor\tCPU time\tpredicted\terror\tcompiling\tcollecting\tcompiled\t")
	for _, p := range s.Points {
		predicted := s.At(float64(p.Size))
		fmt.Fprintf(out, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t\n", p.Size, p.Role, quantity.Format(p.CPU, "s"), quantity.Format(predicted, "s"), quantity.Change(predicted/p.CPU-1),
			quantity.Share(p.Share), quantity.Share(p.Collect/p.CPU), p.Compiled)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for _, warning := range s.Warnings {
		fmt.Fprintln(w, "warning:", warning)
	}
	return nil
}
