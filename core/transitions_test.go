package core_test

import (
	"math"
	"testing"

	"tierscope/core"
)

// looping is a thread that computes and goes round: 9 times again, once to its end.
func looping() core.Model {
	return core.Model{
		Name: "loop", CPU: core.CPU{Cores: 1},
		Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}},
		Graphs: []core.Graph{{ID: "main", Entry: "work", Fragments: []core.Fragment{
			{ID: "work", Class: core.CPUFragment, Demand: core.Const(1), Order: []core.Streak{{Value: 0, Times: 9}, {Value: 1, Times: 1}},
				Next: []core.Edge{{To: "work", Probability: .9, Count: 9}, {To: "end", Probability: .1, Count: 1, Last: true}}},
			{ID: "end", Class: core.CPUFragment, Demand: core.Const(1)},
		}}},
	}
}

// Twice as many transitions back, 18 of 19, are twice as many rounds; the order of those that were recorded is not theirs. The
// model itself stays as it is.
func TestATransitionThatIsTakenMoreOftenIsMoreLikely(t *testing.T) {
	t.Parallel()
	m := looping()
	with, err := m.With(map[string]float64{"graphs/main/fragments/work/next/work/count": 18})
	if err != nil {
		t.Fatal(err)
	}
	f := with.Graphs[0].Fragments[0]
	if p := f.Next[0].Probability; math.Abs(p-18.0/19) > 1e-12 || f.Order != nil {
		t.Errorf("it goes back with probability %v and in the order %v, want 18/19 and none", p, f.Order)
	}
	if p := m.Graphs[0].Fragments[0].Next[0].Probability; p != .9 {
		t.Errorf("the model's own probability has become %v", p)
	}
	for _, k := range m.Knobs() {
		if k.Unit == "times" {
			t.Errorf("%s is listed: transitions are too many for a list", k.Path)
		}
	}
}

// Rows take a time that is as the square of the width, and so many of another setting: with both doubled a row takes
// 2² · 2 times as long, and what sets the number besides is multiplied too.
func TestParametersThatMultiplyANumberDoSoTogether(t *testing.T) {
	t.Parallel()
	m := looping()
	path := "graphs/main/fragments/work/scale"
	m.Parameters = []core.Parameter{
		{Name: "width", Default: 100, Min: 10, Max: 1000, Targets: []core.Target{{Path: path, Factor: 1e-4, Power: 2, Multiplies: true}}},
		{Name: "limit", Default: 10, Min: 1, Max: 100, Targets: []core.Target{{Path: path, Factor: .1, Multiplies: true}}},
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	with, err := m.With(map[string]float64{"width": 200, "limit": 20, path: 3})
	if err != nil {
		t.Fatal(err)
	}
	if s := with.Graphs[0].Fragments[0].Scale; math.Abs(s-3*4*2) > 1e-9 {
		t.Errorf("the scale is %v, want 3·2²·2", s)
	}
	m.Parameters[0].Targets[0].Factor = 1
	if err := m.Validate(); err == nil {
		t.Error("a parameter that multiplies at its default is valid")
	}
}
