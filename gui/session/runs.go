package session

import (
	"context"
	"errors"
	"maps"
	"slices"

	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/gui/recipe"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// runs are the simulated configurations of the open model and what simulates
// more of them.
type runs struct {
	all         []experiment.Run // in the order in which they were made
	byID        map[string]int
	ledger      *experiment.Ledger
	pool        *simulation.Pool
	simulate    experiment.Simulate
	paused      bool
	predictions []recipe.Observation // of all; nil: to be worked out
	version     int                  // grows with every change of all
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

// Experimenter returns what runs experiments on the open model: with its
// ledger, and the pool of the window. progress may be nil.
func (s *Session) Experimenter(progress func(experiment.Progress)) *experiment.Runner {
	return &experiment.Runner{Model: *s.model, Ledger: s.runs.ledger, Pool: s.runs.pool, Simulate: s.runs.simulate, Progress: progress}
}

// Kept returns what simulates the open model by way of the ledger: what it
// holds is not simulated again, and what is new is kept and is among the runs.
// It may be called from any goroutine; a run that cannot be kept is still a
// result.
func (s *Session) Kept(scenario string) experiment.Simulate {
	runner, model := s.Experimenter(nil), s.model
	return func(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error) {
		r := *runner
		r.Model = m
		run, _, err := r.Single(ctx, scenario, nil, settings, o)
		if run.Result == nil {
			return nil, err
		}
		s.Runner.Post(func() {
			if s.model == model {
				s.AddRuns(run)
			}
		})
		return run.Result, nil
	}
}

// Paused reports whether no new replications start.
func (s *Session) Paused() bool { return s.runs.paused }

// Pause keeps new replications of all runs from starting, until it is called
// with false. Those that run go on to their end.
func (s *Session) Pause(on bool) {
	if s.runs.pool == nil || on == s.runs.paused {
		return
	}
	s.runs.paused = on
	if on {
		s.runs.pool.Pause()
	} else {
		s.runs.pool.Resume()
	}
	s.emit(JobsChanged)
}

// UseLedger makes l the ledger of the open project, with the runs that it
// holds. nil keeps runs in memory only. A previous ledger is closed.
func (s *Session) UseLedger(l *experiment.Ledger, known []experiment.Run) error {
	var err error
	if s.runs.ledger != nil {
		err = s.runs.ledger.Close()
	}
	s.runs.ledger, s.runs.all, s.runs.byID, s.runs.predictions = l, nil, map[string]int{}, nil
	s.runs.version++
	for _, r := range known {
		s.keep(r)
	}
	s.emit(RunsChanged)
	return err
}

// Ledger returns the ledger of the open project, nil if there is none.
func (s *Session) Ledger() *experiment.Ledger { return s.runs.ledger }

// Reload shows the runs that the ledger has and the window does not, such as
// those that a search has made on its way.
func (s *Session) Reload() {
	l, known := s.runs.ledger, maps.Clone(s.runs.byID)
	if l == nil {
		return
	}
	background.Start(s.Runner, func(context.Context, func(struct{})) ([]experiment.Run, error) {
		var missing []experiment.Run
		var problems []error
		for r, err := range l.All() {
			if err != nil {
				problems = append(problems, err)
			} else if _, ok := known[r.ID]; !ok {
				missing = append(missing, r)
			}
		}
		return missing, errors.Join(problems...)
	}, nil, func(missing []experiment.Run, err error) {
		if s.runs.ledger != l {
			return // another project is open
		}
		for _, r := range missing {
			s.keep(r)
		}
		s.emit(RunsChanged)
		if err != nil {
			s.Notify(Failure("Some runs of the ledger could not be read.", err))
		}
	})
}

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

// RunsVersion is another number after every change of the runs.
func (s *Session) RunsVersion() int { return s.runs.version }

// AddRuns shows runs that have just been made. They are in the ledger already, if
// there is one; what was cancelled before its first replication is in neither.
func (s *Session) AddRuns(some ...experiment.Run) {
	some = slices.DeleteFunc(slices.Clone(some), func(r experiment.Run) bool { return r.Result.Replications == 0 })
	if len(some) == 0 {
		return
	}
	for _, r := range some {
		s.keep(r)
	}
	s.emit(RunsChanged)
}

// keep notes a run; one with the same ID replaces it, unless that is complete
// and the other one was interrupted.
func (s *Session) keep(r experiment.Run) {
	if s.runs.byID == nil {
		s.runs.byID = map[string]int{}
	}
	s.runs.predictions = nil
	s.runs.version++
	if i, ok := s.runs.byID[r.ID]; ok {
		if !r.Result.Interrupted || s.runs.all[i].Result.Interrupted {
			s.runs.all[i] = r
		}
		return
	}
	s.runs.byID[r.ID] = len(s.runs.all)
	s.runs.all = append(s.runs.all, r)
}

// manyRuns is from how many runs on what they have shown is worked out in the background.
const manyRuns = 500

// WithPredictions calls f with Predictions: at once, or, of many runs that were not looked at yet, later.
func (s *Session) WithPredictions(f func([]recipe.Observation)) (later bool) {
	if s.model == nil || s.runs.predictions != nil || len(s.runs.all) < manyRuns {
		f(s.Predictions())
		return false
	}
	model, version, all := s.model, s.runs.version, slices.Clone(s.runs.all)
	background.Start(s.Runner, func(context.Context, func(struct{})) ([]recipe.Observation, error) {
		return recipe.FromRuns(all, model), nil
	}, nil, func(o []recipe.Observation, err error) {
		if err == nil && s.model == model && s.runs.version == version {
			s.runs.predictions = o
			f(o)
		}
	})
	return true
}

// Predictions returns what the runs of the open model in its present revision
// have shown, for figures.
func (s *Session) Predictions() []recipe.Observation {
	if s.model == nil {
		return nil
	}
	if s.runs.predictions == nil {
		s.runs.predictions = recipe.FromRuns(s.runs.all, s.model)
	}
	return s.runs.predictions
}
