package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"tierscope/analysis/regress"
	"tierscope/core/quantity"
	"tierscope/core/robust"
)

// testFar predicts the large inputs of a table from the small ones, and prints how far that missed.
func (f *regressFlags) testFar(ctx context.Context, t *terminal, study regress.Study, rows []regress.Row) error {
	study.Progress = nil
	all, err := study.Far(ctx, rows, f.far)
	if err != nil {
		if ctx.Err() != nil {
			return exit(exitInterrupted, err)
		}
		return exit(exitUsage, fmt.Errorf("--far: %w", err))
	}
	var tries []regress.Try
	for _, far := range all {
		if err := printFar(t.out, far); err != nil {
			return err
		}
		tries = append(tries, far.Tries...)
	}
	if len(all) > 1 {
		fmt.Fprintln(t.out, "\nall of them")
		printTries(t.out, tries)
	}
	return nil
}

// printFar writes a line for each behaviour.
func printFar(w io.Writer, far regress.Far) error {
	fmt.Fprintf(w, "\n%s: runs with %s ≥ %.6g predicted from the %d with ≤ %.6g\n", or(strings.TrimSpace(far.Program+" "+far.ThreadType), "all threads"), far.Variable, far.Least, far.Fitted, far.Edge)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "behaviour\tpredictions\twarned of\tmedian error\tin their intervals\t")
	var names []string
	of := map[string][]regress.Try{}
	for _, try := range far.Tries {
		if of[try.Behaviour] == nil {
			names = append(names, try.Behaviour)
		}
		of[try.Behaviour] = append(of[try.Behaviour], try)
	}
	slices.Sort(names)
	for _, name := range names {
		warned := slices.DeleteFunc(slices.Clone(of[name]), func(t regress.Try) bool { return !t.Warned() })
		fmt.Fprintf(out, "%s\t%d\t%d\t%s\t%d\t\n", name, len(of[name]), len(warned), errorShare(missed(of[name])), inside(of[name]))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	printTries(w, far.Tries)
	return nil
}

// printTries writes a line for what is predicted without a warning, and one for what is predicted with one.
func printTries(w io.Writer, all []regress.Try) {
	for _, warned := range []bool{false, true} {
		tries := slices.DeleteFunc(slices.Clone(all), func(t regress.Try) bool { return t.Warned() != warned })
		if len(tries) == 0 {
			continue
		}
		wrong := 0
		for _, try := range tries {
			if try.Wrong() {
				wrong++
			}
		}
		fmt.Fprintf(w, "%s a warning: %d predictions, median error %s, %d wrong by more than 10 %%, %d in their intervals\n",
			map[bool]string{false: "without", true: "with"}[warned], len(tries), errorShare(missed(tries)), wrong, inside(tries))
	}
}

// missed is the median of the relative errors.
func missed(tries []regress.Try) float64 {
	var errors []float64
	for _, t := range tries {
		errors = append(errors, t.Missed())
	}
	return robust.Median(errors)
}

// errorShare has digits also of what is close to nothing.
func errorShare(share float64) string {
	const nothing = 1e-4
	if share < nothing {
		return "<" + quantity.Digits(100*nothing, 1) + " %"
	}
	return quantity.Digits(100*share, 2) + " %"
}

func inside(tries []regress.Try) (n int) {
	for _, t := range tries {
		if t.Inside() {
			n++
		}
	}
	return n
}
