package regress

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"
)

// Study fits every behaviour of a profile and says how well it is predicted.
type Study struct {
	Options    Options
	Splits     int      // random 3:1 splits, 0: 5
	Seed       uint64   // of the splits
	Behaviours []string // to model; nil: all
	Phases     Phases
	Progress   func(done, of int) // may be nil; called from one goroutine at a time
}

// Phases says when behaviours of phases are modelled besides those of whole
// threads.
type Phases string

// When phases are modelled. A phase lies between two barriers.
const (
	PhasesIfNeeded Phases = ""     // those of behaviours that have no acceptable model for the whole thread
	PhasesAlways   Phases = "all"  // each
	PhasesNever    Phases = "none" // none
)

// Format and Version head a report's file.
const (
	Format  = "tierscope-regression"
	Version = 1
)

// Report is the outcome of a study.
type Report struct {
	Format     string      `json:"format"`
	Version    int         `json:"version"`
	Behaviours []Behaviour `json:"behaviours"`
	Warnings   []string    `json:"warnings,omitempty"`
}

// Behaviour is one behaviour of one kind of thread. Search, Evaluation and
// Intervals are zero when Unmodelled says why there is no model.
type Behaviour struct {
	Program    string `json:"program,omitempty"`
	ThreadType string `json:"thread_type,omitempty"`
	Phase      string `json:"phase,omitempty"`
	Name       string `json:"behaviour"`
	Source     string `json:"source,omitempty"` // what measured it: hardware, simulated, counted, clock
	Runs       int    `json:"runs"`
	// Noise is by how much runs of the same input differ, relative; 0: not known.
	Noise      float64 `json:"noise,omitempty"`
	Unmodelled string  `json:"unmodelled,omitempty"` // why there is no acceptable model
	// Constant says that the behaviour does not depend on the inputs, as far as anybody can tell: it is the
	// same in all runs, chance decides it, or it is absent from most. Whether it is predicted counts for nothing.
	Constant bool `json:"constant,omitempty"`
	// Covered is the share of the held-out rows in their 95 % prediction intervals.
	Covered float64 `json:"covered,omitempty"`
	// Selection has the model fitted to all runs. Evaluation is about models of
	// three quarters of them, on the quarter that they have not seen.
	Selection  Selection  `json:"selection,omitzero"`
	Evaluation Evaluation `json:"evaluation,omitzero"`
	Intervals  []Interval `json:"intervals,omitempty"` // 95 %
	Samples    []Sample   `json:"samples"`
}

// Label names the behaviour with its thread and phase.
func (b Behaviour) Label() string {
	s := ""
	for _, part := range []string{b.Program, b.ThreadType, b.Phase} {
		if part != "" {
			s += part + " "
		}
	}
	return s + b.Name
}

// Acceptable reports whether there is a model and it predicts acceptably.
func (b Behaviour) Acceptable() bool { return b.Unmodelled == "" }

const (
	defaultSplits = 5
	confidence    = 0.95
)

// Run fits the behaviours of rows. What cannot be modelled is in the report
// with the reason; the error is that of the context.
func (s Study) Run(ctx context.Context, rows []Row) (*Report, error) {
	if s.Splits == 0 {
		s.Splits = defaultSplits
	}
	groups := Groups(rows)
	report := &Report{Format: Format, Version: Version}
	// Whole threads first: what they leave unmodelled decides about phases.
	whole, err := s.fit(ctx, groups, func(g Group, _ string) bool { return g.Phase == "" })
	if err != nil {
		return nil, err
	}
	combineTimes(whole)
	combineWaits(whole, s.Options)
	good := map[[3]string]bool{}
	for _, b := range whole {
		good[[3]string{b.Program, b.ThreadType, b.Name}] = b.Acceptable() || b.Constant
	}
	var phases []Behaviour
	if s.Phases != PhasesNever {
		if phases, err = s.fit(ctx, groups, func(g Group, name string) bool {
			return g.Phase != "" && (s.Phases == PhasesAlways || !good[[3]string{g.Program, g.ThreadType, name}])
		}); err != nil {
			return nil, err
		}
		combine(whole, phases)
	}
	report.Behaviours = append(whole, phases...)
	for _, b := range report.Behaviours {
		if n := b.Runs - len(b.Samples); n > 0 {
			report.Warnings = append(report.Warnings, fmt.Sprintf("%s has no number in %d of %d runs: they are left out", b.Label(), n, b.Runs))
		}
	}
	if len(s.Behaviours) > 0 {
		for _, name := range s.Behaviours {
			if !slices.ContainsFunc(report.Behaviours, func(b Behaviour) bool { return b.Name == name }) {
				report.Warnings = append(report.Warnings, fmt.Sprintf("no run has a behaviour %q", name))
			}
		}
	}
	return report, nil
}

// fit models the behaviours of the groups that wanted says, in parallel and in
// the order of the groups.
func (s Study) fit(ctx context.Context, groups []Group, wanted func(Group, string) bool) ([]Behaviour, error) {
	var todo []Behaviour
	for _, g := range groups {
		for _, name := range g.BehaviourNames() {
			if wanted(g, name) && (len(s.Behaviours) == 0 || slices.Contains(s.Behaviours, name) || name == Executions) {
				todo = append(todo, Behaviour{Program: g.Program, ThreadType: g.ThreadType, Phase: g.Phase, Name: name,
					Runs: len(g.Rows), Samples: g.Samples(name), Source: g.source(name), Noise: g.noise(name)})
			}
		}
	}
	var wait sync.WaitGroup
	var mutex sync.Mutex
	done := 0
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), len(todo)) {
		wait.Go(func() {
			for i := range next {
				todo[i].model(s)
				mutex.Lock()
				done++
				if s.Progress != nil {
					s.Progress(done, len(todo))
				}
				mutex.Unlock()
			}
		})
	}
	for i := range todo {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wait.Wait()
	return todo, ctx.Err()
}

// model fits and evaluates one behaviour.
func (b *Behaviour) model(s Study) {
	if b.Constant = unvarying(b.Samples); b.Constant {
		b.Unmodelled = "it is the same in all runs: there is nothing to model"
	}
	var err error
	if b.Selection, err = Search(b.Samples, s.Options); err == nil {
		b.Evaluation, err = Evaluate(b.Samples, s.Options, s.Splits, s.Seed)
	}
	switch {
	case err != nil:
		b.Unmodelled = err.Error()
		return
	case b.Constant:
	case b.absent() && b.whereThere() < Acceptable:
		b.Constant = true
		b.Unmodelled = fmt.Sprintf("it is 0 in %d of %d runs: a relative error says nothing there", zeros(b.Samples), len(b.Samples))
	case !b.Evaluation.Modelled() && b.chance():
		b.Constant = true
		b.Unmodelled = fmt.Sprintf("chance: it differs by %.0f %% between runs of the same input, and by %.0f %% between inputs; a model may miss by %.0f %%", 100*b.Noise, 100*b.spread(), 100*(1-Acceptable))
	case !b.Evaluation.Modelled():
		b.Unmodelled = fmt.Sprintf("accuracy %.3f on held-out runs is below %g", b.Evaluation.HeldOut, Acceptable)
	case !b.Selection.Model.Varies():
		b.Constant = true
		b.Unmodelled = fmt.Sprintf("no input explains it: the constant %s is within %.2g %% of it on average", b.Selection.Model.Formula(), 100*(1-b.Evaluation.HeldOut))
	}
	b.Covered = b.Evaluation.coverage(b.Samples)
	b.Intervals = Intervals(b.Samples, b.Selection.Model, s.Options, confidence)
}

// absent reports whether a behaviour is 0 in most runs: what is left is too little to tell what it
// depends on.
func (b *Behaviour) absent() bool { return 2*zeros(b.Samples) > len(b.Samples) }

// whereThere is the accuracy on the held-out rows in which the behaviour is not 0.
func (b *Behaviour) whereThere() float64 {
	sum, n := 0.0, 0.0
	for _, p := range b.Evaluation.Predictions {
		if p.Measured != 0 {
			sum, n = sum+accuracy(p.Measured, p.Predicted), n+1
		}
	}
	return sum / math.Max(1, n)
}

// chance reports whether runs of the same input differ as much as runs of different ones, so that no
// model of the inputs can say more than a constant; or by more than a model may miss. A time of which this is true was
// measured on a busy machine, and is no chance.
func (b *Behaviour) chance() bool {
	return b.Noise > 0 && b.Noise >= b.spread() || b.Noise > 1-Acceptable && b.Source != clocked
}

// clocked is the source of what a clock measured.
const clocked = "clock"

// spread is by how much the behaviour differs between the inputs: the mean deviation from the median,
// relative to it, as Noise is within them; infinite where the median is 0.
func (b *Behaviour) spread() float64 {
	var values []float64
	for _, s := range b.Samples {
		values = append(values, s.Y)
	}
	slices.Sort(values)
	middle := (values[(len(values)-1)/2] + values[len(values)/2]) / 2
	sum := 0.0
	for _, v := range values {
		sum += math.Abs(v - middle)
	}
	if middle == 0 {
		return math.Inf(1)
	}
	return sum / float64(len(values)) / math.Abs(middle)
}

// unvarying reports whether a behaviour is the same in all runs, up to what rounding
// and clocks do.
func unvarying(samples []Sample) bool {
	const spread = 1e-3
	lo, hi := rangeOf(samples, func(s Sample) float64 { return s.Y })
	return len(samples) > 0 && hi-lo <= spread*math.Max(math.Abs(lo), math.Abs(hi))
}

func zeros(samples []Sample) int {
	n := 0
	for _, s := range samples {
		if s.Y == 0 {
			n++
		}
	}
	return n
}

// Write writes the report as JSON.
func (r *Report) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(r)
}

// ReadReport reads what Write wrote.
func ReadReport(r io.Reader) (*Report, error) {
	var report Report
	if err := json.NewDecoder(r).Decode(&report); err != nil {
		return nil, fmt.Errorf("regression report: %w", err)
	}
	if report.Format != Format || report.Version > Version {
		return nil, fmt.Errorf("regression report: format %q version %d: this Tierscope reads %q up to version %d", report.Format, report.Version, Format, Version)
	}
	for i, b := range report.Behaviours {
		if len(b.Selection.Candidates) == 0 {
			continue
		}
		if err := b.Selection.Model.check(); err != nil {
			return nil, fmt.Errorf("regression report: behaviour %d (%s): %w", i, b.Label(), err)
		}
	}
	return &report, nil
}
