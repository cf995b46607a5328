package session_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
	"tierscope/simulation"
)

// One answer becomes more precise, with the baseline that it is compared with; the preferences, which are those of every other
// scenario and project, stay.
func TestMorePreciseIsOneAnswer(t *testing.T) {
	s := comparing(t)
	var lock sync.Mutex
	replications := map[string]int{}
	s.UseSimulator(func(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error) {
		lock.Lock()
		name := session.Changes(settings, nil)
		replications[name] = max(replications[name], o.Replications)
		lock.Unlock()
		return pagetest.Simulate(ctx, m, settings, o)
	}, simulation.NewPool(1))
	before := s.Settings()
	a := s.Scenario()
	s.AddSettings("B", map[string]float64{"workers": 2})
	for _, c := range s.Scenarios() {
		s.Simulate(c)
	}
	s.Sharpen(a)
	s.Sharpen(a)
	s.Runner.Settle()
	for name, want := range map[string]int{"baseline": 40, "workers 1": 40, "workers 2": 10} {
		if got := replications[name]; got != want {
			t.Errorf("%s has %d replications, want %d", name, got, want)
		}
	}
	if s.Settings() != before {
		t.Errorf("the preferences are %+v, want %+v", s.Settings(), before)
	}
	if o := s.Outcome(a); o == nil || o.Result == nil || !strings.Contains(s.Command(a), "--reps 40 --precision 1.25%") {
		t.Errorf("the answer is %+v, its command %q", o, s.Command(a))
	}
}

// R is known to ±5 % by replications: twice as many would make that ±3.5 %. Where ±39 % is not known of the model, they would
// make it no less.
func TestReplicationsAreNotOfferedWhereTheyDoNotHelp(t *testing.T) {
	for _, unsure := range []bool{false, true} {
		s := session.New(background.NewLocal(), nil)
		s.UseSimulator(func(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error) {
			r, err := pagetest.Simulate(ctx, m, settings, o)
			for i := range r.Metrics {
				if e := &r.Metrics[i].Estimate; unsure {
					*e = e.WithInputs([]float64{-.2 * e.Mean, .2 * e.Mean})
				}
			}
			return r, err
		}, simulation.NewPool(1))
		s.SetModel(pagetest.Model(), "")
		base := s.Scenarios()[0]
		if got := s.Limit(base); got != "" {
			t.Errorf("before anything is known: %q", got)
		}
		s.Simulate(base)
		s.Runner.Settle()
		if got := s.Limit(base); unsure != strings.HasPrefix(got, "the ±39 % left are not known of the model") { // 1.96 × 20 %
			t.Errorf("unsure %t: %q", unsure, got)
		}
	}
}
