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
	"tierscope/simulation/experiment"
	"tierscope/simulation/output"
)

// Outcome is what is known about one configuration.
type Outcome struct {
	Result *simulation.Result // nil: not simulated yet
	Job    *Job               // nil: not running
	Err    error              // why there is no result
	// Preliminary says that Result has no intervals: what is not known of the model is simulated last, and until then
	// they would be narrower than they will be.
	Preliminary bool
}

// starting reports whether its job is just being started: whoever is told of that may ask for the result again.
func (o *Outcome) starting() bool { return o.Job == nil && o.Result == nil && o.Err == nil }

// set notes a result, without its intervals while they are preliminary.
func (o *Outcome) set(r *simulation.Result, preliminary bool) {
	o.Result, o.Preliminary = r, preliminary
	if !preliminary {
		return
	}
	means := *r
	means.Metrics = slices.Clone(r.Metrics)
	for i := range means.Metrics {
		e := &means.Metrics[i].Estimate
		*e = output.Estimate{Mean: e.Mean, Lo: math.Inf(-1), Hi: math.Inf(1), N: min(e.N, 1), Confidence: e.Confidence}
	}
	o.Result = &means
}

// key identifies what is asked about a scenario: equal changes simulated as
// precisely have equal keys, whatever the scenario is called.
func (s *Session) key(c Scenario) string {
	return configuration(c) + fmt.Sprintf("%+v", s.OptionsOf(c).Inputs())
}

// configuration identifies what a scenario changes.
func configuration(c Scenario) string {
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
func (s *Session) Outcome(c Scenario) *Outcome { return s.results[s.key(c)] }

// forecast is what is known of a scenario without simulation.
type forecast struct {
	estimate core.Estimate
	bounds   core.Bounds
	err      error
}

// Estimate returns the analytic forecast and the bounds of a scenario. Of a
// large model they take a while, and every redrawing asks: they are remembered.
func (s *Session) Estimate(c Scenario) (core.Estimate, core.Bounds, error) {
	k := s.key(c)
	f, ok := s.forecasts[k]
	if !ok {
		var m core.Model
		if m, f.err = c.Apply(*s.model); f.err == nil {
			d := m.Demands()
			f.estimate, f.bounds = d.Estimate(), d.Bounds()
		}
		s.forecasts[k] = f
	}
	return f.estimate, f.bounds, f.err
}

// Simulate simulates a scenario in the background, or takes it from the
// ledger. The result sharpens as replications arrive (ResultsChanged); one
// that is known already, or on its way, is not simulated again; one that was
// cancelled is.
func (s *Session) Simulate(c Scenario) {
	if s.model == nil {
		return
	}
	c = clone(c)
	k := s.key(c)
	if o := s.results[k]; o != nil && (o.starting() || o.Job != nil && o.Job.goesOn() || o.Result != nil && !o.Result.Interrupted) {
		return
	}
	runner, options := s.Experimenter(nil), s.OptionsOf(c)
	options.Pool = runner.Pool
	o := &Outcome{}
	s.results[k] = o
	type single struct {
		run   experiment.Run
		known bool
		kept  error // why the ledger does not have it
	}
	o.Job = StartJob(s, "Simulate "+c.Name, func(ctx context.Context, report func(simulation.Progress)) (single, error) {
		options.Progress = report
		run, known, err := runner.Single(ctx, c.Name, c.Edits, c.Settings, options)
		if run.Result == nil {
			return single{}, err
		}
		return single{run, known, err}, ctx.Err()
	}, func(j *Job, p simulation.Progress) {
		j.Fraction, j.Remaining, j.Fact = p.Done, p.Remaining, Precision(p)
		if p.Partial != nil {
			o.set(p.Partial, p.WithoutInputs)
			s.emit(ResultsChanged)
		}
	}, func(j *Job, r single, err error) {
		if s.left(j) {
			return
		}
		if r.run.Result == nil {
			o.Err = err
		} else {
			o.set(r.run.Result, o.Preliminary && r.run.Result.Interrupted)
			j.Fact = quantity.Plural(o.Result.Replications, "replication")
			if r.known {
				j.Fact += ", from the ledger"
			}
			s.AddRuns(r.run)
		}
		if r.kept != nil {
			s.Notify(Failure("The result of "+c.Name+" is shown, but could not be kept in the project.", r.kept))
		}
		s.emit(ResultsChanged)
	})
	s.emit(ResultsChanged)
}

// Precision says how sharp a run is, as far as that is known before its end.
func Precision(p simulation.Progress) string {
	text := fmt.Sprintf("%d of %s", p.Replications, quantity.Plural(p.Planned, "replication"))
	if !math.IsInf(p.Precision, 0) && !math.IsNaN(p.Precision) && p.Precision > 0 && !p.WithoutInputs {
		text += ", " + quantity.PlusMinus(p.Precision)
	}
	return text
}

// Options returns how the preferences ask for runs to be made.
func (s *Session) Options() simulation.Options {
	p := s.settings
	return simulation.Options{Seed: p.Seed, Replications: p.Replications, Precision: p.Precision, Confidence: p.Confidence, Workers: p.Workers}
}
