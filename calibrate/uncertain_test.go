package calibrate

import (
	"math"
	"testing"

	"tierscope/analysis/trust"
	"tierscope/core"
)

func loaded() core.Model {
	return core.Model{
		CPU: core.CPU{Cores: 1}, Sources: []core.Source{{ID: "clients", Kind: core.Poisson, Rate: 20, Class: "task", To: "q"}}, Classes: []core.Class{{ID: "task"}},
		Graphs: []core.Graph{{ID: "g", Entry: "w", Fragments: []core.Fragment{{ID: "w", Class: core.CPUFragment, Demand: core.Const(.01)}}}},
	}
}

// Near saturation R follows demands twice as strongly: measured 21 % above what was predicted, it shows demands that are
// 10 % larger. Throughput that was predicted 10 % too high says the same, as it falls with them; and what does not follow demands
// says nothing of them.
func TestResponseTimesTellOfDemands(t *testing.T) {
	t.Parallel()
	m := loaded()
	check := func(rate float64, metric string, measured, predicted, follows float64) trust.Check {
		return trust.Check{At: map[string]float64{"sources/clients/rate_per_s": rate}, Metric: metric, Measured: measured, Predicted: &predicted, Runs: 3, Follows: &follows}
	}
	Hold(&m, trust.Evidence{}, []trust.Check{check(10, "R", 1.21, 1, 2), check(99, "X", 1, 1.1, -1), {At: map[string]float64{"sources/clients/rate_per_s": 20}, Metric: "R", Measured: 5, Predicted: new(1.0), Runs: 3}})
	if len(m.Checked) != 2 || math.Abs(m.Checked[0].Off-math.Log(1.1)) > 1e-12 || math.Abs(m.Checked[1].Off-math.Log(1.1)) > 1e-12 {
		t.Fatalf("demands are off by %+v, want ln 1.1 in two configurations", m.Checked)
	}
	if c := m.Correction(); c < .05 || c > .1 {
		t.Errorf("at 20/s the model is corrected by %.3f, want a little less than 10 %%", c)
	}
	within := Within(&m, []trust.Check{check(10, "R", 1.21, 1, 2)})
	if once := Within(&m, nil); math.Abs(math.Log1p(within)-2*math.Log1p(once)) > 1e-9 {
		t.Errorf("R that follows demands twice as strongly is within %.3f, demands within %.3f", within, once)
	}
}

// Response times that do not follow demands show how large errors are: two that are right make it likely that others are, one that is
// half of what was predicted makes intervals contain that, and no model is corrected.
func TestWhatDoesNotFollowDemandsTellsHowLargeErrorsAre(t *testing.T) {
	t.Parallel()
	deviation := func(measured ...float64) float64 {
		m := loaded()
		var checks []trust.Check
		for i, r := range measured {
			checks = append(checks, trust.Check{At: map[string]float64{"sources/clients/rate_per_s": float64(20 * (i + 1))}, Metric: "R", Measured: r, Predicted: new(1.0), Runs: 3})
		}
		Hold(&m, trust.Evidence{}, checks)
		if len(m.Checked) != 0 || m.Correction() != 0 {
			t.Errorf("the model is corrected by %v", m.Checked)
		}
		return m.Uncertain[len(m.Uncertain)-1].Deviation
	}
	nothing, right, wrong := deviation(), deviation(1.01, .99), deviation(.5, .5)
	if right > nothing/2 || core.Normal95*wrong < math.Log(2) {
		t.Errorf("without a check ±%.2f, where two agree ±%.2f, where R is half of it ±%.2f", nothing, right, wrong)
	}
}

// A program that nobody ran with other settings has no better grade than the intervals of its predictions allow, a batch
// program as a server.
func TestAModelWithoutChecksPromisesNoMoreThanItsIntervals(t *testing.T) {
	t.Parallel()
	for _, m := range []core.Model{{Name: "batch"}, {Name: "server", Sources: []core.Source{{ID: "clients"}}}} {
		Hold(&m, trust.Evidence{Plain: []float64{1, 1, 1}, CPU: []float64{1, 1, 1}}, nil)
		squares := 0.0
		for _, u := range m.Uncertain {
			squares += u.Deviation * u.Deviation
		}
		half, x := math.Expm1(core.Normal95*math.Sqrt(squares)), trust.Trust{Grade: "A"}
		x.Check(nil, Within(&m, nil))
		if x.Grade != trust.GradeOf(half) || len(x.Reasons) != 1 {
			t.Errorf("%s: grade %s (%v), its intervals are ±%.2f", m.Name, x.Grade, x.Reasons, half)
		}
	}
}

// A model that says a ten-thousandth of what was measured is held against that like one that says a thousandth, and stays a model.
func TestAModelThatIsWholeOrdersOffStaysValid(t *testing.T) {
	t.Parallel()
	m := core.Model{
		Name: "m", CPU: core.CPU{Cores: 1}, Pools: []core.Pool{{ID: "main", Graph: "g", Size: 1, Main: true}},
		Graphs: []core.Graph{{ID: "g", Entry: "w", Fragments: []core.Fragment{{ID: "w", Class: core.CPUFragment, Demand: core.Const(1e-4)}}}},
	}
	Hold(&m, trust.Evidence{}, []trust.Check{{At: map[string]float64{"cpu/cores": 2}, Metric: "T", Measured: 1, Predicted: new(1e-4), Runs: 3}})
	if err := m.Validate(); err != nil {
		t.Error(err)
	}
	if len(m.Checked) != 1 || m.Checked[0].Off != core.MostOff {
		t.Errorf("it was held against %+v", m.Checked)
	}
}

// A server beside which others ran has intervals by what they can have caused: wider than where nobody did, and narrower than without
// any check. Where nobody knows what they caused, they are as without.
func TestDisturbedChecksCountAsFarAsTheyAreKnown(t *testing.T) {
	t.Parallel()
	within := func(disturbed string, noise float64) float64 {
		m := loaded()
		var checks []trust.Check
		for _, rate := range []float64{10, 30} {
			checks = append(checks, trust.Check{At: map[string]float64{"sources/clients/rate_per_s": rate}, Metric: "R", Measured: 1.02, Predicted: new(1.0), Runs: 3,
				Follows: new(1.0), Disturbed: disturbed, Noise: noise})
		}
		Hold(&m, trust.Evidence{}, checks)
		return Within(&m, checks)
	}
	quiet, beside, unknown := within("", 0), within("others ran", .1), within("others ran", 0)
	m := loaded()
	Hold(&m, trust.Evidence{}, nil)
	if nothing := Within(&m, nil); !(quiet < beside && beside < .8*nothing) || math.Abs(unknown-nothing) > 1e-9 {
		t.Errorf("±%.2f quiet, ±%.2f beside others, ±%.2f beside nobody knows what, ±%.2f without a check", quiet, beside, unknown, nothing)
	}
}
