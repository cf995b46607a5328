package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tierscope/analysis/regress"
	"tierscope/core/quantity"
	"tierscope/project"
)

// regressFlags are the flags of tierctl regress.
type regressFlags struct {
	behaviours, without, with, at []string
	splits                        int
	seed                          uint64
	phases, format, out           string
	packageName                   string
	details, absolute, third      bool
	far                           float64
}

func newRegress(t *terminal) *cobra.Command {
	var f regressFlags
	cmd := &cobra.Command{
		Use:   "regress TABLE …",
		Short: "Predict thread behaviour for other inputs from a table of runs (ThreadMarks)",
		Long: `Regress finds how every behaviour of a kind of thread (instructions, cache misses,
synchronization time, …) depends on the inputs of the program and the number of threads n.

TABLE is a profile: JSON lines ({"Prog", "Type", "Phase", "Run", "N", "Vars": {…}, "Y": {…}}),
or CSV with a header, in which columns named Y.NAME are behaviours (or those given with
--behaviour), n or threads is the number of threads, and all other columns are variables.
"tierctl regress capture" makes such a table of a program of Go, Java, or any compiled language.

Accuracy is the mean of 1 − |y − ŷ|/|y| on runs that the fit has not seen: a quarter of them, in
each of several random splits. The models that are exported are fitted to all runs.

--at prints 95 % prediction intervals for a new input, how far it lies outside of what was seen, and
what speaks against believing a prediction there. What a model needs beside the variables given, and
the number of threads, is computed from them as in all runs seen; otherwise it must be given.`,
		Example: `  tierctl regress profile.csv --behaviour cpu_s --behaviour wall_s
  tierctl regress blackscholes.jsonl swaptions.jsonl
  tierctl regress profile.jsonl --out models        # report.json, models.txt, models.go
  tierctl regress profile.jsonl --at options=50000,n=8
  tierctl regress profile.jsonl --far 4             # how well large inputs follow from a quarter of them
  tierctl regress profile.jsonl --at 'items=90000,n[main.serve:serve.go:31]=4'`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), t, args)
		},
	}
	f.fitFlags(cmd)
	cmd.AddCommand(newCapture(t), newFeed(t), newPredict(t))
	return cmd
}

// fitFlags are those of fitting a table, wherever it comes from.
func (f *regressFlags) fitFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.behaviours, "behaviour", nil, "model only behaviour `NAME`; in CSV: column NAME is one; repeatable")
	flags.StringSliceVar(&f.without, "without", nil, "leave out variable `NAME`, such as a seed; repeatable")
	flags.StringSliceVar(&f.with, "with", nil, "keep variable `NAME` although it looks like an identity (seed, descriptor, address, time); repeatable")
	flags.BoolVar(&f.third, "third-order", false, "also try products of three variables")
	flags.IntVar(&f.splits, "splits", 5, "random 3:1 splits for the accuracy")
	flags.Uint64Var(&f.seed, "seed", 0, "of the splits")
	flags.StringVar(&f.phases, "phases", "", "model phases between barriers: all, none (default: where the whole thread has no acceptable model)")
	flags.Float64Var(&f.far, "far", 0, "also predict the runs above 1/`FACTOR` of the largest from the others: what --at is worth that far outside")
	flags.BoolVar(&f.absolute, "absolute", false, "minimise absolute instead of relative errors")
	flags.StringSliceVar(&f.at, "at", nil, "also predict for `NAME=VALUE,…`; n[TYPE] is the number of threads of a type, where it follows from no variable")
	flags.StringVarP(&f.out, "out", "o", "", "`FOLDER` for report.json, models.txt (formulas) and models.go")
	flags.StringVar(&f.packageName, "package", "models", "name of the package of models.go")
	flags.BoolVar(&f.details, "details", false, "also print candidates, dropped variables and coefficients with 95 % intervals")
	flags.StringVar(&f.format, "format", "table", "table or json")
}

func (f *regressFlags) run(ctx context.Context, t *terminal, files []string) error {
	study, at, err := f.study()
	if err != nil {
		return exit(exitUsage, err)
	}
	rows, defects := readTables(files, f.behaviours)
	if defects != nil {
		fmt.Fprintln(t.err, defects)
	}
	if len(rows) == 0 {
		return exit(exitInput, fmt.Errorf("%s: no row to learn from", strings.Join(files, ", ")))
	}
	var warnings []string
	if defects != nil {
		warnings = strings.Split(defects.Error(), "\n")
	}
	return f.fit(ctx, t, study, at, rows, warnings)
}

// fit fits rows and prints what came out.
func (f *regressFlags) fit(ctx context.Context, t *terminal, study regress.Study, at map[string]float64, rows []regress.Row, warnings []string) error {
	study.Progress = func(done, of int) { fmt.Fprintf(t.err, "\r%d of %d behaviours", done, of) }
	report, err := study.Run(ctx, rows)
	fmt.Fprintln(t.err)
	if err != nil {
		return exit(exitInterrupted, err)
	}
	report.Warnings = append(report.Warnings, warnings...)
	if err := report.Check(at); err != nil {
		return exit(exitUsage, fmt.Errorf("--at: %w", err))
	}
	if f.out != "" {
		if err := exportModels(f.out, f.packageName, report); err != nil {
			return err
		}
		fmt.Fprintf(t.err, "wrote %s\n", f.out)
	}
	if f.format == "json" {
		return report.Write(t.out)
	}
	if err := printRegression(t.out, report); err != nil {
		return err
	}
	if f.details {
		printSelections(t.out, report)
	}
	if f.far != 0 {
		if err := f.testFar(ctx, t, study, rows); err != nil {
			return err
		}
	}
	if at != nil {
		return printPredictions(t.out, report, at)
	}
	return nil
}

func (f *regressFlags) study() (regress.Study, map[string]float64, error) {
	s := regress.Study{Options: regress.Options{Absolute: f.absolute, Without: f.without, With: f.with, ThirdOrder: f.third}, Splits: f.splits, Seed: f.seed,
		Behaviours: f.behaviours, Phases: regress.Phases(f.phases)}
	if err := checkFormat(f.format, "table", "json"); err != nil {
		return s, nil, err
	}
	switch {
	case !slices.Contains([]regress.Phases{regress.PhasesIfNeeded, regress.PhasesAlways, regress.PhasesNever}, s.Phases):
		return s, nil, fmt.Errorf("--phases %q: give all or none", f.phases)
	case f.splits < 1:
		return s, nil, fmt.Errorf("--splits %d: at least one is needed", f.splits)
	}
	if len(f.at) == 0 {
		return s, nil, nil
	}
	at, err := settings(f.at)
	if err != nil {
		return s, nil, fmt.Errorf("--at: %w", err)
	}
	return s, at, nil
}

// readTables reads profiles and returns the rows of all of them, with what was
// wrong with others.
func readTables(files, behaviours []string) ([]regress.Row, error) {
	var rows []regress.Row
	var defects []error
	for _, name := range files {
		file, err := project.OpenFile(name)
		if err != nil {
			defects = append(defects, err)
			continue
		}
		more, err := regress.ReadTable(file, behaviours)
		file.Close()
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				defects = append(defects, fmt.Errorf("%s: %s", name, line))
			}
		}
		rows = append(rows, more...)
	}
	return rows, errors.Join(defects...)
}

// printRegression writes a line per behaviour and the coverage.
func printRegression(w io.Writer, r *regress.Report) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "behaviour\truns\tmeasured by\taccuracy\tmodel")
	for _, b := range r.Behaviours {
		accuracy, formula := "–", "not modelled: "+b.Unmodelled
		if len(b.Evaluation.Splits) > 0 {
			accuracy = fmt.Sprintf("%.3f", b.Evaluation.HeldOut)
		}
		if b.Acceptable() {
			formula = b.Selection.Model.Formula()
		}
		fmt.Fprintf(out, "%s\t%d\t%s\t%s\t%s\n", b.Label(), b.Runs, or(b.Source, "–"), accuracy, formula)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if all, modelled, accuracy := r.Coverage(); all > 0 {
		fmt.Fprintf(w, "\n%d of %d behaviours of whole threads modelled (%.0f %%)", modelled, all, 100*float64(modelled)/float64(all))
		if modelled > 0 {
			fmt.Fprintf(w, ", geometric mean accuracy %.3f on runs not seen; 95 %% prediction intervals cover %.1f %% of them", accuracy, 100*r.Covered())
		}
		if n := r.Constants(); n > 0 {
			fmt.Fprintf(w, "; %d more do not depend on the inputs, as far as anybody can tell, and are not counted", n)
		}
		fmt.Fprintln(w)
		if err := printDistributions(w, r); err != nil {
			return err
		}
	}
	for i := range r.Behaviours {
		if b := &r.Behaviours[i]; b.Phase == "" && !b.Acceptable() {
			for _, text := range b.Advice() {
				fmt.Fprintf(w, "%s: %s\n", b.Label(), text)
			}
		}
	}
	for _, warning := range r.Warnings {
		fmt.Fprintln(w, "warning:", warning)
	}
	return nil
}

// printDistributions writes figures 6 and 7 of the paper as tables with bars.
func printDistributions(w io.Writer, r *regress.Report) error {
	behaviours, programs := r.Distributions()
	for _, list := range []struct {
		of   string
		rows []regress.Distribution
	}{{"behaviour", behaviours}, {"program", programs}} {
		out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintf(out, "\nby %s\t≥ .9\t≥ .8\t≥ .7\tbelow\t\n", list.of)
		for _, d := range list.rows {
			fmt.Fprintf(out, "%s\t", or(d.Name, "–"))
			bar := ""
			for k, c := range d.Counts {
				fmt.Fprintf(out, "%d\t", c)
				bar += strings.Repeat([]string{"█", "▓", "▒", "░"}[k], c)
			}
			fmt.Fprintln(out, bar)
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// printSelections says for each behaviour how its model was chosen.
func printSelections(w io.Writer, r *regress.Report) {
	for _, b := range r.Behaviours {
		fmt.Fprintf(w, "\n%s\n", b.Label())
		for _, c := range b.Selection.Candidates {
			mark := " "
			if c.Chosen {
				mark = "*"
			}
			fmt.Fprintf(w, " %s %-8s %s\n", mark, c.Model.Form, c.Why)
		}
		for _, i := range b.Intervals {
			fmt.Fprintf(w, "   %-24s %s [%s, %s]\n", i.Term, quantity.Digits(i.Estimate, 4), quantity.Digits(i.Lo, 4), quantity.Digits(i.Hi, 4))
		}
		for _, text := range b.Advice() {
			fmt.Fprintf(w, "   why, and what next: %s\n", text)
		}
		for _, d := range b.Selection.Dropped {
			fmt.Fprintf(w, "   without %s: %s\n", d.Name, d.Reason)
		}
	}
}

// printPredictions writes what the models say for one input, and what they need that
// was not given.
func printPredictions(w io.Writer, r *regress.Report, at map[string]float64) error {
	fmt.Fprintln(w)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "behaviour\tprediction\t95 % prediction interval\t")
	var notes []string
	note := func(label, text string) {
		if line := label + ": " + text; !slices.Contains(notes, line) {
			notes = append(notes, line)
		}
	}
	var missing []error
	for i := range r.Behaviours {
		b := &r.Behaviours[i]
		if !b.Acceptable() && !b.Constant {
			continue
		}
		f, err := b.Forecast(at)
		if err != nil {
			missing = append(missing, err)
			continue
		}
		interval := fmt.Sprintf("%s … %s", quantity.Digits(f.Lo, 4), quantity.Digits(f.Hi, 4))
		if f.Hi == math.MaxFloat64 {
			interval = "above " + quantity.Digits(max(0, f.Lo), 4)
		}
		mark := ""
		if len(f.Warnings) > 0 {
			mark = "not to be believed, see below"
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", b.Label(), quantity.Digits(f.Value, 5), interval, mark)
		for _, text := range f.Derived {
			note("with", text)
		}
		for _, o := range f.Outside {
			note("range", o.String())
		}
		if next := b.More(f); next != "" {
			note("next", next)
		}
		for _, text := range f.Warnings {
			note("warning: "+b.Label(), text)
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for _, line := range notes {
		fmt.Fprintln(w, line)
	}
	if len(missing) > 0 {
		return exit(exitUsage, fmt.Errorf("--at: not predicted, since they follow from nothing that was given:\n%w", errors.Join(missing...)))
	}
	return nil
}

// exportModels writes the report, the formulas and the Go source: all of the same fit.
func exportModels(dir, packageName string, r *regress.Report) error {
	var functions []regress.Function
	var formulas strings.Builder
	used := map[string]bool{}
	for _, b := range r.Behaviours {
		if !b.Acceptable() {
			continue
		}
		name := goName(b.Label())
		for i := 2; used[name]; i++ {
			name = fmt.Sprintf("%s%d", goName(b.Label()), i)
		}
		used[name] = true
		functions = append(functions, regress.Function{Name: name, Model: b.Selection.Model})
		fmt.Fprintf(&formulas, "%s = %s\n", b.Label(), b.Selection.Model.Formula())
	}
	if strings.HasSuffix(strings.TrimRight(dir, "/"), project.Extension) {
		return exit(exitUsage, fmt.Errorf("--out %s: is a project; give a folder of its own, such as %s", dir, filepath.Join(dir, "models")))
	}
	var report, source bytes.Buffer
	if err := errors.Join(r.Write(&report), regress.WriteGo(&source, packageName, functions...)); err != nil {
		return err
	}
	return project.WriteSet(dir, "report.json", "tierctl "+strings.Join(os.Args[1:], " "),
		map[string][]byte{"report.json": report.Bytes(), "models.txt": []byte(formulas.String()), "models.go": source.Bytes()})
}

// goName turns a label into an exported Go identifier: "main worker cpu_s" is
// MainWorkerCpuS.
func goName(label string) string {
	var b strings.Builder
	up := true
	for _, c := range label {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		switch {
		case !letter && (c < '0' || c > '9'):
			up = true
			continue
		case b.Len() == 0 && !letter:
			b.WriteByte('P')
		case up && c >= 'a' && c <= 'z':
			c -= 'a' - 'A'
		}
		b.WriteRune(c)
		up = false
	}
	if b.Len() == 0 {
		return "Predict"
	}
	return b.String()
}
