// Package prolong sets prolongation in the simulator beside prolongation of
// the real program: the same analysis of both, and how far they agree
// (Mangold et al. 2010).
package prolong

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"tierscope/analysis/factor"
	measured "tierscope/analysis/prolong"
	"tierscope/core"
	simulated "tierscope/simulation/prolong"
)

// Format and Version head a study's file.
const (
	Format  = "tierscope-prolongation"
	Version = 1
)

// Study is what prolongation shows of a program. Simulated or Measured may be
// nil.
type Study struct {
	Format    string           `json:"format"`
	Version   int              `json:"version"`
	Program   string           `json:"program"`
	Simulated *factor.Analysis `json:"simulated,omitempty"`
	Measured  *factor.Analysis `json:"measured,omitempty"`
	Skipped   []string         `json:"skipped,omitempty"` // modules left out, with the reason
	Failed    []string         `json:"failed,omitempty"`  // measured runs
	Agreement *Agreement       `json:"agreement,omitempty"`
	// SpeedUps are predicted: how much shorter the whole takes when the own time
	// of a module is cut by Faster.
	SpeedUps []simulated.SpeedUp `json:"speed_ups,omitempty"`
	Faster   float64             `json:"faster,omitempty"`
	// Took is the wall-clock time of the runs, in seconds.
	SimulatedTook float64 `json:"simulated_took_s,omitempty"`
	MeasuredTook  float64 `json:"measured_took_s,omitempty"`
}

// Agreement compares the sensitivities of different modules, simulated with
// measured.
type Agreement struct {
	Correlation float64  `json:"correlation"`
	Pairs       int      `json:"pairs"`
	Factors     int      `json:"factors,omitempty"`     // that both have, by number
	SameFactors bool     `json:"same_factors"`          // the same modules in those
	OnlyOne     []string `json:"only_in_one,omitempty"` // modules that only one of the two shows
}

// New returns an empty study.
func New(program string) *Study { return &Study{Format: Format, Version: Version, Program: program} }

// Simulate prolongs the model.
func (s *Study) Simulate(ctx context.Context, m core.Model, settings map[string]float64, o simulated.Options, fo factor.Options) error {
	began := time.Now()
	r, err := simulated.Run(ctx, m, settings, o)
	if err != nil {
		return err
	}
	e := &factor.Experiment{Calls: simulated.Calls(r.Modules)}
	for _, module := range r.Modules {
		e.Modules = append(e.Modules, module.Name)
		var locks []string
		for _, l := range module.Locks {
			locks = append(locks, "lock "+l)
		}
		e.Carriers = append(e.Carriers, locks)
	}
	for _, run := range r.Observations {
		e.Runs = append(e.Runs, factor.Run{Module: run.Module, Delay: run.Delay, Times: run.Times, Elapsed: run.Elapsed})
	}
	s.skip("simulated", r.Skipped)
	if s.Simulated, err = factor.Analyse(e, fo); err != nil {
		return err
	}
	s.SimulatedTook = time.Since(began).Seconds()
	if s.Faster > 0 {
		if s.SpeedUps, err = r.SpeedUps(ctx, m, settings, s.Faster, o); err != nil {
			return err
		}
	}
	s.compare()
	return nil
}

// Measure prolongs the program.
func (s *Study) Measure(ctx context.Context, p measured.Plan, fo factor.Options) error {
	began := time.Now()
	then := p.Done
	p.Done = func(r *measured.Result) error {
		s.skip("measured", r.Skipped)
		s.Failed = r.Failed
		s.MeasuredTook = time.Since(began).Seconds()
		if err := s.UseMeasured(r.Experiment, fo); err != nil || then == nil {
			return err
		}
		return then(r)
	}
	_, err := measured.Measure(ctx, p)
	return err
}

// UseMeasured takes runs that were measured before.
func (s *Study) UseMeasured(e *factor.Experiment, fo factor.Options) error {
	a, err := factor.Analyse(e, fo)
	if err != nil {
		return err
	}
	s.Measured = a
	s.compare()
	return nil
}

func (s *Study) skip(how string, reasons []string) {
	for _, r := range reasons {
		s.Skipped = append(s.Skipped, how+": "+r)
	}
}

// compare fills Agreement once both sides are there.
func (s *Study) compare() {
	s.Agreement = nil
	if s.Simulated == nil || s.Measured == nil {
		return
	}
	a := &Agreement{}
	a.Correlation, a.Pairs = factor.Agreement(s.Simulated, s.Measured)
	if math.IsNaN(a.Correlation) {
		a.Correlation = 0
	}
	both := map[string]int{}
	for _, m := range s.Simulated.Experiment.Modules {
		both[m]++
	}
	for _, m := range s.Measured.Experiment.Modules {
		both[m]++
	}
	for _, side := range []*factor.Analysis{s.Simulated, s.Measured} {
		for _, m := range side.Experiment.Modules {
			if both[m] == 1 {
				a.OnlyOne = append(a.OnlyOne, m)
			}
		}
	}
	a.Factors = min(len(s.Simulated.Groups()), len(s.Measured.Groups()))
	a.SameFactors = sameFactors(s.Simulated, s.Measured, a.Factors, func(m string) bool { return both[m] == 2 })
	s.Agreement = a
}

// sameFactors reports whether the same modules move together in two analyses, with n
// factors in each: as many as both show. One more, in one of the two, is at its limit.
func sameFactors(a, b *factor.Analysis, n int, keep func(string) bool) bool {
	if n == 0 {
		return len(a.Groups()) == len(b.Groups())
	}
	x, err := a.WithFactors(n)
	if err != nil {
		return false
	}
	y, err := b.WithFactors(n)
	return err == nil && sameGroups(x.Groups(), y.Groups(), keep)
}

// sameGroups reports whether two lists of groups are the same sets of sets,
// as far as the modules that keep says and groups of two or more are concerned.
func sameGroups(a, b [][]string, keep func(string) bool) bool {
	sets := func(groups [][]string) map[string]bool {
		out := map[string]bool{}
		for _, g := range groups {
			if key := setKey(g, keep); key != "" {
				out[key] = true
			}
		}
		return out
	}
	x, y := sets(a), sets(b)
	if len(x) != len(y) {
		return false
	}
	for key := range x {
		if !y[key] {
			return false
		}
	}
	return true
}

// Write writes the study as JSON.
func (s *Study) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(s)
}

// Read reads what Write wrote.
func Read(r io.Reader) (*Study, error) {
	var s Study
	if err := json.NewDecoder(r).Decode(&s); err != nil {
		return nil, fmt.Errorf("prolongation: %w", err)
	}
	if s.Format != Format || s.Version > Version {
		return nil, fmt.Errorf("prolongation: format %q version %d: this Tierscope reads %q up to version %d", s.Format, s.Version, Format, Version)
	}
	for _, a := range []*factor.Analysis{s.Simulated, s.Measured} {
		if a == nil {
			continue
		}
		if err := a.Check(); err != nil {
			return nil, fmt.Errorf("prolongation: %w", err)
		}
	}
	return &s, nil
}
