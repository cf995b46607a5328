package experiment

import (
	"context"
	"fmt"
	"time"

	"tierscope/core"
	"tierscope/simulation"
)

// Single simulates one configuration, or takes it from the ledger: equal
// inputs are never simulated twice. What is new is in the ledger before Single
// returns, under the name of the scenario; edits are structural changes of the
// model that come before the settings. known reports that nothing had to be
// simulated; the run then has the time at which it was made.
//
// Of options with Only the ledger keeps no more than that. What they say beyond their Inputs (budget, workers, progress)
// makes no other run, except for a timeline: a run that is asked for one is always made,
// because the ledger keeps none. When ctx ends the run has what there is and is marked as interrupted;
// one without any replication is not kept. A run that was made but could not
// be kept is returned together with the error.
func (r *Runner) Single(ctx context.Context, scenario string, edits []core.Edit, settings map[string]float64, o simulation.Options) (run Run, known bool, err error) {
	m, err := r.Model.Edited(edits...)
	if err != nil {
		return Run{}, false, err
	}
	configured, err := m.With(settings)
	if err != nil {
		return Run{}, false, fmt.Errorf("model %q: %w", m.Name, err)
	}
	run = Run{ID: ID(configured, o.Inputs()), Scenario: scenario, Edits: edits, Only: o.Only, Inputs: o.Inputs()}
	edited := Runner{Model: m, Ledger: r.Ledger}
	if r.Ledger != nil {
		_ = r.Ledger.Refresh() // what cannot be read is simulated
	}
	old := edited.find(Point{Settings: settings, ID: run.ID}, o.Only, core.Hash(m))
	if old.Known && o.Timeline == 0 {
		run.Result = old.Result
		if made, ok := r.Ledger.Find(run.ID); ok {
			run.Time = made.Time
		}
		return run, true, nil
	}
	run.Time = time.Now().UTC()
	if run.Result, err = r.Simulate(ctx, m, settings, o); err != nil {
		return Run{}, false, err
	}
	run.Result = trimmed(run.Result, o.Only)
	if old.Known {
		return run, false, nil
	}
	return run, false, r.keep(ctx, run)
}

// PlanSingle says what Single would do: a plan of one run.
func (r *Runner) PlanSingle(ctx context.Context, edits []core.Edit, settings map[string]float64, o simulation.Options) (*Plan, error) {
	m, err := r.Model.Edited(edits...)
	if err != nil {
		return nil, err
	}
	edited := Runner{Model: m, Ledger: r.Ledger}
	return edited.plan(ctx, Experiment{Only: o.Only}, o.Inputs(), each([]map[string]float64{settings}))
}
