package session

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/simulation"
)

// Outcome is what is known about one configuration.
type Outcome struct {
	Result *simulation.Result // nil: not simulated yet
	Job    *Job               // nil: not running
	Err    error              // why there is no result
}

// key identifies a configuration: equal changes have equal keys, whatever the
// scenario is called.
func key(c Scenario) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(c.Settings)) {
		fmt.Fprintf(&b, "%s=%g;", k, c.Settings[k])
	}
	for _, e := range c.Edits {
		fmt.Fprintf(&b, "%+v;", e)
	}
	return b.String()
}

// Outcome returns what is known about a scenario's configuration, nil if
// nothing.
func (s *Session) Outcome(c Scenario) *Outcome { return s.results[key(c)] }

// Estimate returns the analytic forecast and the bounds of a scenario.
func (s *Session) Estimate(c Scenario) (core.Estimate, core.Bounds, error) {
	m, err := c.Apply(*s.model)
	if err != nil {
		return core.Estimate{}, core.Bounds{}, err
	}
	d := m.Demands()
	return d.Estimate(), d.Bounds(), nil
}

// Simulate simulates a scenario in the background. The result sharpens as
// replications arrive (ResultsChanged); one that is known already, or on its
// way, is not simulated again.
func (s *Session) Simulate(c Scenario) {
	if s.model == nil {
		return
	}
	c = clone(c)
	k, m := key(c), *s.model
	if o := s.results[k]; o != nil && (o.Job != nil && o.Job.State == Running || o.Result != nil && !o.Result.Interrupted) {
		return
	}
	simulate, pool := s.Simulator()
	options := s.Options()
	options.Pool = pool
	o := &Outcome{}
	s.results[k] = o
	o.Job = StartJob(s, "Simulate "+c.Name, func(ctx context.Context, report func(simulation.Progress)) (*simulation.Result, error) {
		edited, err := m.Edited(c.Edits...)
		if err != nil {
			return nil, err
		}
		options.Progress = report
		return simulate(ctx, edited, c.Settings, options)
	}, func(j *Job, p simulation.Progress) {
		j.Fraction, j.Remaining, j.Fact = p.Done, p.Remaining, Precision(p)
		if p.Partial != nil {
			o.Result = p.Partial
			s.emit(ResultsChanged)
		}
	}, func(j *Job, r *simulation.Result, err error) {
		o.Err = err
		if r != nil {
			o.Result = r
			j.Fact = fmt.Sprintf("%d replications", r.Replications)
		}
		s.emit(ResultsChanged)
	})
	s.emit(ResultsChanged)
}

// Again simulates a scenario anew, with the present preferences; what is
// known is shown until the new result is sharper.
func (s *Session) Again(c Scenario) {
	if o := s.results[key(c)]; o != nil {
		if o.Job != nil {
			o.Job.Cancel()
		}
		delete(s.results, key(c))
	}
	s.Simulate(c)
}

// Precision says how sharp a run is.
func Precision(p simulation.Progress) string {
	text := fmt.Sprintf("%d of %d replications", p.Replications, p.Planned)
	if !math.IsInf(p.Precision, 0) && !math.IsNaN(p.Precision) && p.Precision > 0 {
		text += ", ±" + quantity.Share(p.Precision)
	}
	return text
}

// Options returns how the preferences ask for runs to be made.
func (s *Session) Options() simulation.Options {
	p := s.settings
	return simulation.Options{Seed: p.Seed, Replications: p.Replications, Precision: p.Precision, Confidence: p.Confidence, Workers: p.Workers}
}
