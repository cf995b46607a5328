package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tierscope/analysis"
	"tierscope/analysis/stage"
	"tierscope/analysis/trail"
	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/measure/accuracy"
	"tierscope/project"
	"tierscope/simulation"
)

// reduced is what leaving out insignificant code fragments did to one model
// (Tarvo & Reiss 2014, §4.3.1 and Table 2).
type reduced struct {
	program            string
	seenNodes          int // code fragments in the trace
	seenEdges          int
	nodes, edges       int     // of the reduced graphs
	threshold          float64 // of the model that it is compared with
	metric             string
	whole, lean, limit float64 // predictions of both models, and the half-width of their difference, relative
	speedUp            float64 // time that the program takes over the time that simulating it takes
	overhead           *float64
	explained          float64
}

func newReduction(t *terminal) *cobra.Command {
	var seed uint64
	var format string
	cmd := &cobra.Command{
		Use:   "reduction P.tier…",
		Short: "Show what leaving out insignificant code fragments does to models",
		Long: `Reduction builds the model of every project twice from its recorded run: with all
code fragments, and without the insignificant ones. It prints, as Markdown or JSON, how many code
fragments and transitions there were and are, by how much the prediction for the base
configuration changes, how much faster one replication is than the program (simulated
time over wall-clock time of one simulation at a time), and what the instrumentation cost.`,
		Example: `  tierctl reduction shop.tier renderer.tier`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(format, "markdown", "json"); err != nil {
				return exit(exitUsage, err)
			}
			if format == "markdown" {
				fmt.Fprintln(t.out, "| program | code fragments seen | edges | in the model | edges | change of the prediction | simulation speed-up | overhead (CPU) | explained |")
				fmt.Fprintln(t.out, "|---|---|---|---|---|---|---|---|---|")
			}
			var errs []error
			for _, dir := range args {
				r, err := reductionOf(cmd.Context(), dir, seed)
				if err != nil {
					errs = append(errs, exit(exitInput, fmt.Errorf("%s: %w", dir, err)))
					continue
				}
				if format == "json" {
					errs = append(errs, printJSON(t.out, r.size()))
					continue
				}
				fmt.Fprintln(t.out, r)
			}
			return errors.Join(errs...)
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the random numbers")
	cmd.Flags().StringVar(&format, "format", "markdown", "markdown or json, an object per project")
	return cmd
}

// size is what result files keep of it.
func (r *reduced) size() accuracy.Size {
	s := accuracy.Size{Seen: r.seenNodes, SeenEdges: r.seenEdges, Fragments: r.nodes, Edges: r.edges, Metric: r.metric, SpeedUp: r.speedUp, Overhead: r.overhead, Explained: r.explained}
	if !math.IsNaN(r.whole) {
		change := r.lean/r.whole - 1
		s.Change, s.Half = &change, r.limit
	}
	return s
}

// reductionOf builds and simulates both models of a project. They are compared as they were built:
// calibrated, both would repeat the same plain runs in the very configuration in which they
// are compared, and what leaving out changes would be hidden.
func reductionOf(ctx context.Context, dir string, seed uint64) (*reduced, error) {
	in, err := stage.Inputs(dir)
	if err != nil {
		return nil, err
	}
	lean, report, err := analysis.Build(in, trail.Options{})
	if err != nil {
		return nil, err
	}
	r := &reduced{program: strings.TrimSuffix(filepath.Base(dir), project.Extension), overhead: report.Trust.Overhead, explained: report.Trust.Explained}
	for _, g := range report.Groups {
		r.seenNodes += g.NaiveNodes
		r.seenEdges += g.NaiveEdges
		r.nodes += g.Nodes
		r.edges += g.Edges
	}
	after, err := predict(ctx, lean, seed)
	if err != nil {
		return nil, fmt.Errorf("the reduced model: %w", err)
	}
	r.metric, r.lean, r.speedUp, r.whole = after.metric, after.mean, after.speedUp, math.NaN()
	// A whole model has every wait of the run, those for threads that are not
	// modelled too, and may come to a halt; and every loop, also those whose rounds
	// vary from task to task, so that its predictions may be too uncertain to compare with. Then
	// what is significant by a much lower threshold stands in for it.
	for _, threshold := range wholeThresholds {
		whole, _, err := analysis.Build(in, trail.Options{Threshold: threshold})
		if err != nil {
			continue
		}
		before, err := predict(ctx, whole, seed)
		if err != nil {
			continue
		}
		if limit := math.Hypot(before.half, after.half) / before.mean; math.IsNaN(r.whole) || limit < r.limit {
			r.whole, r.threshold, r.limit = before.mean, threshold, limit
		}
		if r.limit < certain {
			break
		}
	}
	return r, ctx.Err()
}

// wholeThresholds are the shares of CPU time below which the models that the
// reduced one is compared with leave code fragments out; negative: none.
var wholeThresholds = []float64{-1, 0.0001, 0.001}

// certain is the half-width of a difference, relative, with which models can be compared.
const certain = 0.02

// forecast is the prediction of the base configuration.
type forecast struct {
	metric     string // "T" of a batch program, "R" of a server
	mean, half float64
	speedUp    float64
}

// Length of the runs that are compared, for programs that do not end.
const (
	reductionReplications = 20
	reductionTime         = 30 // s
	reductionBudget       = 30 * time.Second
)

func predict(ctx context.Context, m *core.Model, seed uint64) (forecast, error) {
	o := simulation.Options{Replications: reductionReplications, Seed: seed, Workers: 1}
	p, of := forecast{metric: "T"}, "program"
	if len(m.Sources) > 0 {
		p.metric, o.Duration, of = "R", reductionTime, "class/"+m.Sources[0].Class
	}
	ctx, cancel := context.WithTimeout(ctx, reductionBudget)
	defer cancel()
	result, err := simulation.Run(ctx, *m, nil, o)
	if err != nil {
		return p, err
	}
	if result.Interrupted {
		return p, fmt.Errorf("not simulated within %v", reductionBudget)
	}
	took := result.Busy.Seconds() / float64(result.Replications)
	for _, x := range result.Metrics {
		if x.Name == p.metric && x.Stat == "mean" && x.Of == of {
			p.mean, p.half = x.Estimate.Mean, (x.Estimate.Hi-x.Estimate.Lo)/2
			simulated := x.Estimate.Mean
			if p.metric == "R" {
				simulated = o.Duration
			}
			p.speedUp = simulated / took
			return p, nil
		}
	}
	return p, fmt.Errorf("the simulation has no %s", p.metric)
}

// String is the row of the table.
func (r *reduced) String() string {
	overhead := "not measured"
	if r.overhead != nil {
		overhead = quantity.Change(*r.overhead)
	}
	changed := r.metric + " not known: the whole model comes to a halt"
	if !math.IsNaN(r.whole) {
		changed = fmt.Sprintf("%s %s ± %s %%", r.metric, quantity.Change(r.lean/r.whole-1), quantity.Digits(100*r.limit, 2))
		if r.threshold > 0 {
			changed += fmt.Sprintf(", against t = %g %%", 100*r.threshold)
		}
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %s | %s× | %s | %.0f %% |", r.program, r.seenNodes, r.seenEdges, r.nodes, r.edges,
		changed, quantity.Digits(r.speedUp, 2), overhead, 100*r.explained)
}
