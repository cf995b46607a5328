package inputs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"tierscope/core"
	"tierscope/simulation"
)

// Prediction is the time of a program for an input, in s, with the interval in which a
// run will lie with 95 % probability.
type Prediction struct {
	Input     map[string]float64 `json:"input"`
	Time      float64            `json:"time_s"`
	Lo        float64            `json:"lo_s"`
	Hi        float64            `json:"hi_s"`
	Simulated float64            `json:"simulated_s"` // before the bias
	Warnings  []string           `json:"warnings,omitempty"`
}

const (
	confidence = 0.95
	draws      = 20  // models drawn from the uncertainty of the curves
	farthest   = 4.0 // times the range of the inputs beyond which nothing was ever tested
)

// Bias is what is known of the simulation from runs of the program at the captured
// inputs: how much longer they take than simulated, and how that scatters.
type Bias struct {
	Mean  float64 `json:"mean"`  // of log(measured/simulated)
	Sigma float64 `json:"sigma"` // standard deviation of a single run about it
	Trend float64 `json:"trend"` // change from the smallest to the largest input
	Runs  int     `json:"runs"`
}

// Makespan is the time of a batch program, simulated.
func makespan(ctx context.Context, m core.Model, replications int, seed uint64) (float64, error) {
	r, err := simulation.Run(ctx, m, nil, simulation.Options{Replications: replications, Seed: seed, Warmup: -1})
	if err != nil {
		return 0, err
	}
	for _, metric := range r.Metrics {
		if metric.Name == "T" && metric.Stat == "mean" {
			return metric.Estimate.Mean, nil
		}
	}
	return 0, errors.New("inputs: the model has no makespan: only programs that run to their end are predicted by their input")
}

// Compare simulates the captured inputs by the curves, and compares with the runs of
// the program.
func (f *Family) Compare(ctx context.Context, seed uint64) (Bias, error) {
	var b Bias
	var logs, means []float64
	for _, c := range f.captured {
		if len(c.Times) == 0 {
			continue
		}
		m, err := f.At(c.Input)
		if err != nil {
			return b, err
		}
		t, err := makespan(ctx, m, 0, seed)
		if err != nil {
			return b, err
		}
		var of []float64
		for _, measured := range c.Times {
			of = append(of, math.Log(measured/t))
		}
		logs = append(logs, of...)
		means = append(means, stat.Mean(of, nil))
	}
	b.Runs = len(logs)
	if b.Runs < 2 {
		return b, nil
	}
	b.Mean, b.Sigma = stat.MeanStdDev(logs, nil)
	b.Trend = means[len(means)-1] - means[0]
	return b, nil
}

// Predict simulates an input.
func (f *Family) Predict(ctx context.Context, input map[string]float64, b Bias, seed uint64) (Prediction, error) {
	p := Prediction{Input: input}
	m, err := f.At(input)
	if err != nil {
		return p, err
	}
	if p.Simulated, err = makespan(ctx, m, 0, seed); err != nil {
		return p, err
	}
	p.Time = p.Simulated * math.Exp(b.Mean)
	var logs []float64
	random := rand.New(rand.NewPCG(seed, 1))
	for k := range draws {
		drawn, err := f.Draw(input, random)
		if err != nil {
			continue // a draw beyond what a model can have
		}
		t, err := makespan(ctx, drawn, 1, seed+uint64(k)+1)
		if err != nil {
			return p, err
		}
		logs = append(logs, math.Log(t/p.Simulated))
	}
	if len(logs) < draws/2 {
		p.Warnings = append(p.Warnings, "most of what the curves may be gives no valid model: the interval is too narrow")
	}
	variance := 0.0
	for _, l := range logs {
		variance += l * l / float64(max(1, len(logs)))
	}
	freedom := float64(max(1, b.Runs-1))
	variance += b.Sigma * b.Sigma * (1 + 1/float64(max(1, b.Runs)))
	half := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile((1+confidence)/2) * math.Sqrt(variance)
	p.Lo, p.Hi = p.Time*math.Exp(-half), p.Time*math.Exp(half)
	p.Warnings = append(p.Warnings, f.outside(input)...)
	if b.Runs < 2 {
		p.Warnings = append(p.Warnings, "no runs of the program were compared with the simulation: its own error is not in the interval")
	}
	return p, nil
}

// outside says how far an input lies beyond those that were captured.
func (f *Family) outside(input map[string]float64) (warnings []string) {
	for _, name := range f.Variables {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, c := range f.captured {
			lo, hi = math.Min(lo, c.Input[name]), math.Max(hi, c.Input[name])
		}
		switch v := input[name]; {
		case v > hi*farthest || v < lo/farthest:
			warnings = append(warnings, fmt.Sprintf("%s = %.6g is more than %g times outside of %.6g … %.6g: caches, collectors and algorithms may change their ways on the way", name, v, farthest, lo, hi))
		case v > hi:
			warnings = append(warnings, fmt.Sprintf("%s = %.6g is %.3g times the largest input captured", name, v, v/hi))
		case v < lo:
			warnings = append(warnings, fmt.Sprintf("%s = %.6g is 1/%.3g of the smallest input captured", name, v, lo/v))
		}
	}
	return warnings
}

// Inputs are those that the curves are of.
func (f *Family) Inputs() []map[string]float64 {
	var out []map[string]float64
	for _, c := range f.captured {
		out = append(out, c.Input)
	}
	return slices.Clip(out)
}
