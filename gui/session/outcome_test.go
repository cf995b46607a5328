package session

import (
	"context"
	"testing"

	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/simulation"
)

// A scenario that is asked about again while its cancelled run is still on its way out is simulated to its end, and
// what the cancelled run had does not take the place of that.
func TestAScenarioThatIsAskedAboutAgainIsCompleted(t *testing.T) {
	t.Parallel()
	s := New(background.NewLocal(), nil)
	s.UseSimulator(func(ctx context.Context, m core.Model, _ map[string]float64, _ simulation.Options) (*simulation.Result, error) {
		return &simulation.Result{ModelHash: core.Hash(m), Replications: 2, Interrupted: ctx.Err() != nil}, nil
	}, simulation.NewPool(1))
	s.SetModel(&core.Model{Name: "shop"}, "")
	s.Simulate(s.Scenario())
	s.Outcome(s.Scenario()).Job.Cancel()
	s.Simulate(s.Scenario())
	s.Runner.Settle()
	if o := s.Outcome(s.Scenario()); o == nil || o.Result == nil || o.Result.Interrupted {
		t.Errorf("the outcome is %+v, want a complete result", o)
	}
	if all := s.Runs(); len(all) != 1 || all[0].Result.Interrupted {
		t.Errorf("the runs are %+v, want the complete one", all)
	}
}
