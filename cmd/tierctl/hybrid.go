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

	"tierscope/cmd/target"
	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/inputs"
	"tierscope/measure"
	"tierscope/project"
	"tierscope/simulation/experiment"
)

// hybridFlags are the flags of tierctl hybrid.
type hybridFlags struct {
	study
	vary, how, at []string
	repeats       int
	seed          uint64
	check         bool
	model, format string
	// of the result file
	accuracy, title, beside, commit string
}

func newHybrid(t *terminal) *cobra.Command {
	var f hybridFlags
	cmd := &cobra.Command{
		Use:   "hybrid --out P.tier --vary NAME=VALUES PACKAGE --at NAME=VALUE [-- ARGS]",
		Short: "Predict the time of a program for other inputs: a model whose numbers follow the input",
		Long: `Hybrid analyses a program that runs to its end at a few inputs, finds by regression how the demands,
branch probabilities, loop counts and sizes of its model follow them, and simulates the model of another
input (Tarvo & Reiss 2014, §6). What the regressions leave open, and how runs of the program scatter
about the simulation at the captured inputs, is in the interval.

--vary gives the variables and the values to capture: all combinations. A variable is a flag of the
program, -NAME, unless --how says otherwise or {NAME} stands in an argument, the environment, --stdin or
--prepare. Captured inputs are kept below the project: the same command goes on where it was, and
another --at takes them from there.`,
		Example: `  tierctl hybrid --out orders.tier --vary orders=1000,2000,4000,8000,16000 ./cmd/orders --at orders=32000
  tierctl hybrid --out sort.tier --vary n=100000..1600000:5log ./sort --at n=6400000 --check -- -workers 2 {n}
  tierctl hybrid --out lu.tier --target java --vary n=200,280,400,560 --at n=1100 -- java -cp classes BoxedLu {n}`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), t, args) },
	}
	f.flags(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.vary, "vary", nil, "variable of the input with the values to capture: `NAME=1,2,4`, NAME=1..1000:5log; repeatable")
	flags.StringArrayVar(&f.how, "how", nil, "how the program is given a variable: `NAME=TEMPLATE`, such as 'n=-size {value}' or 'n=N={value}'; repeatable")
	flags.StringArrayVar(&f.at, "at", nil, "predict the input `NAME=VALUE,…`; repeatable")
	flags.IntVar(&f.repeats, "repeats", 3, "runs without probes of each captured input")
	flags.Uint64Var(&f.seed, "seed", 0, "of the simulations")
	flags.BoolVar(&f.check, "check", false, "also run the program at the inputs that are predicted")
	flags.StringVar(&f.model, "model", "", "write the model of the first --at to `FILE`, for run, sweep and explain")
	flags.StringVar(&f.accuracy, "accuracy", "", "write what --check measured as a result `FILE` for the tables of docs")
	flags.StringVar(&f.title, "title", "Models that follow the input", "of the result file")
	flags.StringVar(&f.beside, "beside", "", "what else ran on the machine, for the result file")
	flags.StringVar(&f.commit, "commit", "", "`HASH` of the program that predicts, for the result file")
	flags.StringVar(&f.format, "format", "table", "table or json")
	if err := cmd.MarkFlagRequired("vary"); err != nil {
		panic(err)
	}
	return cmd
}

// hybridAnswer is what the command prints as JSON.
type hybridAnswer struct {
	Bias        inputs.Bias         `json:"bias"`
	Curves      map[string]string   `json:"curves"`
	Predictions []inputs.Prediction `json:"predictions"`
	Measured    [][]float64         `json:"measured_s,omitempty"` // of each prediction
	Left        []string            `json:"left_out,omitempty"`
	Next        []string            `json:"next,omitempty"` // what would make predictions surer
}

func (f *hybridFlags) run(ctx context.Context, t *terminal, args []string) error {
	if err := checkFormat(f.format, "table", "json"); err != nil {
		return err
	}
	plan, err := f.plan(t, args)
	if err != nil {
		return exit(exitUsage, err)
	}
	var wanted []map[string]float64
	for _, text := range f.at {
		at, err := settings(strings.Split(text, ","))
		if err != nil {
			return exit(exitUsage, fmt.Errorf("--at: %w", err))
		}
		wanted = append(wanted, at)
	}
	if f.check {
		plan.Beside = wanted
	}
	captured, err := inputs.Capture(ctx, plan)
	if err != nil {
		if ctx.Err() != nil {
			return exit(exitInterrupted, fmt.Errorf("interrupted: the inputs captured so far are kept; the same command goes on (%w)", err))
		}
		return exit(exitInput, err)
	}
	family, err := inputs.NewFamily(captured)
	if err != nil {
		return exit(exitInput, err)
	}
	fmt.Fprintln(t.err, "simulating the captured inputs")
	if err := family.Anchor(ctx, f.seed); err != nil {
		return exit(exitInput, err)
	}
	answer := hybridAnswer{Curves: map[string]string{}, Left: family.Left}
	if answer.Bias, err = family.Compare(ctx, f.seed); err != nil {
		return exit(exitInput, err)
	}
	for key, c := range family.Curves {
		if c.Varies() {
			answer.Curves[key] = c.String()
		}
	}
	for i, at := range wanted {
		p, err := family.Predict(ctx, at, answer.Bias, f.seed)
		if err != nil {
			return exit(exitInput, err)
		}
		answer.Predictions = append(answer.Predictions, p)
		if next := family.Next(p); next != "" {
			answer.Next = append(answer.Next, inputs.Text(p.Input)+": "+next)
		}
		if f.check {
			times, err := plan.Measure(ctx, at)
			if err != nil {
				return exit(exitInput, err)
			}
			answer.Measured = append(answer.Measured, times)
		}
		if i == 0 && f.model != "" {
			if err := writeModelOf(family, at, f.model); err != nil {
				return err
			}
		}
	}
	if f.accuracy != "" {
		if err := f.saveAccuracy(answer); err != nil {
			return err
		}
	}
	if f.format == "json" {
		return printJSON(t.out, answer)
	}
	return answer.print(t.out)
}

func writeModelOf(family *inputs.Family, at map[string]float64, path string) error {
	m, err := family.At(at)
	if err != nil {
		return exit(exitInput, err)
	}
	return project.Save(path, core.ModelFormat, m)
}

// plan makes the plan of the flags.
func (f *hybridFlags) plan(t *terminal, args []string) (inputs.Plan, error) {
	p := inputs.Plan{Dir: f.out, Repeats: f.repeats, Tool: "tierctl " + version, Report: func(fact string) { fmt.Fprintln(t.err, fact) }}
	if len(args) == 0 {
		return p, errors.New("which program? Give its package, or the java command behind --")
	}
	if !strings.HasSuffix(f.out, project.Extension) {
		return p, fmt.Errorf("--out %s: the name of a project folder ends in %s", f.out, project.Extension)
	}
	var err error
	if p.Workload, err = f.workload(args); err != nil {
		return p, err
	}
	if p.Workload.Load != nil {
		return p, errors.New("a server answers requests for ever: give a program that runs to its end, without a load")
	}
	name := f.target
	if name == "" {
		name = target.Default
	}
	if p.Target = target.All()[name]; p.Target == nil {
		return p, fmt.Errorf("--target %s: there is no such front end; there is %s", name, strings.Join(slices.Sorted(maps.Keys(target.All())), ", "))
	}
	hows := map[string]string{}
	for _, h := range f.how {
		name, template, ok := strings.Cut(h, "=")
		if !ok {
			return p, fmt.Errorf("--how %q: give NAME=TEMPLATE", h)
		}
		hows[name] = template
	}
	for _, text := range f.vary {
		a, err := experiment.ParseAxis(text)
		if err != nil {
			return p, fmt.Errorf("--vary: %w", err)
		}
		values, err := a.Expand()
		if err != nil {
			return p, fmt.Errorf("--vary: %w", err)
		}
		axis := measure.AxisOf(nil, a.Parameter, values)
		if how, ok := hows[a.Parameter]; ok {
			axis.How = how
		}
		p.Axes = append(p.Axes, axis)
	}
	return p, nil
}

// print writes the answer for people.
func (a hybridAnswer) print(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "what follows the input\tas")
	for _, key := range slices.Sorted(maps.Keys(a.Curves)) {
		fmt.Fprintf(out, "%s\t%s\n", key, a.Curves[key])
	}
	fmt.Fprintln(out, "\t")
	fmt.Fprintln(out, "input\tT predicted\t95 % of runs between\tmeasured\terror\t")
	for i, p := range a.Predictions {
		fmt.Fprintf(out, "%s\t%s\t%s … %s\t", inputs.Text(p.Input), quantity.Format(p.Time, "s"), quantity.Format(p.Lo, "s"), quantity.Format(p.Hi, "s"))
		if i < len(a.Measured) && len(a.Measured[i]) > 0 {
			m := median(a.Measured[i])
			inside := "inside"
			if m < p.Lo || m > p.Hi {
				inside = "OUTSIDE"
			}
			fmt.Fprintf(out, "%s\t%s\t%s", quantity.Format(m, "s"), quantity.Change(p.Time/m-1), inside)
		}
		fmt.Fprintln(out)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	how := quantity.Share(math.Exp(a.Bias.Mean)) + " of the simulated time"
	if a.Bias.Factor > 0 {
		how = fmt.Sprintf("%s + %.3g × the simulated time", quantity.Format(a.Bias.Constant, "s"), a.Bias.Factor)
	}
	fmt.Fprintf(w, "runs of the captured inputs take %s, ± %s each (%d runs)\n", how, quantity.Share(a.Bias.Sigma), a.Bias.Runs)
	for _, line := range a.Left {
		fmt.Fprintln(w, "left out:", line)
	}
	for _, p := range a.Predictions {
		for _, text := range p.Warnings {
			fmt.Fprintf(w, "warning: %s: %s\n", inputs.Text(p.Input), text)
		}
	}
	for _, line := range a.Next {
		fmt.Fprintln(w, "next:", line)
	}
	return nil
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
