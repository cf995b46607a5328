package session

import (
	"tierscope/core"
	"tierscope/gui/recipe"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// runs are the simulated configurations of the open model and what simulates
// more of them.
type runs struct {
	all      []experiment.Run // in the order in which they were made
	byID     map[string]int
	ledger   *experiment.Ledger
	pool     *simulation.Pool
	simulate experiment.Simulate
}

// UseSimulator says what simulates configurations: simulation.Run, or a
// stand-in for it in tests. The pool is shared by all runs of the window.
func (s *Session) UseSimulator(f experiment.Simulate, pool *simulation.Pool) {
	s.runs.simulate, s.runs.pool = f, pool
}

// Simulator returns what simulates configurations, and its pool.
func (s *Session) Simulator() (experiment.Simulate, *simulation.Pool) {
	return s.runs.simulate, s.runs.pool
}

// UseLedger makes l the ledger of the open project, with the runs that it
// holds. nil keeps runs in memory only. A previous ledger is closed.
func (s *Session) UseLedger(l *experiment.Ledger, known []experiment.Run) error {
	var err error
	if s.runs.ledger != nil {
		err = s.runs.ledger.Close()
	}
	s.runs.ledger, s.runs.all, s.runs.byID = l, nil, map[string]int{}
	for _, r := range known {
		s.keep(r)
	}
	s.emit(RunsChanged)
	return err
}

// Ledger returns the ledger of the open project, nil if there is none.
func (s *Session) Ledger() *experiment.Ledger { return s.runs.ledger }

// Runs returns all runs of the open project, oldest first. Runs of earlier
// revisions of the model are among them: see experiment.Run.Result.ModelHash.
func (s *Session) Runs() []experiment.Run { return s.runs.all }

// Run returns the run with an ID.
func (s *Session) Run(id string) (experiment.Run, bool) {
	i, ok := s.runs.byID[id]
	if !ok {
		return experiment.Run{}, false
	}
	return s.runs.all[i], true
}

// AddRun shows a run that has just been made. It is in the ledger already, if
// there is one.
func (s *Session) AddRun(r experiment.Run) {
	s.keep(r)
	s.emit(RunsChanged)
}

// keep notes a run; one with the same ID replaces it, as a complete run does
// an interrupted one.
func (s *Session) keep(r experiment.Run) {
	if s.runs.byID == nil {
		s.runs.byID = map[string]int{}
	}
	if i, ok := s.runs.byID[r.ID]; ok {
		s.runs.all[i] = r
		return
	}
	s.runs.byID[r.ID] = len(s.runs.all)
	s.runs.all = append(s.runs.all, r)
}

// Predictions returns what the runs of the open model in its present revision
// have shown, for figures.
func (s *Session) Predictions() []recipe.Observation {
	if s.model == nil {
		return nil
	}
	hash, defaults := core.Hash(*s.model), Defaults(s.model)
	var all []recipe.Observation
	for _, r := range s.runs.all {
		if r.Result.ModelHash == hash {
			all = append(all, recipe.FromResult(r.Result, defaults, r.ID)...)
		}
	}
	return all
}

// Defaults returns the parameters of a model with their default values.
func Defaults(m *core.Model) map[string]float64 {
	values := make(map[string]float64, len(m.Parameters))
	for _, p := range m.Parameters {
		values[p.Name] = p.Default
	}
	return values
}
