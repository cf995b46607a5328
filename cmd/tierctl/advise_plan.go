package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tierscope/analysis/consent"
	"tierscope/analysis/stage"
	"tierscope/core/quantity"
	"tierscope/measure"
	"tierscope/measure/advise"
	"tierscope/measure/table"
)

// advisedRun is one that is worth making, and how well all would be known after it.
type advisedRun struct {
	candidate int
	then      float64
}

// next are the runs that shrink the intervals most, one after the other, as far as that can be known before
// they are made.
func (a *advice) next(most int) (out []advisedRun) {
	var candidates []advise.Candidate
	for _, p := range a.possible {
		candidates = append(candidates, advise.Candidate{Settings: p.at, Cost: p.cost})
	}
	field := a.field
	for len(out) < most && !advise.Known(field, ats(a.asked), a.narrow()) {
		i, after := advise.Next(field, ats(a.asked), candidates)
		if i < 0 {
			return out
		}
		field = after
		out = append(out, advisedRun{i, a.known(after)})
	}
	return out
}

// print shows what is known and what is advised.
func (a *advice) print(t *terminal, next []advisedRun, done bool, says string) error {
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "CONFIGURATION\tMODEL ALONE\t%s\n", strings.ToUpper(a.metricName()))
	for _, p := range a.asked {
		mean, lo, hi := a.answer(p)
		fmt.Fprintf(w, "%s\t%s\t%s\n", a.name(p), quantity.Format(p.says, p.unit), quantity.Interval(mean, lo, hi, p.unit))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "\nKnown to ±%s, from %d configurations that were run.\n", quantity.Share(a.known(a.field)), a.checks)
	if done {
		fmt.Fprintln(t.out, says)
		return nil
	}
	if len(next) == 0 {
		fmt.Fprintln(t.out, "No run that can be made here would tell more.")
		return nil
	}
	fmt.Fprintln(w, "\nNEXT RUN\tTAKES\tTHEN KNOWN TO")
	for _, n := range next {
		p := a.possible[n.candidate]
		fmt.Fprintf(w, "%s\t%s\t±%s\n", a.name(p), quantity.Format(p.cost, "s"), quantity.Share(n.then))
	}
	return w.Flush()
}

func (a *advice) name(p place) string {
	return (table.Configuration{Settings: p.settings}).Name(a.names)
}

func (f *adviseFlags) consented(cmd *cobra.Command, t *terminal, a *advice) error {
	_, w, err := stage.Load(a.home)
	if err != nil {
		return exit(exitInput, err)
	}
	return f.consent.ask(cmd, t, consent.Of(a.home, w, &a.model))
}

var unsafe = regexp.MustCompile(`[^A-Za-z0-9.]+`)

// advisedTimeout is of one run. Convention: as of tierctl measure.
const advisedTimeout = 10 * time.Minute

// run makes one run and keeps it: the same configuration again is one more of it.
func (a *advice) run(ctx context.Context, t *terminal, settings map[string]float64) error {
	_, w, err := stage.Load(a.home)
	if err != nil {
		return exit(exitInput, err)
	}
	c := measure.Campaign{Workload: w, Timeout: advisedTimeout}
	for _, name := range a.names {
		axis := measure.AxisOf(&a.model, name, []float64{settings[name]})
		axis.Base = nil // one configuration, not that of the analysis
		c.Axes = append(c.Axes, axis)
	}
	if err := c.Check(); err != nil {
		return exit(exitInput, err)
	}
	name := a.name(place{settings: settings})
	path := filepath.Join(a.home, "measured", "advised", strings.Trim(unsafe.ReplaceAllString(name, "-"), "-")+".csv")
	kept, err := measure.Open(path)
	if err != nil {
		return exit(exitInput, err)
	}
	c.Repeats = len(kept.Runs()) + 1
	_, err = c.Record(ctx, path, "tierctl advise --go", func(p measure.Progress) { fmt.Fprintln(t.err, p.Fact) })
	switch {
	case errors.Is(err, context.Canceled):
		return exit(exitInterrupted, err)
	case err != nil:
		return exit(exitInput, err)
	}
	return nil
}
