package inputs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

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

// makespan is the time of a batch program, simulated.
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
	var all []compared
	var starts []float64
	disturbed := 0
	f.simulated = nil
	for _, c := range f.captured {
		if len(c.Times) == 0 {
			f.simulated = append(f.simulated, 0)
			continue
		}
		m, err := f.At(c.Input)
		if err != nil {
			return Bias{}, err
		}
		t, err := makespan(ctx, m, 0, seed)
		if err != nil {
			return Bias{}, err
		}
		f.simulated = append(f.simulated, t)
		disturbed += c.Disturbed
		all, starts = append(all, compared{t, c.Times}), c.Starts
	}
	b := newBias(all, starts)
	b.Disturbed = disturbed
	return b, nil
}

// Check is a captured input with what was measured and what its curves say, in s.
type Check struct {
	Input        map[string]float64
	Measured     []float64
	Time, Lo, Hi float64 // predicted, with the interval of a run
}

// Checks are the captured inputs that Compare has compared.
func (f *Family) Checks(b Bias) (out []Check) {
	for i, simulated := range f.simulated {
		if simulated == 0 {
			continue
		}
		time, spread, freedom := b.apply(simulated)
		half := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile((1+confidence)/2) * spread
		out = append(out, Check{f.captured[i].Input, f.captured[i].Times, time, time * math.Exp(-half), time * math.Exp(half)})
	}
	return out
}

// Next says which inputs to capture so that a prediction would rest on more than it does; "" where that
// would add little.
func (f *Family) Next(p Prediction) string {
	for _, name := range f.Variables {
		lo, hi := f.span(name)
		v := p.Input[name]
		var edge float64
		switch {
		case v > hi:
			edge = hi
		case v < lo:
			edge = lo
		default:
			continue
		}
		return fmt.Sprintf("capture %s = %.4g too: that is half of the way from %.6g to what is predicted", name, math.Sqrt(v*edge), edge)
	}
	if p.Hi > enough*p.Lo {
		return "capture more inputs, or repeat their runs on a machine with nothing else on it: the interval is wide although the input is inside of those captured"
	}
	return ""
}

// enough is the ratio of the ends of an interval that is narrow enough.
const enough = 1.5

// span is the range of a variable among the captured inputs.
func (f *Family) span(name string) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, c := range f.captured {
		lo, hi = math.Min(lo, c.Input[name]), math.Max(hi, c.Input[name])
	}
	return lo, hi
}

// Span is the range of a variable among the captured inputs, and by what factor beyond it anything was
// ever tested.
func (f *Family) Span(name string) (lo, hi, beyond float64) {
	lo, hi = f.span(name)
	return lo, hi, farthest
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
	var spread, freedom float64
	p.Time, spread, freedom = b.apply(p.Simulated)
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
	variance += spread * spread
	half := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile((1+confidence)/2) * math.Sqrt(variance)
	p.Lo, p.Hi = p.Time*math.Exp(-half), p.Time*math.Exp(half)
	p.Warnings = append(p.Warnings, f.outside(input)...)
	if 2*b.Disturbed > b.Runs {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%d of the %d runs of the captured inputs were disturbed by other programs: what is predicted is the time with such programs beside", b.Disturbed, b.Runs))
	}
	if b.Runs < 2 {
		p.Warnings = append(p.Warnings, "no runs of the program were compared with the simulation: its own error is not in the interval")
	}
	return p, nil
}

// outside says how far an input lies beyond those that were captured.
func (f *Family) outside(input map[string]float64) (warnings []string) {
	for _, name := range f.Variables {
		lo, hi := f.span(name)
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
