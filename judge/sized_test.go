package judge

import (
	"testing"

	"tierscope/analysis/trust"
	"tierscope/core"
)

// Runs are made of what sets a number of threads, can be told the program, and was another number in a check.
func TestNumbersOfThreadsThatChecksVariedAreTried(t *testing.T) {
	t.Parallel()
	sizes := func(name, how, pool string) core.Parameter {
		return core.Parameter{Name: name, How: how, Default: 2, Min: 1, Max: 8, Integer: true, Targets: []core.Target{{Path: "pools/" + pool + "/size"}}}
	}
	m := core.Model{CPU: core.CPU{Cores: 2},
		Pools: []core.Pool{{ID: "a", Size: 2}, {ID: "b", Size: 2}, {ID: "c", Size: 2}},
		Parameters: []core.Parameter{
			{Name: "cores", How: "GOMAXPROCS={value}", Default: 2, Min: 1, Max: 8, Targets: []core.Target{{Path: "cpu/cores"}}},
			sizes("a", "-a {value}", "a"), sizes("b", "", "b"), sizes("c", "-c {value}", "c"),
		}}
	checks := []trust.Check{
		{At: map[string]float64{"cpu/cores": 1, "pools/a/size": 4}},
		{At: map[string]float64{"pools/b/size": 4}},
		{At: map[string]float64{"cpu/cores": 1, "pools/c/size": 2}},
	}
	if ps := varied(&m, checks); len(ps) != 1 || ps[0].Name != "a" {
		t.Errorf("%+v are tried, want a alone", ps)
	}
}
