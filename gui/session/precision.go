package session

import (
	"math"

	"tierscope/core/quantity"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

// OptionsOf returns how a scenario is simulated: as the preferences ask for, or more precisely (Sharpen).
func (s *Session) OptionsOf(c Scenario) simulation.Options {
	o := s.Options()
	if n := s.sharper[configuration(c)]; n > 0 {
		o.Replications = o.Inputs().Replications << n
		o.Precision /= float64(int(1) << n)
	}
	return o
}

// Sharpen simulates a scenario with twice the replications, to half the precision, and the baseline as well, as a
// difference is as sharp as its duller side. The preferences stay as they are.
func (s *Session) Sharpen(c Scenario) {
	n := s.sharper[configuration(c)] + 1
	for _, x := range []Scenario{s.deck.scenarios[0], c} {
		if id := configuration(x); s.sharper[id] < n {
			s.sharper[id] = n
			s.Simulate(x)
		}
	}
}

// narrower is the share of a half-width that twice the replications have to leave at most, so that they are worth their time.
const narrower = 0.95

// Limit says why more replications would make neither the answer of a scenario nor its difference to the baseline more
// precise; "" if they would, or if nothing is known yet.
func (s *Session) Limit(c Scenario) string {
	o, base := s.Outcome(c), s.Outcome(s.deck.scenarios[0])
	if o == nil || o.Result == nil || o.Job != nil && o.Job.State == Running {
		return ""
	}
	var all []output.Estimate
	times := func(m simulation.Metric) bool { return ofAll(m) && m.Name != "X" } // a throughput is what arrives
	for _, m := range o.Result.Metrics {
		if times(m) && Tells(o.Result, m) {
			all = append(all, m.Estimate)
		}
	}
	if len(all) == 0 {
		return ""
	}
	if base != nil && base != o && base.Result != nil {
		for _, d := range simulation.Compare(base.Result, o.Result, times) {
			all = append(all, d.Absolute)
		}
	}
	for _, e := range all {
		scatter, inputs := e.Shares()
		if half := e.HalfWidth(); half > 0 && !(math.Hypot(scatter/math.Sqrt2, inputs) > narrower*half) {
			return ""
		}
	}
	if _, inputs := all[0].Shares(); inputs > 0 {
		return "the " + quantity.PlusMinus(inputs/math.Abs(all[0].Mean)) + " left are not known of the model"
	}
	return "more would say the same"
}
