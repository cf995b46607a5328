package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tierscope/analysis/capture"
	"tierscope/project"
)

// captureFlags are the flags of tierctl regress capture.
type captureFlags struct {
	vary, env       []string
	inputs, repeats int
	seed            uint64
	profile         string
	timeout         time.Duration
	regressFlags
}

func newCapture(t *terminal) *cobra.Command {
	var f captureFlags
	cmd := &cobra.Command{
		Use:   "capture PACKAGE --vary FLAG=VALUES … [-- ARGS]",
		Short: "Run a Go program with many inputs, record variables and behaviours of its threads, and fit them",
		Long: `Capture builds a Go program with probes, runs it with random inputs, and makes a profile
table: the values of the program's numeric variables when its threads were created, and what the
threads did. Then it fits the table, as "tierctl regress TABLE" does.

--vary says which flags of the program are inputs: a range (log-uniform), options=1000..100000, or
a list, threads=1,2,4,8. The flags are given as -options=4321; what follows "--" is given as it is.`,
		Example: `  tierctl regress capture ./options --vary options=1000..100000 --vary rounds=1..20 --vary threads=1,2,4,8 --profile options.jsonl`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, t, args)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.vary, "vary", nil, "flag of the program with its values: `NAME=LO..HI` or NAME=A,B,C; repeatable")
	flags.IntVar(&f.inputs, "inputs", 40, "number of inputs")
	flags.IntVar(&f.repeats, "repeats", 0, "runs of each input for the clocks, of which the least disturbed counts (default 3, more of short ones)")
	flags.StringArrayVar(&f.env, "env", nil, "environment variable of the program: `NAME=VALUE`, repeatable")
	flags.StringVar(&f.profile, "profile", "", "also write the table to `FILE` (JSON lines)")
	flags.DurationVar(&f.timeout, "timeout", 5*time.Minute, "longest run of the program")
	f.fitFlags(cmd)
	return cmd
}

func (f *captureFlags) run(cmd *cobra.Command, t *terminal, args []string) error {
	study, at, err := f.study()
	if err != nil {
		return exit(exitUsage, err)
	}
	study.Behaviours = f.behaviours
	inputs, err := f.draw(args[1:])
	if err != nil {
		return exit(exitUsage, err)
	}
	plan := capture.Plan{Program: args[0], Inputs: inputs, Env: f.env, Repeats: f.repeats, Timeout: f.timeout,
		Report: func(done, of int, fact string) { fmt.Fprintf(t.err, "input %d of %d: %s\n", done, of, fact) }}
	result, err := capture.Run(cmd.Context(), plan)
	if err != nil {
		return exit(exitInput, err)
	}
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
	warnings = append(warnings, leftOut(result.Failed, len(inputs), f.details)...)
	if f.details {
		for _, d := range result.Dropped {
			warnings = append(warnings, "variable "+d.Name+" dropped: "+d.Reason)
		}
	}
	return f.fit(cmd.Context(), t, study, at, result.Rows, warnings)
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
func (f *captureFlags) draw(fixed []string) ([][]string, error) {
	if len(f.vary) == 0 {
		return nil, errors.New("which flags of the program are inputs? give --vary NAME=LO..HI")
	}
	if f.inputs < 1 || f.repeats < 0 {
		return nil, errors.New("--inputs must be positive and --repeats not negative")
	}
	random := rand.New(rand.NewPCG(f.seed, 1)) //nolint:gosec // inputs, not secrets
	var makers []func() string
	for _, v := range f.vary {
		name, values, ok := strings.Cut(v, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--vary %q: give NAME=LO..HI or NAME=A,B,C", v)
		}
		prefix := "-" + strings.TrimLeft(name, "-") + "="
		lo, hi, isRange := strings.Cut(values, "..")
		if !isRange {
			list := strings.Split(values, ",")
			makers = append(makers, func() string { return prefix + list[random.IntN(len(list))] })
			continue
		}
		a, err1 := strconv.ParseFloat(lo, 64)
		b, err2 := strconv.ParseFloat(hi, 64)
		if err1 != nil || err2 != nil || !(a > 0) || b < a {
			return nil, fmt.Errorf("--vary %q: a range goes from a positive number to a larger one", v)
		}
		makers = append(makers, func() string {
			x := a * math.Exp(random.Float64()*math.Log(b/a))
			if a == math.Trunc(a) && b == math.Trunc(b) {
				x = math.Round(x)
			}
			return prefix + strconv.FormatFloat(x, 'g', -1, 64)
		})
	}
	var inputs [][]string
	for range f.inputs {
		var args []string
		for _, m := range makers {
			args = append(args, m())
		}
		inputs = append(inputs, append(args, fixed...))
	}
	return inputs, nil
}
