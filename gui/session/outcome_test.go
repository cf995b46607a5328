package session

import (
	"context"
	"slices"
	"testing"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/gui/background"
	"tierscope/simulation"
	"tierscope/simulation/output"
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

// Ten replications give 9 to 11 ms. The half of it that is not known of the model is simulated after them, and makes that
// 7 to 13 ms: until then only the mean is told, also when somebody has waited long enough.
func TestIntervalsThatLackWhatIsNotKnownAreNotShown(t *testing.T) {
	t.Parallel()
	ten := output.Estimate{Mean: .010, Lo: .009, Hi: .011, N: 10, Confidence: .95, Samples: []float64{.009, .010, .011}}
	whole := ten
	whole.Lo, whole.Hi = .007, .013
	for name, cut := range map[string]bool{"to its end": false, "until somebody has enough": true} {
		s := New(background.NewLocal(), nil)
		s.UseSimulator(func(_ context.Context, m core.Model, _ map[string]float64, o simulation.Options) (*simulation.Result, error) {
			of := func(e output.Estimate, interrupted bool) *simulation.Result {
				return &simulation.Result{ModelHash: core.Hash(m), Replications: 10, Interrupted: interrupted,
					Metrics: []simulation.Metric{{Name: "R", Of: "class/task", Stat: "mean", Unit: "s", Estimate: e}}}
			}
			o.Progress(simulation.Progress{Replications: 10, Planned: 10, Partial: of(ten, false), WithoutInputs: true})
			if text := Precision(simulation.Progress{Replications: 10, Planned: 10, Precision: .1, WithoutInputs: true}); text != "10 of 10 replications" {
				t.Errorf("the run says that it is as sharp as %q", text)
			}
			if cut {
				return of(ten, true), nil
			}
			return of(whole, false), nil
		}, simulation.NewPool(1))
		s.SetModel(&core.Model{Name: "shop"}, "")
		var seen []string
		preliminary := false
		s.Subscribe(func(Event) {
			if o := s.Outcome(s.Scenario()); o != nil && o.Result != nil {
				e := o.Result.Metrics[0].Estimate
				seen = append(seen, quantity.Amount(e.Mean, e.Lo, e.Hi, "s"))
				preliminary = o.Preliminary
			}
		})
		s.Simulate(s.Scenario())
		s.Runner.Settle()
		seen = slices.Compact(seen)
		want := []string{"10.0 ms (no interval yet)", "10.0 ms [7.0, 13.0]"}
		if cut {
			want = want[:1]
		}
		if !slices.Equal(seen, want) || preliminary != cut {
			t.Errorf("%s: one sees %q, want %q", name, seen, want)
		}
	}
}
