package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tierscope/analysis/loops"
	"tierscope/core/quantity"
)

// loopFlags are the flags of tierctl predictability loops.
type loopFlags struct {
	sizes   []int
	vary    []string
	env     []string
	at      []int
	timeout time.Duration
	all     bool
	format  string
}

func newLoops(t *terminal) *cobra.Command {
	var f loopFlags
	cmd := &cobra.Command{
		Use:   "loops PACKAGE|java -- ARGS WITH {n}",
		Short: "Find how the work of a Go or Java program grows with the problem size, loop by loop",
		Long: `Loops counts the iterations of every loop of a Go program, or of the classes that a Java
program loads beside those of the JDK, at a few small sizes, separately for each chain of call sites
that leads to it, and finds the complexity: the lowest order that fits about as well as the best, among
logarithms (also integer ones), roots, powers, their products and exponentials. Two larger sizes, which
no model is fitted to, tell orders apart and confirm: where the larger of them is missed by more than
5 %, no order fits, and nothing is predicted.

{n} in the arguments stands for the size. "not taken" is how often the condition ended the loop.`,
		Example: `  tierctl predictability loops ./multiply -- -n {n}
  tierctl predictability loops java -- -cp classes BoxedLu {n}
  tierctl predictability loops ./matrix --size 8,16,24,32,48 --vary m=8,16,24,32,48 -- -rows {n} -columns {m}
  tierctl predictability loops ./sort --size 16,32,48,64,80,96 --at 100000 -- {n}`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, t, args)
		},
	}
	flags := cmd.Flags()
	flags.IntSliceVar(&f.sizes, "size", []int{16, 32, 48, 64, 80, 96}, "problem sizes to run, at least 5")
	flags.StringArrayVar(&f.vary, "vary", nil, "another size that the loops depend on: `NAME=A,B,C,D,E` ({NAME} in the arguments stands for it); repeatable")
	flags.IntSliceVar(&f.at, "at", nil, "also predict the counts at size `N`; repeatable")
	flags.StringArrayVar(&f.env, "env", nil, "environment variable of the program: `NAME=VALUE`, {n} stands for the size; repeatable")
	flags.DurationVar(&f.timeout, "timeout", time.Minute, "longest run of the program")
	flags.BoolVar(&f.all, "all", false, "also list loops whose count does not depend on the size")
	flags.StringVar(&f.format, "format", "table", "table or json")
	return cmd
}

func (f *loopFlags) run(cmd *cobra.Command, t *terminal, args []string) error {
	if err := checkFormat(f.format, "table", "json"); err != nil {
		return err
	}
	if len(f.sizes) == 0 || slices.Min(f.sizes) < 1 {
		return exit(exitUsage, errors.New("--size: give positive sizes"))
	}
	if len(f.vary) > 0 {
		return f.many(cmd, t, args)
	}
	result, err := loops.Count(cmd.Context(), loops.Plan{Program: args[0], Args: args[1:], Env: f.env, Sizes: f.sizes, Timeout: f.timeout})
	if err != nil {
		return exit(exitInput, err)
	}
	if f.format == "json" {
		return printJSON(t.out, result)
	}
	return printLoops(t.out, result, f.at, f.all)
}

// printLoops writes a line per loop and chain, the highest order first.
func printLoops(w io.Writer, r *loops.Result, at []int, all bool) error {
	list := slices.Clone(r.Loops)
	slices.SortStableFunc(list, func(a, b loops.Loop) int { return cmp.Compare(slices.Max(b.Iterations), slices.Max(a.Iterations)) })
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(out, "loop\torder\titerations (taken)\tnot taken\terror\tbeyond\t")
	for _, n := range at {
		fmt.Fprintf(out, "at %d\t", n)
	}
	fmt.Fprintln(out, "called from")
	for _, l := range list {
		if l.Model.Order == loops.Constant && !all {
			continue
		}
		beyond := "–"
		if len(r.Beyond) > 0 {
			beyond = quantity.Share(l.Model.Beyond)
		}
		fmt.Fprintf(out, "%s %s:%d\t%s\t%s\t%s\t%s\t%s\t", l.Function, l.File, l.Line, l.Model.Order, l.Model, l.Entered, quantity.Share(l.Model.Error), beyond)
		for _, n := range at {
			if l.Model.Order == loops.NoOrder {
				fmt.Fprint(out, "–\t")
				continue
			}
			fmt.Fprintf(out, "%s\t", quantity.Digits(l.Model.At(float64(n)), 4))
		}
		fmt.Fprintln(out, l.Chain)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for _, line := range r.Failed {
		fmt.Fprintln(w, "warning: left out,", line)
	}
	for _, line := range r.Warnings {
		fmt.Fprintln(w, "warning:", line)
	}
	return nil
}

// many counts over several sizes.
func (f *loopFlags) many(cmd *cobra.Command, t *terminal, args []string) error {
	variables := []loops.Variable{{Name: "n", Sizes: f.sizes}}
	for _, text := range f.vary {
		name, list, ok := strings.Cut(text, "=")
		v := loops.Variable{Name: name}
		for _, number := range strings.Split(list, ",") {
			n, err := strconv.Atoi(number)
			if err != nil || n < 1 || !ok {
				return exit(exitUsage, fmt.Errorf("--vary %q: give NAME=A,B,C,D,E, positive whole numbers", text))
			}
			v.Sizes = append(v.Sizes, n)
		}
		variables = append(variables, v)
	}
	if len(f.at) > 0 {
		return exit(exitUsage, errors.New("--at is a single size: leave it out with --vary"))
	}
	r, err := loops.CountMany(cmd.Context(), loops.Plan{Program: args[0], Args: args[1:], Env: f.env, Timeout: f.timeout}, variables)
	if err != nil {
		return exit(exitInput, err)
	}
	if f.format == "json" {
		return printJSON(t.out, r)
	}
	out := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "loop\torder\titerations\terror\tbeyond\tcalled from")
	for _, l := range r.Loops {
		if l.Model.Order == "1" && !f.all {
			continue
		}
		order := l.Model.Order
		if order == "" {
			order = loops.NoOrder.String()
		}
		fmt.Fprintf(out, "%s %s:%d\t%s\t%s\t%s\t%s\t%s\n", l.Function, l.File, l.Line, order, l.Model, quantity.Share(l.Model.Error), quantity.Share(l.Model.Beyond), l.Chain)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for _, line := range r.Warnings {
		fmt.Fprintln(t.out, "warning:", line)
	}
	return nil
}
