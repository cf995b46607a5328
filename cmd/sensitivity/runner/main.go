// Runner builds the models of all recordings of testdata/traces, and simulates those that
// differ from what a former runner made. Package sensitivity builds it with one number
// of the analysis changed.
//
//	runner                       every recording
//	runner --former FILE         simulates only what is not as in FILE, which a runner wrote
//	runner --calibrate           what a study calibrates is calibrated
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"slices"
	"strings"

	"tierscope/analysis"
	"tierscope/analysis/corpus"
	"tierscope/analysis/trail"
	"tierscope/analysis/trust"
	"tierscope/calibrate"
	"tierscope/core"
	"tierscope/simulation"
)

// made is what became of a recording.
type made struct {
	Model     string               `json:"model"` // hashes
	Trust     string               `json:"trust"`
	Trouble   string               `json:"trouble,omitempty"` // why there is no model, or no end of its simulation
	Simulated bool                 `json:"simulated"`
	Metrics   map[string][]float64 `json:"metrics,omitempty"` // means of T, R and X in each replication
}

// How a model is simulated: with common random numbers, so that equal parts of two
// models behave alike.
var options = simulation.Options{Seed: 1, Replications: 10, Workers: 1}

func main() {
	former := flag.String("former", "", "`FILE` that a former run wrote")
	calibrated := flag.Bool("calibrate", false, "calibrate the models")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *former, *calibrated); err != nil {
		fmt.Fprintln(os.Stderr, "runner:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, former string, calibrated bool) error {
	known := map[string]made{}
	if former != "" {
		data, err := os.ReadFile(former)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(data, &known); err != nil {
			return fmt.Errorf("%s: %w", former, err)
		}
	}
	names, err := corpus.Names()
	if err != nil {
		return err
	}
	all := map[string]made{}
	for _, name := range names {
		in, err := corpus.Load(name)
		if err != nil {
			return err
		}
		all[name] = from(ctx, in, calibrated, known[name])
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return json.NewEncoder(os.Stdout).Encode(all)
}

// from makes a model of a recording and simulates it, unless it is the known one.
func from(ctx context.Context, in trail.Input, calibrated bool, known made) made {
	m, t, err := build(ctx, in, calibrated)
	if err != nil {
		return made{Trouble: err.Error()}
	}
	f, err := corpus.Of(m, t)
	if err != nil {
		return made{Trouble: err.Error()}
	}
	hashes := strings.Fields(f.Hashes())
	is := made{Model: hashes[0], Trust: hashes[1]}
	if is.Model == known.Model {
		return is
	}
	is.Simulated = true
	is.Metrics, err = simulate(ctx, m)
	if err != nil {
		is.Trouble = err.Error()
	}
	return is
}

func build(ctx context.Context, in trail.Input, calibrated bool) (core.Model, trust.Trust, error) {
	m, report, err := analysis.Build(in, trail.Options{})
	if err != nil {
		return core.Model{}, trust.Trust{}, err
	}
	if !calibrated {
		return *m, report.Trust, nil
	}
	c, err := calibrate.Model(ctx, *m, report.Evidence)
	if err != nil {
		return core.Model{}, trust.Trust{}, err
	}
	report.Trust.Assumptions = append(report.Trust.Assumptions, c.Assumptions...)
	report.Trust.Doubt(c.Doubts)
	return c.Model, report.Trust, nil
}

// simulate returns T, R and X in the configuration of the recording.
func simulate(ctx context.Context, m core.Model) (map[string][]float64, error) {
	r, err := simulation.Run(ctx, m, nil, options)
	if err != nil {
		return nil, err
	}
	means := map[string][]float64{}
	for _, x := range r.Metrics {
		program := x.Name == "T" && x.Of == "program"
		class := (x.Name == "R" || x.Name == "X") && strings.HasPrefix(x.Of, "class/")
		known := !slices.ContainsFunc(x.Estimate.Samples, math.IsNaN) // of a class that nothing came to the end of
		if x.Stat == "mean" && (program || class) && known {
			means[x.Name+" "+x.Of] = x.Estimate.Samples
		}
	}
	if r.Halted != "" {
		return means, errors.New(r.Halted)
	}
	return means, nil
}
