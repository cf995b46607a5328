package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"tierscope/simulation/experiment"
)

// sweeping is a sweep that is planned.
type sweeping struct {
	sentence string
	settings iter.Seq[map[string]float64]
	run      func(ctx context.Context, v *verdict) error // prints what comes out
}

// plan plans a sweep. A part of one, and one that prints rows of numbers, take the memory of a few thousand
// configurations, however many there are. A table, whose columns are as wide as their numbers, takes that of all.
func (f *sweepFlags) plan(cmd *cobra.Command, t *terminal, r *experiment.Runner, e experiment.Experiment, part experiment.Shard) (*sweeping, error) {
	if f.emit != "" {
		part = experiment.Shard{} // the script has all of them
	}
	if rows := f.shard != "" || f.format == "csv"; f.emit == "" && !f.dryRun && (r.Ledger == nil || !rows) {
		plan, err := r.Plan(cmd.Context(), e)
		if err != nil {
			return nil, err
		}
		return &sweeping{plan.Sentence(), settingsOf(plan.Points), func(ctx context.Context, v *verdict) error {
			done, err := r.Run(ctx, plan)
			if err != nil && ctx.Err() == nil {
				return err
			}
			for i := range done.Points {
				v.see(&done.Points[i])
			}
			if ctx.Err() != nil { // the others were not begun
				done.Points = slices.DeleteFunc(done.Points, func(p experiment.Point) bool { return p.Result == nil })
			}
			out := bufio.NewWriter(t.out) // of a table every cell is written apart
			return errors.Join(f.print(out, e.Name, done), out.Flush())
		}}, nil
	}
	survey, err := r.Survey(cmd.Context(), e, part)
	if err != nil {
		return nil, err
	}
	if f.dryRun {
		ctx, cancel := context.WithTimeout(cmd.Context(), sampleBudget)
		defer cancel()
		if err := r.Sample(ctx, survey); err != nil {
			return nil, err
		}
	}
	return &sweeping{survey.Sentence(), r.Settings(survey), func(ctx context.Context, v *verdict) error {
		if f.shard != "" { // what it found is printed when all have come together
			return r.Stream(ctx, survey, func(experiment.Point) error { return nil })
		}
		rows, err := experiment.NewCSV(t.out, e.Name, e.Parameters())
		if err != nil {
			return err
		}
		err = r.Stream(ctx, survey, func(p experiment.Point) error {
			v.see(&p)
			return rows.Write(p)
		})
		return errors.Join(err, rows.Flush())
	}}, nil
}

// sampleBudget is the time for finding out what a sweep costs of which nothing was simulated yet.
const sampleBudget = 2 * time.Second

func settingsOf(points []experiment.Point) iter.Seq[map[string]float64] {
	return func(yield func(map[string]float64) bool) {
		for i := range points {
			if !yield(points[i].Settings) {
				return
			}
		}
	}
}

// verdict is how a sweep ends, as an exit code says it.
type verdict struct {
	precision         float64 // that was asked for
	points            int
	halted, imprecise int
	why               string // the first one halted
}

func (v *verdict) see(p *experiment.Point) {
	v.points++
	if p.Result != nil && p.Result.Halted != "" {
		if v.halted++; v.halted == 1 {
			v.why = p.Result.Halted
		}
	}
	if v.precision > 0 && !(p.Result != nil && precise(p.Result, v.precision)) {
		v.imprecise++
	}
}

func (v *verdict) exit(t *terminal) error {
	if v.halted > 0 {
		fmt.Fprintf(t.err, "halted: %d of %d configurations, such as: %s\n", v.halted, v.points, v.why)
		return &silentError{exitHalted}
	}
	if v.imprecise > 0 {
		fmt.Fprintf(t.err, "undecided: the precision of %g %% was not reached in %d of %d configurations; give more replications\n", 100*v.precision, v.imprecise, v.points)
		return &silentError{exitUndecided}
	}
	return nil
}

// timeless returns the points without the wall-clock times, so that equal
// commands print equal bytes.
func timeless(points []experiment.Point) []experiment.Point {
	points = slices.Clone(points)
	for i := range points {
		points[i].Known = false
		if r := points[i].Result; r != nil {
			without := *r
			without.Elapsed, without.Busy = 0, 0
			points[i].Result = &without
		}
	}
	return points
}

// print writes the results.
func (f *sweepFlags) print(w io.Writer, name string, p *experiment.Plan) error {
	switch f.format {
	case "csv":
		return experiment.WriteCSV(w, name, p.Parameters(), p.Points)
	case "json":
		return printJSON(w, timeless(p.Points))
	}
	table := p.Table()
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, strings.Join(table.Header, "\t"))
	for i, name := range table.Header {
		if i > 0 {
			fmt.Fprint(out, "\t")
		}
		fmt.Fprint(out, strings.Repeat("-", utf8.RuneCountInString(name)))
	}
	fmt.Fprintln(out)
	var notes []string // distinct warnings of whole runs, numbered
	for _, row := range table.Rows {
		for i, cell := range row {
			if i > 0 {
				fmt.Fprint(out, "\t")
			}
			fmt.Fprint(out, cell.Text)
			if i < len(row)-1 {
				continue
			}
			for _, warning := range cell.Warnings {
				if !slices.Contains(notes, warning) {
					notes = append(notes, warning)
				}
				fmt.Fprintf(out, " [%d]", slices.Index(notes, warning)+1)
			}
		}
		fmt.Fprintln(out)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for i, note := range notes {
		fmt.Fprintf(w, "[%d] %s\n", i+1, note)
	}
	return nil
}
