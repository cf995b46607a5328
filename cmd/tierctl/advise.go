package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tierscope/analysis/stage"
	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/judge"
	"tierscope/measure"
	"tierscope/measure/advise"
	"tierscope/measure/validate"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
	"tierscope/simulation/optimise"
)

// adviseFlags are the flags of tierctl advise.
type adviseFlags struct {
	question, within string
	format           string
	runs, reps       int
	make             bool
	consent          consentFlags
}

func newAdvise(t *terminal) *cobra.Command {
	var f adviseFlags
	cmd := &cobra.Command{
		Use:   "advise P.tier --question 'METRIC [<= LIMIT] at NAME=VALUES, …'",
		Short: "Say which runs of the program would make an answer sure, and make them",
		Long: `Advise answers a question from the model and from all runs of the program that the project
keeps, says how well the answer is known, and which runs would shrink its interval most
for what they cost: how far a model is off is alike in configurations that are near, so a
few runs tell of many. It says stop when the interval is narrow enough, or when all of it
keeps to the limit or breaks it.

With --go the runs are made, one after the other, and kept in measured/advised.

The exit code is 3 when the limit is broken, 4 when the answer is not sure yet.`,
		Example: `  tierctl advise shop.tier --question 'T at workers=1,2,4,8,16, cores=1,2' --within 10%
  tierctl advise shop.tier --question 'T <= 0.4s at workers=8' --go`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.advise(cmd, t, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.question, "question", "", "`WORDS`: a metric, a limit if there is one, and configurations")
	flags.StringVar(&f.within, "within", "10%", "`WIDTH` of the intervals that is narrow enough")
	flags.IntVar(&f.runs, "runs", 3, "runs at most that are advised, or made")
	flags.IntVar(&f.reps, "reps", 5, "replications per simulation")
	flags.BoolVar(&f.make, "go", false, "make the runs")
	flags.StringVar(&f.format, "format", "table", "table, or json: what is known in the end")
	f.consent.flags(cmd)
	return cmd
}

// advice is what is known of a question.
type advice struct {
	model    core.Model
	home     string
	limit    optimise.Limit // of no value where none was asked for
	limited  bool
	width    float64
	names    []string // of the settings
	asked    []place
	possible []place // runs that can be made here
	field    *core.Field
	checks   int
}

// place is a configuration.
type place struct {
	settings map[string]float64
	at       map[string]float64 // paths
	says     float64            // the model alone
	follows  float64            // how strongly the metric follows the demands of a server; 1 of run times
	unit     string
	cost     float64 // s
}

func (f *adviseFlags) advise(cmd *cobra.Command, t *terminal, path string) error {
	if err := checkFormat(f.format, "table", "json"); err != nil {
		return err
	}
	a, err := f.ask(cmd.Context(), path)
	if err != nil {
		return err
	}
	for made := 0; ; made++ {
		if err := a.look(cmd.Context(), f.reps); err != nil {
			return err
		}
		done, says := a.stop()
		next := a.next(f.runs - made)
		over := done || !f.make || len(next) == 0
		switch {
		case f.format == "table":
			err = a.print(t, next, done, says)
		case over:
			err = printJSON(t.out, a.document(next, done, says))
		}
		if err != nil {
			return err
		}
		switch {
		case done && a.limited && !a.keeps():
			return &silentError{exitViolated}
		case done:
			return nil
		case over:
			return &silentError{exitUndecided}
		}
		if made == 0 {
			if err := f.consented(cmd, t, a); err != nil {
				return err
			}
		}
		if err := a.run(cmd.Context(), t, a.possible[next[0].candidate].settings); err != nil {
			return err
		}
	}
}

// ask reads the question.
func (f *adviseFlags) ask(ctx context.Context, path string) (*advice, error) {
	usage := func(err error) (*advice, error) { return nil, exit(exitUsage, err) }
	a := &advice{home: projectOf(path)}
	if a.home == "" {
		return usage(errors.New("give a project folder: what is advised are runs of the program that it was made of"))
	}
	q, err := advise.Parse(f.question)
	if err != nil {
		return usage(err)
	}
	if a.width, err = number(f.within); err != nil || !(a.width > 0) {
		return usage(fmt.Errorf("--within %s: give a width, such as 10%%", f.within))
	}
	if a.model, err = loadModel(path); err != nil {
		return nil, err
	}
	if a.limited = strings.ContainsAny(q.Metric, "<>"); a.limited {
		a.limit, err = optimise.ParseLimit(q.Metric)
	} else {
		a.limit, err = optimise.ParseLimit(q.Metric + " <= 0") // the metric alone
	}
	if err != nil {
		return usage(err)
	}
	grid := []map[string]float64{{}}
	wider := []map[string]float64{{}}
	for _, text := range q.Settings {
		axis, err := experiment.ParseAxis(text)
		if err != nil {
			return usage(err)
		}
		values, err := axis.Expand()
		if err != nil {
			return usage(err)
		}
		a.names = append(a.names, axis.Parameter)
		grid = advise.Times(grid, axis.Parameter, values)
		if p, ok := a.model.Parameter(axis.Parameter); ok && !slices.Contains(values, p.Default) {
			values = append(slices.Clone(values), p.Default)
		}
		wider = advise.Times(wider, axis.Parameter, values)
	}
	if a.asked, err = a.places(ctx, grid, f.reps); err != nil {
		return nil, err
	}
	a.possible, err = a.places(ctx, slices.DeleteFunc(wider, func(s map[string]float64) bool { return !a.runnable(s) }), f.reps)
	return a, err
}

// runnable reports whether the program can be run like that on this machine.
func (a *advice) runnable(settings map[string]float64) bool {
	configured, err := a.model.With(settings)
	if err != nil || configured.CPU.Cores > runtime.NumCPU() {
		return false
	}
	for name := range settings {
		if measure.HowOf(&a.model, name) == "" {
			return false
		}
	}
	return true
}

// places simulates configurations by the model alone.
func (a *advice) places(ctx context.Context, grid []map[string]float64, reps int) (out []place, err error) {
	for _, s := range grid {
		p := place{settings: s}
		if p.at, err = a.model.Paths(s); err != nil {
			return nil, exit(exitUsage, err)
		}
		r, err := simulation.Run(ctx, a.model, s, simulation.Options{Replications: reps, ModelAsItIs: true})
		if err != nil {
			return nil, exit(exitUsage, err)
		}
		if ctx.Err() != nil {
			return nil, exit(exitInterrupted, ctx.Err())
		}
		m, ok := a.metric(r)
		if !ok || !(m.Estimate.Mean > 0) {
			return nil, exit(exitInput, fmt.Errorf("the model has no %s; --question asks for a metric that tierctl run prints", a.metricName()))
		}
		p.says, p.unit, p.cost, p.follows = m.Estimate.Mean, m.Unit, a.cost(r), 1
		if len(a.model.Sources) > 0 {
			longer, err := simulation.Run(ctx, judge.Longer(a.model), s, simulation.Options{Replications: reps, ModelAsItIs: true})
			if err != nil {
				return nil, exit(exitInput, err)
			}
			if l, ok := longer.Find(m.Key()); ok {
				p.follows = follows(m.Estimate.Mean, l.Estimate.Mean)
			}
		}
		out = append(out, p)
	}
	return out, nil
}

// follows is the elasticity of a metric to the scale of all demands; as of a run time where it is less, for that
// what has nothing to do with demands makes it differ as well.
func follows(is, longer float64) float64 {
	f := judge.Elasticity(is, longer)
	if math.IsNaN(f) || math.IsInf(f, 0) || math.Abs(f) < 1 {
		return 1
	}
	return f
}

func (a *advice) stat() string {
	if a.limit.Stat == "" {
		return "mean"
	}
	return a.limit.Stat
}

func (a *advice) metricName() string {
	return strings.Join(strings.Fields(a.limit.Name+" "+a.limit.Of+" "+a.stat()), " ")
}

// metric finds what is asked for in a result; of several classes of tasks those that clients send.
func (a *advice) metric(r *simulation.Result) (simulation.Metric, bool) {
	if a.limit.Of == "" && len(a.model.Sources) > 0 {
		if m, ok := r.Find(strings.Join([]string{a.limit.Name, "class/" + a.model.Sources[0].Class, a.stat()}, " ")); ok {
			return m, true
		}
	}
	i := slices.IndexFunc(r.Metrics, func(m simulation.Metric) bool {
		return m.Name == a.limit.Name && m.Stat == a.stat() && (a.limit.Of == "" || m.Of == a.limit.Of)
	})
	if i < 0 {
		return simulation.Metric{}, false
	}
	return r.Metrics[i], true
}

// cost is what a run takes: the program runs twice, once to get it off the disk; a server for as
// long as it is loaded.
func (a *advice) cost(r *simulation.Result) float64 {
	if m, ok := r.Find("T program mean"); ok {
		return 2 * m.Estimate.Mean
	}
	if _, w, err := stage.Load(a.home); err == nil && w.Load != nil {
		return w.Load.Warmup + w.Load.Duration
	}
	return 1
}

// look collects all runs that the project keeps.
func (a *advice) look(ctx context.Context, reps int) error {
	var seen []core.Checked
	if a.limit.Name == "T" || len(a.model.Sources) > 0 { // of servers, what is known of demands
		seen = slices.Clone(a.model.Checked)
	}
	paths, err := filepath.Glob(filepath.Join(a.home, "measured", "advised", "*.csv"))
	if err != nil {
		return err
	}
	for _, path := range append(paths, filepath.Join(a.home, "measured", "measured.csv")) {
		measured, err := measure.Open(path)
		if err != nil {
			return exit(exitInput, err)
		}
		if len(measured.Rows) == 0 {
			continue
		}
		r, err := validate.Run(ctx, validate.Request{Model: a.model, Measured: measured, Metrics: []string{a.limit.Name}, Simulate: simulation.Run,
			Options: simulation.Options{Replications: reps, ModelAsItIs: true}})
		if err != nil {
			return exit(exitInput, fmt.Errorf("%s: %w", path, err))
		}
		var longer *validate.Report
		if len(a.model.Sources) > 0 {
			longer, err = validate.Run(ctx, validate.Request{Model: judge.Longer(a.model), Measured: measured, Metrics: []string{a.limit.Name}, Simulate: simulation.Run,
				Options: simulation.Options{Replications: reps, ModelAsItIs: true}})
			if err != nil {
				return exit(exitInput, fmt.Errorf("%s: %w", path, err))
			}
		}
		for i, c := range r.Comparisons {
			if c.Stat != a.stat() || math.IsNaN(c.Error) || c.Error <= -1 ||
				c.Metric == "R" && c.Saturated { // then it depends on how long the server was loaded
				continue
			}
			by := 1.0
			if longer != nil && i < len(longer.Comparisons) && longer.Comparisons[i].Of == c.Of {
				by = follows(c.Predicted.Mean, longer.Comparisons[i].Predicted.Mean)
			}
			noise := c.Noise(by) / math.Abs(by)
			if noise > core.MostOff { // it says nothing
				continue
			}
			seen = append(seen, core.Checked{At: c.At, Off: -math.Log1p(c.Error) / by, Runs: c.Measured.Runs(), Noise: noise})
		}
	}
	a.field, a.checks = a.model.Errors().Field(a.model.Alike(seen)), len(seen)
	return nil
}

func ats(places []place) (out []map[string]float64) {
	for _, p := range places {
		out = append(out, p.at)
	}
	return out
}

// answer is a place's, with its interval.
func (a *advice) answer(p place) (mean, lo, hi float64) {
	off, half := a.field.Another(p.at)
	off, half = off*p.follows, half*math.Abs(p.follows)
	return p.says * math.Exp(off), p.says * math.Exp(off-half), p.says * math.Exp(off+half)
}

// narrow is how narrow the intervals of demands have to be for those of the metric to be as narrow as is asked for.
func (a *advice) narrow() float64 { return math.Expm1(math.Log1p(a.width) / a.strongest()) }

// known is the widest interval of the metric, as a part.
func (a *advice) known(f *core.Field) float64 {
	return math.Expm1(math.Log1p(advise.Width(f, ats(a.asked))) * a.strongest())
}

// strongest is how strongly the metric follows demands in what is asked, at most.
func (a *advice) strongest() float64 {
	most := 1.0
	for _, p := range a.asked {
		most = max(most, math.Abs(p.follows))
	}
	return most
}

// sides are how many of the places keep to the limit for sure, and how many break it for sure.
func (a *advice) sides() (keep, violate int) {
	for _, p := range a.asked {
		_, lo, hi := a.answer(p)
		if a.limit.AtLeast {
			lo, hi = -hi, -lo
		}
		limit := a.limit.Value
		if a.limit.AtLeast {
			limit = -limit
		}
		switch {
		case hi <= limit:
			keep++
		case lo > limit:
			violate++
		}
	}
	return keep, violate
}

func (a *advice) keeps() bool { keep, _ := a.sides(); return keep == len(a.asked) }

// stop says whether the answer is sure, and why.
func (a *advice) stop() (bool, string) {
	known := advise.Known(a.field, ats(a.asked), a.narrow())
	if a.limited {
		keep, violate := a.sides()
		switch {
		case keep == len(a.asked):
			return true, "Stop: the limit is kept, whatever more runs would show."
		case violate > 0:
			return true, fmt.Sprintf("Stop: the limit is broken in %d of %d configurations, whatever more runs would show.", violate, len(a.asked))
		case known:
			return true, fmt.Sprintf("Stop: the answer is known to ±%s, and that is at the limit.", quantity.Share(a.width))
		}
		return false, ""
	}
	return known, fmt.Sprintf("Stop: all is known to ±%s.", quantity.Share(a.width))
}
