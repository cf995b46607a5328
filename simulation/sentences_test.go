package simulation_test

import (
	"math"
	"testing"

	"tierscope/core"
	"tierscope/simulation"
)

// "The model can provide performance data for CFs (execution time τ), for a group of CFs
// (e.g. a processing time of the task by the thread), or for the whole program (e.g.
// throughput or a response time)" (Tarvo & Reiss 2014, §4.4): a thread parses for 2 ms,
// renders in two fragments of 10 and 5 ms, and is done after 17 ms.
func TestDataAreGivenForFragmentsGroupsAndTheProgram(t *testing.T) {
	t.Parallel()
	cpu := func(id, group string, seconds float64, next ...core.Edge) core.Fragment {
		return core.Fragment{ID: id, Group: group, Class: core.CPUFragment, Demand: core.Distribution{Kind: core.Constant, Value: seconds}, Next: next}
	}
	m := core.Model{Name: "page", CPU: core.CPU{Cores: 1}, Pools: []core.Pool{{ID: "main", Graph: "g", Size: 1}},
		Graphs: []core.Graph{{ID: "g", Entry: "parse", Fragments: []core.Fragment{
			cpu("parse", "", .002, core.Edge{To: "layout", Probability: 1}),
			cpu("layout", "render", .010, core.Edge{To: "paint", Probability: 1}),
			cpu("paint", "render", .005),
		}}}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	result, err := simulation.Run(t.Context(), m, nil, simulation.Options{Replications: 2, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"E fragment/g/parse mean": .002, "E fragment/g/paint mean": .005, "E group/g/render mean": .015, "T program mean": .017} {
		got, ok := result.Find(name)
		if !ok || math.Abs(got.Estimate.Mean-want) > 1e-9 {
			t.Errorf("%s is %g s (there: %t), want %g s", name, got.Estimate.Mean, ok, want)
		}
	}
}
