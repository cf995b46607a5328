package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tierscope/analysis/capture"
	"tierscope/analysis/java/hotspot"
	"tierscope/analysis/journal"
	"tierscope/analysis/regress"
	"tierscope/project"
)

// captureFlags are the flags of tierctl regress capture.
type captureFlags struct {
	vary, env       []string
	inputs, repeats int
	exit            int
	seed            uint64
	profile         string
	stdin, prepare  string
	timeout         time.Duration
	simulate        bool
	lasting
	regressFlags
}

func newCapture(t *terminal) *cobra.Command {
	var f captureFlags
	cmd := &cobra.Command{
		Use:   "capture PACKAGE --vary FLAG=VALUES … [-- ARGS]",
		Short: "Run a program with many inputs, record variables and behaviours of its threads, and fit them",
		Long: `Capture puts probes into a Go program, or into a Java program (java, with its arguments after "--"), runs it with random inputs, and makes a profile
table: the values of the program's numeric variables when its threads were created, what it was given
(the numbers that --vary drew, by their names, and the sizes of files), and what the threads did.
Then it fits the table, as "tierctl regress TABLE" does. Of an executable file, without source,
variables are what it is given alone, the numbers on its command line among it.

--vary says what is varied: a range (log-uniform), options=1000..100000, or a list, threads=1,2,4,8.
{options} in the arguments after "--", in --env, --stdin or --prepare stands for the value; what stands
nowhere is a flag of the program, given as -options=4321, or a property of a JVM, -Doptions=4321.

A capture that is cut off goes on where it was when the same command is given again ("tierctl status" says how far).`,
		Example: `  tierctl regress capture ./sort --vary lines=1000..1000000 --prepare 'shuf -i 1-{lines} > /tmp/in' --stdin /tmp/in
  tierctl regress capture ./options --vary options=1000..100000 --vary rounds=1..20 --vary threads=1,2,4,8 --profile options.jsonl
  tierctl regress capture java --vary n=1000..100000 --vary threads=1,2,4 -- -cp classes Main
  tierctl regress capture /usr/bin/pigz --vary threads=1,2,4 --vary kib=200..20000 --prepare 'head -c {kib}K data > /tmp/in' -- -p {threads} -kc /tmp/in`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, t, args)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.vary, "vary", nil, "flag of the program with its values: `NAME=LO..HI` or NAME=A,B,C; repeatable")
	flags.IntVar(&f.inputs, "inputs", 40, "number of inputs")
	flags.IntVar(&f.repeats, "repeats", 0, "runs of each input for the clocks, of which the least disturbed counts (default 3, more of short ones)")
	flags.StringArrayVar(&f.env, "env", nil, "environment variable of the program: `NAME=VALUE`, repeatable")
	flags.StringVar(&f.stdin, "stdin", "", "`FILE` that is the standard input of the program")
	flags.StringVar(&f.prepare, "prepare", "", "shell `COMMAND` before every run, such as one that generates an input file")
	flags.BoolVar(&f.simulate, "simulate", false, "also run each input in valgrind, about 50 times slower, for instructions, branches and cache misses where the machine does not count them")
	flags.StringVar(&f.profile, "profile", "", "also write the table to `FILE` (JSON lines)")
	flags.DurationVar(&f.timeout, "timeout", 5*time.Minute, "longest run of the program")
	flags.IntVar(&f.exit, "exit-status", 0, exitStatusHelp)
	f.leaving(cmd)
	f.fitFlags(cmd)
	return cmd
}

func (f *captureFlags) run(cmd *cobra.Command, t *terminal, args []string) error {
	study, at, err := f.study()
	if err != nil {
		return exit(exitUsage, err)
	}
	study.Behaviours = f.behaviours
	inputs, err := f.draw(args[1:], hotspot.Runs(args[0]))
	if err != nil {
		return exit(exitUsage, err)
	}
	if left, err := f.leaves(t); left || err != nil {
		return err
	}
	plan := capture.Plan{Program: args[0], Inputs: inputs, Repeats: f.repeats, Timeout: f.timeout, Simulate: f.simulate, Exit: f.exit,
		Report: f.tells(t, func(p journal.Progress) string { return fmt.Sprintf("input %d of %d: %s", p.Done, p.Planned, p.Fact) })}
	var told error
	plan.Done = func(result *capture.Result) error {
		told = f.tell(cmd.Context(), t, study, at, result, len(inputs))
		return told
	}
	return f.during(cmd.Context(), "inputs", func() error {
		_, err := capture.Run(cmd.Context(), plan)
		if told != nil {
			return told
		}
		return exit(exitInput, err)
	})
}

// tell writes the table, fits it, and prints what came out.
func (f *captureFlags) tell(ctx context.Context, t *terminal, study regress.Study, at map[string]float64, result *capture.Result, inputs int) error {
	if f.profile != "" {
		data, err := capture.WriteProfile(result.Rows)
		if err != nil {
			return err
		}
		if err := project.WriteFile(f.profile, data); err != nil {
			return err
		}
	}
	warnings := append([]string{}, result.Warnings...)
	warnings = append(warnings, leftOut(result.Failed, inputs, f.details)...)
	if f.details {
		for _, d := range result.Dropped {
			warnings = append(warnings, "variable "+d.Name+" dropped: "+d.Reason)
		}
	}
	return f.fit(ctx, t, study, at, result.Rows, warnings)
}

// leftOut says with which inputs the program failed: all of it in detail, or the
// first few with the first line that the program wrote.
func leftOut(failed []string, inputs int, details bool) []string {
	const some = 5
	var out []string
	for i, text := range failed {
		if !details && i == some {
			return append(out, fmt.Sprintf("left out: %d more of %d inputs; --details names them", len(failed)-some, inputs))
		}
		if !details {
			what, output, _ := strings.Cut(text, "\n")
			first, _, _ := strings.Cut(output, "\n")
			text = strings.TrimSpace(what + " " + first)
		}
		out = append(out, "left out: "+text)
	}
	return out
}

// draw makes the inputs: the grid of lists and ranges at random.
func (f *captureFlags) draw(fixed []string, java bool) ([]capture.Input, error) {
	if len(f.vary) == 0 {
		return nil, errors.New("which inputs of the program are to be varied? give --vary NAME=LO..HI")
	}
	if f.inputs < 1 || f.repeats < 0 {
		return nil, errors.New("--inputs must be positive and --repeats not negative")
	}
	random := rand.New(rand.NewPCG(f.seed, 1)) //nolint:gosec // inputs, not secrets
	type maker struct {
		name string
		draw func() string
	}
	var makers []maker
	for _, v := range f.vary {
		name, values, ok := strings.Cut(v, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--vary %q: give NAME=LO..HI or NAME=A,B,C", v)
		}
		draw, err := drawer(values, random)
		if err != nil {
			return nil, fmt.Errorf("--vary %q: %w", v, err)
		}
		makers = append(makers, maker{name, draw})
	}
	flag := "-"
	if java {
		flag = "-D"
	}
	var inputs []capture.Input
	for range f.inputs {
		in := capture.Input{Args: slices.Clone(fixed), Env: slices.Clone(f.env), Stdin: f.stdin, Prepare: f.prepare, Given: map[string]float64{}}
		var given []string
		for _, m := range makers {
			value := m.draw()
			if x, err := strconv.ParseFloat(value, 64); err == nil {
				in.Given[m.name] = x
			}
			if !fill(&in, "{"+strings.TrimLeft(m.name, "-")+"}", value) {
				given = append(given, flag+strings.TrimLeft(m.name, "-")+"="+value)
			}
		}
		in.Args = append(given, in.Args...)
		inputs = append(inputs, in)
	}
	return inputs, nil
}

// fill puts a value wherever its place is in an input, and reports whether there is one.
func fill(in *capture.Input, place, value string) (found bool) {
	put := func(text string) string {
		found = found || strings.Contains(text, place)
		return strings.ReplaceAll(text, place, value)
	}
	for i := range in.Args {
		in.Args[i] = put(in.Args[i])
	}
	for i := range in.Env {
		in.Env[i] = put(in.Env[i])
	}
	in.Stdin, in.Prepare = put(in.Stdin), put(in.Prepare)
	return found
}

// drawer returns what draws from a list, or from a range by logarithms.
func drawer(values string, random *rand.Rand) (func() string, error) {
	lo, hi, isRange := strings.Cut(values, "..")
	if !isRange {
		list := strings.Split(values, ",")
		return func() string { return list[random.IntN(len(list))] }, nil
	}
	a, err1 := strconv.ParseFloat(lo, 64)
	b, err2 := strconv.ParseFloat(hi, 64)
	if err1 != nil || err2 != nil || !(a > 0) || b < a {
		return nil, errors.New("a range goes from a positive number to a larger one")
	}
	return func() string {
		x := a * math.Exp(random.Float64()*math.Log(b/a))
		if a == math.Trunc(a) && b == math.Trunc(b) {
			x = math.Round(x)
		}
		return strconv.FormatFloat(x, 'f', -1, 64)
	}, nil
}
