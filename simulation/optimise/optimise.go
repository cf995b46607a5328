package optimise

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tierscope/simulation"
	"tierscope/simulation/experiment"
	"tierscope/simulation/output"
)

// Question is what to find: the best point of a grid under limits.
type Question struct {
	Grid     experiment.Experiment
	Limits   []Limit
	Maximise string // name of the metric to maximise, such as "X"; "" with a Cost: minimise that
	Minimise string // or to minimise, such as "R.p95"
	Cost     string // Expression over parameters; breaks ties, or is minimised when nothing else is asked for
	Load     string // parameter or path that the load grows with, for the headroom; "": no headroom
	Budget   time.Duration
}

// State is how a point stands to the limits.
type State string

// States.
const (
	Meets     State = "meets"     // all limits, with probability ≥ 0.975
	Fails     State = "fails"     // some limit, with probability ≥ 0.975
	Undecided State = "undecided" // the simulation is too short to tell
	NotRun    State = "not run"   // interrupted before
)

// certain is the probability from which a point meets the limits; up to
// 1 − certain it fails.
const certain = 0.975

// Candidate is a judged point.
type Candidate struct {
	experiment.Point
	State       State           `json:"state"`
	Probability float64         `json:"probability"` // that all limits are kept
	Checks      []Check         `json:"checks,omitempty"`
	Objective   output.Estimate `json:"objective"`
	Cost        float64         `json:"cost"`
	Best        bool            `json:"best,omitempty"`
	Rival       bool            `json:"rival,omitempty"` // cannot be told apart from the best
	Why         string          `json:"why"`
}

// Answer is what was found. Candidates are sorted: those that meet the limits
// by the objective, then the undecided, the failing, and those not run.
type Answer struct {
	Sentence   string      `json:"sentence"`
	State      State       `json:"state"` // of the best: meets; undecided: nothing surely meets; fails: everything fails
	Candidates []Candidate `json:"candidates"`
	Headroom   *Headroom   `json:"headroom,omitempty"`
	Incomplete bool        `json:"incomplete,omitempty"` // the budget or the context ended before all was decided
}

// Rounds of longer simulation for undecided points: replications × 4, × 16.
const (
	rounds       = 2
	longerRounds = 4
)

// Run answers a question about the runner's model. When ctx or the budget
// ends it returns what there is, marked Incomplete.
func Run(ctx context.Context, r *experiment.Runner, q Question) (*Answer, error) {
	if len(q.Limits) == 0 && q.Maximise == "" && q.Minimise == "" && q.Cost == "" {
		return nil, errors.New("there is nothing to optimise: give a limit, an objective or a cost")
	}
	cost, err := q.cost()
	if err != nil {
		return nil, err
	}
	if q.Budget > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, q.Budget)
		defer cancel()
	}
	grid, err := q.Grid.Grid(&r.Model)
	if err != nil {
		return nil, err
	}
	if len(grid) == 0 {
		return nil, errors.New("the constraints leave no point of the grid")
	}
	s := search{runner: r, question: q, cost: cost}
	if err := s.first(ctx, grid); err != nil {
		return nil, err
	}
	e := q.Grid
	for range rounds {
		e = longer(e)
		if err := s.again(ctx, e); err != nil {
			return nil, err
		}
	}
	return s.answer(ctx)
}

// cost parses the cost expression; nil if there is none.
func (q *Question) cost() (*experiment.Expression, error) {
	if q.Cost == "" {
		return nil, nil
	}
	return experiment.Parse(q.Cost)
}

// longer is an experiment with more replications.
func longer(e experiment.Experiment) experiment.Experiment {
	e.Replications = longerRounds * e.Options().Inputs().Replications
	e.Precision = 0
	return e
}

// search is the state of a run.
type search struct {
	runner   *experiment.Runner
	question Question
	cost     *experiment.Expression
	all      []Candidate
}

// first simulates all points that the operational laws do not rule out.
func (s *search) first(ctx context.Context, grid []map[string]float64) error {
	var open []int
	for i, settings := range grid {
		c := Candidate{Point: experiment.Point{Settings: settings}, State: NotRun}
		var err error
		if c.Cost, err = s.costOf(settings); err != nil {
			return err
		}
		if why := s.hopeless(settings); why != "" {
			c.State, c.Why = Fails, why
		} else {
			open = append(open, i)
		}
		s.all = append(s.all, c)
	}
	return s.simulate(ctx, s.question.Grid, open)
}

// again simulates the undecided points longer.
func (s *search) again(ctx context.Context, e experiment.Experiment) error {
	var open []int
	for i, c := range s.all {
		if c.State == Undecided {
			open = append(open, i)
		}
	}
	if len(open) == 0 || ctx.Err() != nil {
		return nil
	}
	return s.simulate(ctx, e, open)
}

func (s *search) simulate(ctx context.Context, e experiment.Experiment, open []int) error {
	var settings []map[string]float64
	for _, i := range open {
		settings = append(settings, s.all[i].Settings)
	}
	plan, err := s.runner.PlanPoints(e, settings)
	if err != nil {
		return err
	}
	if plan, err = s.runner.Run(ctx, plan); err != nil && ctx.Err() == nil {
		return err
	}
	for k, i := range open {
		if p := plan.Points[k]; p.Result != nil && !p.Result.Interrupted {
			s.all[i].Point = p
			if err := s.judge(&s.all[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *search) costOf(settings map[string]float64) (float64, error) {
	if s.cost == nil {
		return 0, nil
	}
	values := map[string]float64{}
	for _, name := range s.cost.Names() {
		if p, ok := s.runner.Model.Parameter(name); ok {
			values[name] = p.Default
		} else if k, err := s.runner.Model.Lookup(name); err == nil {
			values[name] = k.Value
		}
	}
	maps.Copy(values, settings)
	return s.cost.Eval(values)
}

// hopeless says why a point fails a limit of the response time without any
// simulation: its arrivals exceed its capacity.
func (s *search) hopeless(settings map[string]float64) string {
	limited := slices.ContainsFunc(s.question.Limits, func(l Limit) bool { return l.Name == "R" && !l.AtLeast })
	configured, err := s.runner.Model.With(settings)
	if !limited || err != nil {
		return "" // an error is reported by the plan
	}
	for _, q := range configured.Queues {
		if q.Capacity >= 0 || !q.Patience.IsZero() {
			return "" // tasks may be lost instead of waiting
		}
	}
	d := configured.Demands()
	b := d.Bounds()
	if b.Stable || len(d.Notes) > 0 || b.Batch {
		return ""
	}
	return fmt.Sprintf("%.3g /s arrive, but %s serves %.3g /s at most", d.Rate, b.Bottleneck.Of, b.Bottleneck.Limit())
}

// judge checks all limits of a simulated point.
func (s *search) judge(c *Candidate) error {
	c.Checks, c.Probability, c.State, c.Why = nil, 1, Meets, ""
	// The probability that all hold is at least 1 − Σ(1 − pᵢ) (Bonferroni):
	// the metrics of one simulation are not independent.
	missing := 0.0
	var worst *Check
	for _, l := range s.question.Limits {
		check, ok := l.check(c.Result)
		if !ok {
			return fmt.Errorf("limit %s: the result has no such metric", l)
		}
		c.Checks = append(c.Checks, check)
		missing += 1 - check.Probability
	}
	for i := range c.Checks {
		if worst == nil || c.Checks[i].Probability < worst.Probability {
			worst = &c.Checks[i]
		}
	}
	c.Probability = max(0, 1-missing)
	switch {
	case worst != nil && worst.Probability <= 1-certain:
		c.State = Fails
		c.Why = worst.Limit.String() + ": it is " + value3(worst.Estimate.Mean, worst.Limit)
	case c.Probability < certain:
		c.State = Undecided
		c.Why = worst.Limit.String() + ": " + interval(worst.Estimate, worst.Limit)
	}
	var err error
	c.Objective, err = s.objective(c)
	return err
}

// objective is the estimate to be maximised (or minimised).
func (s *search) objective(c *Candidate) (output.Estimate, error) {
	name := s.question.Maximise
	if name == "" {
		name = s.question.Minimise
	}
	if name == "" {
		return output.Exactly(c.Cost, 0.95), nil
	}
	m, ok := metric(c.Result, name)
	if !ok {
		return output.Estimate{}, fmt.Errorf("objective %q: the result has no such metric", name)
	}
	return m.Estimate, nil
}

// metric finds a metric by its key, or by "NAME.STAT" of the class that
// completes most.
func metric(r *simulation.Result, name string) (simulation.Metric, bool) {
	if m, ok := r.Find(name); ok {
		return m, true
	}
	short, stat, dotted := strings.Cut(name, ".")
	if !dotted {
		stat = "mean"
	}
	class, most := "", -1.0
	for _, m := range r.Metrics {
		if m.Name == "X" && strings.HasPrefix(m.Of, "class/") && m.Estimate.Mean > most {
			class, most = m.Of, m.Estimate.Mean
		}
	}
	if m, ok := r.Find(short + " " + class + " " + stat); ok {
		return m, true
	}
	return r.Find(short + " program " + stat)
}
