package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tierscope/analysis"
	"tierscope/analysis/consent"
	"tierscope/analysis/pcg"
	"tierscope/analysis/stage"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/analysis/trust"
	"tierscope/cmd/target"
	"tierscope/core"
	"tierscope/judge"
	"tierscope/measure"
	generator "tierscope/measure/load"
	"tierscope/project"
)

// study are the flags of analyze and of its stages.
type study struct {
	out, target, from, dir, scaling string
	format                          string
	prepare, stdin, tags            string
	timeout                         time.Duration
	env, set                        []string
	cores, exit                     int
	threshold                       float64
	checkPasses, quick              bool
	load                            driveFlags
	consent                         consentFlags
}

const analyzeHelp = `analyze runs a program and makes a three-tier model of it, in four stages:

  sample   run it with stack samples: thread groups, library functions
  scan     read its source: locks, queues, I/O, go statements
  trace    run it with probes: what every thread does, in order
  build    make the model

Each stage leaves its files in the project folder; --from takes the analysis up
at a stage. PACKAGE is a main package: a folder, or a path with a version. What
follows "--" are the program's arguments. A Java program (--target java) is a
java command or a jar. An executable file with pthreads (--target native) needs no
source: put "--" before it. A server needs a load (--load-url); a program without
one runs to its end.`

func newAnalyze(t *terminal) *cobra.Command {
	var s study
	cmd := &cobra.Command{
		Use:   "analyze --out P.tier PACKAGE [-- ARGS]",
		Short: "Make a model of a program from one run",
		Long:  analyzeHelp,
		Example: `  tierctl analyze --out mc.tier ./montecarlo -- -workers 2
  tierctl analyze --out doc.tier --load-url http://localhost:8080/ --load-rate 100/s ./docserver
  tierctl analyze --target java --out render.tier -- java -Dthreads=4 -cp classes Render
  tierctl analyze --out gz.tier -- pigz -p 2 -c data.txt
  tierctl analyze --out mc.tier --from trace --set workers=4 --set GOMAXPROCS=2
  tierctl analyze --out mc.tier --from build --threshold 0.05`,
		RunE: func(cmd *cobra.Command, args []string) error {
			first, err := stage.Parse(s.from)
			if err != nil {
				return exit(exitUsage, err)
			}
			return s.run(cmd, t, args, first, stage.Build)
		},
	}
	s.flags(cmd)
	s.formatFlag(cmd)
	cmd.Flags().StringVar(&s.from, "from", string(stage.Sample), "first `STAGE` to run: sample, scan, trace or build; what comes before is taken from the project")
	return cmd
}

const tagsHelp = "build `TAGS` of a Go program, separated by commas"

// withTags adds build tags to an environment, as the go command takes them from there.
func withTags(env map[string]string, tags string) map[string]string {
	if tags == "" {
		return env
	}
	env = maps.Clone(env)
	if env == nil {
		env = map[string]string{}
	}
	env["GOFLAGS"] = strings.TrimSpace(cmp.Or(env["GOFLAGS"], os.Getenv("GOFLAGS")) + " -tags=" + tags)
	return env
}

const exitStatusHelp = "`STATUS` with which a batch program ends when all is well, such as 1 for a linter that finds something"

// newStage returns the subcommand of one stage.
func newStage(t *terminal, which stage.Stage, short string) *cobra.Command {
	var s study
	cmd := &cobra.Command{
		Use:   string(which) + " P.tier | --out P.tier [PACKAGE] [-- ARGS]",
		Short: short,
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.run(cmd, t, args, which, which)
		},
	}
	s.flags(cmd)
	s.formatFlag(cmd)
	return cmd
}

func (s *study) formatFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.format, "format", "table", "table or json: the trust report")
}

func (s *study) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&s.out, "out", "o", "", "project `FOLDER` (name.tier)")
	f.StringVar(&s.target, "target", "", "language of the program: "+strings.Join(slices.Sorted(maps.Keys(target.All())), ", "))
	f.StringVar(&s.dir, "dir", "", "working directory of the program")
	f.StringArrayVar(&s.env, "env", nil, "environment variable of the program: `NAME=VALUE`, repeatable")
	f.StringVar(&s.prepare, "prepare", "", "shell `COMMAND` before every run of the program, such as one that empties a cache; measure runs it too")
	f.StringVar(&s.tags, "tags", "", tagsHelp)
	f.StringVar(&s.stdin, "stdin", "", "`FILE` that every run of the program reads as its standard input")
	f.DurationVar(&s.timeout, "timeout", 0, "stop a batch program after this time and take what it did until then, such as 30s; 0: it has to end by itself")
	f.IntVar(&s.exit, "exit-status", 0, exitStatusHelp)
	f.StringArrayVar(&s.set, "set", nil, "parameter of the program in the run that is watched, as measure gives it: `NAME=VALUE` (workers=4, GOMAXPROCS=2, rate=80), repeatable")
	f.IntVar(&s.cores, "cpus", 0, "CPUs that the program may run on; 0: all")
	f.Float64Var(&s.threshold, "threshold", pcg.DefaultThreshold, "share of CPU time below which a computation is insignificant; negative: keep all")
	f.BoolVar(&s.checkPasses, "check-passes", false, "check what is known of the program after every pass of the build, and that the pass changed nothing else (for reports of wrong models; takes longer)")
	f.BoolVar(&s.quick, "quick", false, "do not run the program with other settings to check the model")
	f.StringVar(&s.scaling, "scaling", "", "when a pool without a queue gets more threads: strong (the work is divided) or weak (each brings its own)")
	s.load.flags(cmd)
	s.consent.flags(cmd)
}

// run makes a study of the flags and runs stages of it.
func (s *study) run(cmd *cobra.Command, t *terminal, args []string, first, last stage.Stage) error {
	if err := checkFormat(s.format, "table", "json"); err != nil {
		return err
	}
	if s.out == "" && len(args) == 1 && strings.HasSuffix(args[0], project.Extension) { // tierctl build P.tier
		s.out, args = args[0], nil
	}
	if s.out == "" {
		return exit(exitUsage, errors.New("which project folder? give --out P.tier"))
	}
	if !strings.HasSuffix(s.out, project.Extension) {
		return exit(exitUsage, fmt.Errorf("--out %s: the name of a project folder ends in %s", s.out, project.Extension))
	}
	w, err := s.workload(args)
	if err != nil {
		return exit(exitUsage, err)
	}
	name := s.target
	if len(args) == 0 {
		if name, w, err = stage.LoadBegun(s.out); err != nil {
			return exit(exitUsage, err)
		}
	}
	before := w
	if w, err = s.setParameters(w, first, last); err != nil {
		return exit(exitUsage, err)
	}
	if name == "" {
		name = target.Guess(w.Program)
	}
	front := target.All()[name]
	if front == nil {
		return exit(exitUsage, fmt.Errorf("--target %s: there is no such front end; there is %s", name, strings.Join(slices.Sorted(maps.Keys(target.All())), ", ")))
	}
	scaling := trail.Scaling(s.scaling)
	if scaling != trail.ScalingAuto && scaling != trail.ScalingStrong && scaling != trail.ScalingWeak {
		return exit(exitUsage, fmt.Errorf("--scaling %s: expected strong or weak", s.scaling))
	}
	st := stage.Study{Dir: s.out, Target: front, Workload: w, Tool: "tierctl " + version,
		Options: trail.Options{Threshold: s.threshold, Scaling: scaling, CheckPasses: s.checkPasses}, Report: progressLines(t)}
	asked := consent.Of(s.out, before, nil)
	switch {
	case len(args) > 0: // what is executed was typed
		typed(t, asked)
	case first != stage.Build:
		if err := s.consent.ask(cmd, t, asked); err != nil {
			return err
		}
	}
	o, err := judge.Study(cmd.Context(), &st, first, last, !s.quick)
	if asked.Given() { // neither a later stage nor measure asks again
		typed(t, consent.Of(s.out, st.Workload, nil))
		if o.Model != nil {
			typed(t, consent.Of(s.out, st.Workload, o.Model))
		}
	}
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return exit(exitInterrupted, fmt.Errorf("interrupted; go on with: tierctl analyze --out %s --from %s", s.out, o.Reached))
		}
		return exit(exitInput, err)
	}
	if o.Report != nil && s.format == "json" {
		return printJSON(t.out, o.Report)
	}
	if o.Report != nil {
		printTrust(t, s.out, o.Report)
	}
	return nil
}

// workload makes the representative run of the flags and arguments.
func (s *study) workload(args []string) (trace.Workload, error) {
	w := trace.Workload{Dir: s.dir, Cores: s.cores, Prepare: s.prepare, Timeout: s.timeout.Seconds(), ExitStatus: s.exit}
	if len(args) > 0 {
		w.Program, w.Args = args[0], args[1:]
	}
	if s.stdin != "" { // the program may be run from elsewhere
		var err error
		if w.Stdin, err = filepath.Abs(s.stdin); err != nil {
			return w, err
		}
		if _, err := os.Stat(w.Stdin); err != nil {
			return w, fmt.Errorf("--stdin: %w", err)
		}
	}
	for _, e := range s.env {
		k, v, ok := strings.Cut(e, "=")
		if !ok {
			return w, fmt.Errorf("--env %s: expected NAME=VALUE", e)
		}
		if w.Env == nil {
			w.Env = map[string]string{}
		}
		w.Env[k] = v
	}
	w.Env = withTags(w.Env, s.tags)
	l, err := s.load.load()
	if err != nil {
		return w, err
	}
	if l != nil {
		if err := generator.Check(*l); err != nil {
			return w, err
		}
	}
	w.Load = l
	return w, nil
}

// setParameters gives the program the values of --set. A project that has a
// model already knows how its parameters are given.
func (s *study) setParameters(w trace.Workload, first, last stage.Stage) (trace.Workload, error) {
	if len(s.set) == 0 {
		return w, nil
	}
	if first == stage.Build || last == stage.Scan {
		return w, errors.New("--set changes the run that is watched: use it with analyze --from sample or trace")
	}
	values, err := settings(s.set)
	if err != nil {
		return w, err
	}
	var known *core.Model
	if m, err := project.LoadModel(s.out); err == nil {
		known = &m
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if w, err = measure.Set(w, known, name, values[name]); err != nil {
			return w, fmt.Errorf("--set %w", err)
		}
	}
	return w, nil
}

// progressLines prints the facts that stages report, one line each.
func progressLines(t *terminal) func(analysis.Progress) {
	return func(p analysis.Progress) {
		if p.Done >= 0 && p.Done < 1 {
			fmt.Fprintf(t.err, "%-6s %3.0f %%  %s\n", p.Stage, 100*p.Done, p.Fact)
			return
		}
		fmt.Fprintf(t.err, "%-6s        %s\n", p.Stage, p.Fact)
	}
}

// printTrust prints the trust report in short.
func printTrust(t *terminal, out string, r *trust.Report) {
	fmt.Fprintf(t.out, "model %s\n", filepath.Join(out, "model", "model.json"))
	for _, g := range r.Groups {
		if g.Modelled {
			fmt.Fprintf(t.out, "  pool %-24s %-14s %s threads, %d code fragments of %d seen\n", g.Name, g.Kind, strconv.Itoa(g.MaxAlive), g.Nodes, g.NaiveNodes)
		}
	}
	trust := r.Trust
	fmt.Fprintf(t.out, "trust %s: %.0f %% of the CPU time explained", trust.Grade, 100*trust.Explained)
	if trust.Overhead != nil {
		fmt.Fprintf(t.out, ", overhead %.1f %%", 100**trust.Overhead)
	}
	fmt.Fprintln(t.out)
	for _, c := range trust.Checks {
		fmt.Fprintln(t.out, "  check", judge.Sentence(c))
	}
	said := map[string]bool{}
	for _, list := range [][]string{trust.Reasons, trust.Assumptions, trust.Suspects, trust.NotModelled, trust.Warnings} {
		for _, line := range list {
			if !said[line] {
				fmt.Fprintln(t.out, "  -", line)
			}
			said[line] = true
		}
	}
}
