package optimise

import (
	"context"
	"errors"
	"maps"
	"time"

	"tierscope/simulation/experiment"
	"tierscope/simulation/output"
)

// Question is what to find: the best point of a space under limits.
type Question struct {
	Grid     experiment.Experiment // its axes span the space; how each point is simulated in the end
	Limits   []Limit
	Maximise string // name of the metric to maximise, such as "X"; "" with a Cost: minimise that
	Minimise string // or to minimise, such as "R.p95"
	Cost     string // Expression over parameters; breaks ties, or is minimised when nothing else is asked for
	Pareto   bool   // both the cost and the metric count: find the front
	Load     string // parameter or path that the load grows with, for the headroom; "": no headroom
	Budget   time.Duration
}

// State is how a point stands to the limits.
type State string

// States.
const (
	Meets     State = "meets"     // all limits, with the probability that is asked for
	Fails     State = "fails"     // some limit, with that probability, or provably
	Undecided State = "undecided" // the simulation is too short to tell
	Dropped   State = "dropped"   // cannot be the best, or very probably not: not simulated in full
	NotRun    State = "not run"   // interrupted before
)

// certain is the probability from which a point meets the limits, where a limit does not say another; up
// to 1 − certain it fails.
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
	Front       bool            `json:"front,omitempty"` // nothing is better in cost and objective
	Rival       bool            `json:"rival,omitempty"` // cannot be told apart from the best
	Short       bool            `json:"short,omitempty"` // simulated for a short time only
	Why         string          `json:"why"`
}

// Stage is what one stage of a search did.
type Stage struct {
	Name   string `json:"name"`
	Points int    `json:"points"`           // that it looked at
	Out    int    `json:"out,omitempty"`    // that it ruled out
	Events int64  `json:"events,omitempty"` // simulated
}

// Answer is what was found. Candidates are those that were looked at and matter, sorted: those that meet
// the limits by the objective, then the undecided, the dropped, the failing, and those not run.
type Answer struct {
	Sentence   string      `json:"sentence"`
	State      State       `json:"state"` // of the best: meets; undecided: nothing surely meets; fails: everything fails
	Candidates []Candidate `json:"candidates"`
	Size       *float64    `json:"size,omitempty"` // points of the space; nil: it has a real axis
	Stages     []Stage     `json:"stages"`
	// Correct is a lower bound of the probability that the best is right: that of the points simulated in full
	// none that meets the limits is better by more than Indifference (Bonferroni, on common random numbers).
	Correct    float64   `json:"correct,omitempty"`
	Headroom   *Headroom `json:"headroom,omitempty"`
	Incomplete bool      `json:"incomplete,omitempty"` // the budget or the context ended before all was decided
}

// Rounds of longer simulation for undecided points: replications × 4, × 16.
const (
	rounds       = 2
	longerRounds = 4
)

// Run answers a question about the runner's model. When ctx or the budget
// ends it returns what there is, marked Incomplete.
func Run(ctx context.Context, r *experiment.Runner, q Question) (*Answer, error) {
	if q.Budget > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, q.Budget)
		defer cancel()
	}
	s, err := newSearch(r, q)
	if err != nil {
		return nil, err
	}
	if err := s.gather(ctx); err != nil {
		return nil, err
	}
	if len(s.pool) == 0 && ctx.Err() == nil {
		return nil, errors.New("the constraints leave no point of the grid")
	}
	if err := s.seek(ctx); err != nil {
		return nil, err
	}
	return s.answer(ctx)
}

// newSearch checks a question.
func newSearch(r *experiment.Runner, q Question) (*search, error) {
	switch {
	case len(q.Limits) == 0 && q.Maximise == "" && q.Minimise == "" && q.Cost == "":
		return nil, errors.New("there is nothing to optimise: give a limit, an objective or a cost")
	case q.Pareto && (q.Cost == "" || q.Maximise == "" && q.Minimise == ""):
		return nil, errors.New("a front needs two objectives: give a cost, and a metric to maximise or minimise")
	}
	s := &search{runner: r, question: q, index: map[string]*point{}}
	var err error
	if q.Cost != "" {
		if s.cost, err = experiment.Parse(q.Cost); err != nil {
			return nil, err
		}
		s.costKnown = experiment.Known(s.cost, &r.Model)
	}
	if s.space, err = newSpace(&q.Grid, &r.Model); err != nil {
		return nil, err
	}
	for i := range q.Limits {
		l := &q.Limits[i]
		s.quantities = append(s.quantities, quantity{l.Name, l.Of, l.stat(), l})
	}
	if name := q.Maximise + q.Minimise; name != "" {
		s.quantities = append(s.quantities, objectiveQuantity(name))
	}
	s.surrogates = make([]*surrogate, len(s.quantities))
	return s, nil
}

func (s *search) costOf(settings map[string]float64) (float64, error) {
	if s.cost == nil {
		return 0, nil
	}
	values := maps.Clone(s.costKnown)
	maps.Copy(values, settings)
	return s.cost.Eval(values)
}

// longer is an experiment with more replications.
func longer(e experiment.Experiment) experiment.Experiment {
	e.Replications = longerRounds * e.Options().Inputs().Replications
	e.Precision = 0
	return e
}

// note adds to what the stage of a name did.
func (s *search) note(name string, points, out int, events int64) {
	for i := range s.stages {
		if st := &s.stages[i]; st.Name == name {
			st.Points, st.Out, st.Events = st.Points+points, st.Out+out, st.Events+events
			return
		}
	}
	s.stages = append(s.stages, Stage{name, points, out, events})
}
