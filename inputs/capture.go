package inputs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tierscope/analysis"
	"tierscope/analysis/pcg"
	"tierscope/analysis/stage"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/calibrate"
	"tierscope/core"
	"tierscope/measure"
	"tierscope/measure/table"
	"tierscope/project"
)

// Plan says at which inputs to capture a program.
type Plan struct {
	Dir      string // of the project; the inputs are in folders below it
	Target   analysis.Target
	Workload trace.Workload
	Axes     []measure.Axis       // the variables with their values: all combinations are captured; {NAME} in arguments stands for one
	Repeats  int                  // runs without probes of each input; 0: 3
	Beside   []map[string]float64 // inputs that are not captured, at which the program runs in the same rounds: Measure has their times
	Tool     string               // for provenance
	Report   func(fact string)
}

const (
	defaultRepeats = 3
	mostInputs     = 32
	folder         = "inputs"
)

// Capture analyses and measures the program at every input. What an earlier call has
// finished in the same folder is taken from there.
func Capture(ctx context.Context, p Plan) ([]Captured, error) {
	points := combinations(p.Axes)
	switch {
	case len(p.Axes) == 0:
		return nil, errors.New("inputs: which variables of the program are its input? None is given")
	case len(points) > mostInputs:
		return nil, fmt.Errorf("inputs: %d combinations of values: at most %d are captured; give fewer values", len(points), mostInputs)
	}
	for _, input := range p.Beside {
		for _, a := range p.Axes {
			if _, ok := input[a.Name]; !ok {
				return nil, fmt.Errorf("inputs: %s: give %s too", Text(input), a.Name)
			}
		}
	}
	var out []Captured
	for i, point := range points {
		c := Captured{Input: map[string]float64{}}
		for k, a := range p.Axes {
			c.Input[a.Name] = point[k]
		}
		p.Report(fmt.Sprintf("input %d of %d: %s", i+1, len(points), Text(c.Input)))
		var err error
		if c.Model, err = p.analyse(ctx, c.Input); err != nil {
			return nil, fmt.Errorf("input %s: %w", Text(c.Input), err)
		}
		out = append(out, c)
	}
	all := slices.Clone(out)
	for _, input := range p.Beside {
		all = append(all, Captured{Input: input})
	}
	if err := p.measure(ctx, all); err != nil {
		return nil, err
	}
	copy(out, all)
	slices.SortStableFunc(out, func(a, b Captured) int {
		for _, axis := range p.Axes {
			if c := cmp.Compare(a.Input[axis.Name], b.Input[axis.Name]); c != 0 {
				return c
			}
		}
		return 0
	})
	return out, nil
}

// combinations are all of the values of the axes.
func combinations(axes []measure.Axis) [][]float64 {
	out := [][]float64{nil}
	for _, a := range axes {
		var next [][]float64
		for _, head := range out {
			for _, v := range a.Values {
				next = append(next, append(slices.Clone(head), v))
			}
		}
		out = next
	}
	return out
}

// analyse returns the model of an input: the one that is there, if it was made of the
// same run, or a new one. Computations are kept however short they are: what is
// insignificant for one input may not be for another.
func (p Plan) analyse(ctx context.Context, input map[string]float64) (core.Model, error) {
	w, err := p.at(input)
	if err != nil {
		return core.Model{}, err
	}
	dir := p.place(input)
	if name, before, err := stage.Load(dir); err == nil && name == p.Target.Name() && same(before, w) {
		m, err := project.LoadModel(dir)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return m, err
		}
	}
	st := stage.Study{Dir: dir, Target: p.Target, Workload: w, Tool: p.Tool, Options: trail.Options{Threshold: pcg.DefaultThreshold},
		Report: func(a analysis.Progress) { p.Report("  " + a.Stage + ": " + a.Fact) }}
	o, err := calibrate.Study(ctx, &st, stage.Sample, stage.Build)
	if err != nil {
		return core.Model{}, err
	}
	return *o.Model, nil
}

// same reports whether two workloads are the same run.
func same(a, b trace.Workload) bool {
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}

// at returns the workload of an input: {NAME} in arguments, environment and the file
// that is the standard input stands for a variable; others are given as their axis says.
func (p Plan) at(input map[string]float64) (trace.Workload, error) {
	w := p.Workload
	w.Args, w.Env = slices.Clone(w.Args), maps.Clone(w.Env)
	for _, a := range p.Axes {
		place, value := "{"+a.Name+"}", strconv.FormatFloat(input[a.Name], 'f', -1, 64)
		found := false
		fill := func(text string) string {
			found = found || strings.Contains(text, place)
			return strings.ReplaceAll(text, place, value)
		}
		for i := range w.Args {
			w.Args[i] = fill(w.Args[i])
		}
		for name, v := range w.Env {
			w.Env[name] = fill(v)
		}
		w.Stdin, w.Prepare = fill(w.Stdin), fill(w.Prepare)
		if found {
			continue
		}
		var err error
		if w, err = a.Apply(w, input[a.Name]); err != nil {
			return w, err
		}
	}
	return w, nil
}

// measure runs the program without probes at every input, all of them in turn: a
// machine that drifts does so for all.
func (p Plan) measure(ctx context.Context, all []Captured) error {
	for round := range cmp.Or(p.Repeats, defaultRepeats) {
		start := p.start(ctx, round)
		for i := range all {
			w, err := p.at(all[i].Input)
			if err != nil {
				return err
			}
			c, each := measure.Campaign{Workload: w}, inARound(all[i].Times)
			for c.Repeats < (round+1)*each {
				c.Repeats = (round + 1) * each
				t, err := c.Record(ctx, filepath.Join(p.place(all[i].Input), "measured", "measured.csv"), p.Tool, func(now measure.Progress) {
					p.Report(fmt.Sprintf("round %d, %s: %s", round+1, Text(all[i].Input), now.Fact))
				})
				if err != nil {
					return err
				}
				all[i].Times, all[i].Disturbed = times(t)
				each = inARound(all[i].Times)
			}
			all[i].Starts = start
		}
	}
	return nil
}

// inARound is how often a program whose first run is known is run in a round: chance adds a millisecond to each start of a process, which is
// much of a short run.
func inARound(times []float64) int {
	if len(times) == 0 {
		return 1
	}
	return int(math.Min(starts, math.Max(1, math.Round(short/times[0]))))
}

// short is how long all runs of an input in a round take if they are short, s. Convention.
const short = 0.03

// place is the project of an input.
func (p Plan) place(input map[string]float64) string {
	return filepath.Join(p.Dir, folder, Text(input)+project.Extension)
}

// times are the wall-clock times of the runs of a table, and how many of them other programs disturbed.
func times(t *table.Table) (out []float64, disturbed int) {
	for _, r := range t.Rows {
		if r.Metric == "T" && r.Stat == "mean" {
			out = append(out, r.Value)
			if slices.Contains(r.Flags, table.OthersRan) {
				disturbed++
			}
		}
	}
	return out, disturbed
}

// Measure returns the times of the program without probes at an input, to compare with
// what was predicted for it. What Capture has not measured beside its own runs is.
func (p Plan) Measure(ctx context.Context, input map[string]float64) ([]float64, error) {
	one := []Captured{{Input: input}}
	err := p.measure(ctx, one)
	return one[0].Times, err
}
