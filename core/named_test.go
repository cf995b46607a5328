package core_test

import (
	"maps"
	"slices"
	"testing"

	"tierscope/core"
)

// The pool of the web server has its size from the parameter "workers": whoever sets it, by whichever name, sets that.
func TestWhatAParameterSetsHasOneName(t *testing.T) {
	t.Parallel()
	m := perCore()
	m.Parameters = append(m.Parameters, core.Parameter{Name: "think", Default: 5, Min: 1, Max: 100, Targets: []core.Target{{Path: "disks/sda/latency", Factor: 1e-3}}})
	for _, c := range []struct {
		was  map[string]float64
		name string
		v    float64
		want map[string]float64
	}{
		{nil, "pools/worker/size", 8, map[string]float64{"workers": 8}},
		{map[string]float64{"workers": 2}, "pools/worker/size", 8, map[string]float64{"workers": 8}},
		{map[string]float64{"pools/worker/size": 100}, "workers", 2, map[string]float64{"workers": 2}},
		{map[string]float64{"cores": 2}, "disks/sda/latency", .007, map[string]float64{"cores": 2, "think": 7}},
		{map[string]float64{"workers": 2}, "pools/worker/size", 100, map[string]float64{"pools/worker/size": 100}}, // not within 1…64
		{map[string]float64{"cores": 2}, "disks/sda/depth", 4, map[string]float64{"cores": 2, "disks/sda/depth": 4}},
	} {
		got := m.Put(c.was, c.name, c.v)
		if !maps.Equal(got, c.want) {
			t.Errorf("%s = %g in %v: %v, want %v", c.name, c.v, c.was, got, c.want)
		}
		if _, err := m.With(got); err != nil {
			t.Errorf("%v: %v", got, err)
		}
	}
}

// A configuration with other names is the same configuration: what follows a parameter does not follow the path that it sets,
// and two pools of one size are not one pool of it.
func TestNamedSettingsAreTheSameConfiguration(t *testing.T) {
	t.Parallel()
	m := perCore()
	two := perCore()
	two.Parameters[1].Targets = append(two.Parameters[1].Targets, core.Target{Path: "locks/L3/instances"})
	for _, c := range []struct {
		m         core.Model
		was, want map[string]float64
	}{
		{m, map[string]float64{"pools/worker/size": 8}, map[string]float64{"workers": 8, "speed": 1}},
		{m, map[string]float64{"cpu/cores": 16}, map[string]float64{"cores": 16, "workers": 4}},
		{m, map[string]float64{"cpu/cores": 16, "workers": 3}, map[string]float64{"cores": 16, "workers": 3}},
		{m, map[string]float64{"pools/worker/size": 100}, map[string]float64{"pools/worker/size": 100}},
		{m, map[string]float64{"disks/sda/depth": 4}, map[string]float64{"disks/sda/depth": 4}},
		{two, map[string]float64{"pools/worker/size": 8}, map[string]float64{"pools/worker/size": 8}},
		{two, map[string]float64{"pools/worker/size": 8, "locks/L3/instances": 8, "speed": 2}, map[string]float64{"workers": 8, "speed": 2}},
	} {
		got := c.m.Named(c.was)
		if !maps.Equal(got, c.want) {
			t.Errorf("%v is %v, want %v", c.was, got, c.want)
		}
		a, err := c.m.With(c.was)
		if err != nil {
			t.Fatal(err)
		}
		b, err := c.m.With(got)
		if err != nil || !slices.Equal(a.Knobs(), b.Knobs()) {
			t.Errorf("%v and %v are two configurations (%v)", c.was, got, err)
		}
	}
}
