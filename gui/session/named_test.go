package session_test

import (
	"maps"
	"testing"

	"tierscope/gui/session"
)

// The size of the pool is the parameter "workers", however it is set: by the inspector of the pool, by what a finding
// proposes, by a file. No two settings contradict each other.
func TestAQuantityHasOneSetting(t *testing.T) {
	s := comparing(t) // workers 1
	is := func(when string, want map[string]float64) {
		t.Helper()
		if got := s.Scenario().Settings; !maps.Equal(got, want) {
			t.Errorf("%s the settings are %v, want %v", when, got, want)
		}
		if _, _, err := s.Estimate(s.Scenario()); err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
	s.Set("pools/worker/size", 8)
	is("after the path was set", map[string]float64{"workers": 8})
	s.Set("workers", 2)
	is("after the parameter was set", map[string]float64{"workers": 2})
	s.AddSettings("try", map[string]float64{"pools/worker/size": 6, "sources/clients/rate": 90})
	is("as proposed", map[string]float64{"workers": 6, "rate": 90})
	s.Restore([]session.Scenario{{Name: "old", Settings: map[string]float64{"pools/worker/size": 8}}, {Name: "odd", Settings: map[string]float64{"pools/worker/size": 100}}})
	s.UseScenario(1)
	is("from a file", map[string]float64{"workers": 8})
	s.UseScenario(2)
	s.Set("workers", 3)
	is("beside a size that the parameter cannot have", map[string]float64{"workers": 3})
}
