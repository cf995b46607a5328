package whatif

import (
	"context"
	"maps"
	"math"

	"tierscope/core"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// Name is the scenario of the runs in the ledger.
const Name = experiment.Curves

// Replications of every point: the fewest of which intervals are worth
// showing.
const Replications = 5

// Question is which configurations are simulated.
type Question struct {
	Settings map[string]float64 // what does not vary
	Knobs    []core.Parameter   // one, or two for a map
	// Around is the configuration whose values of the knobs are asked about; nil: Settings.
	Around map[string]float64
}

// mapPoints is how many values of each of two knobs are simulated.
const mapPoints = 5

// Configurations lists what is simulated, what tells most first.
func (q Question) Configurations() []map[string]float64 {
	around := q.Settings
	if q.Around != nil {
		around = q.Around
	}
	at := func(p core.Parameter) float64 {
		if v, ok := around[p.Name]; ok {
			return v
		}
		return p.Default
	}
	if len(q.Knobs) == 1 {
		var out []map[string]float64
		p := q.Knobs[0]
		for _, v := range Values(p, at(p), Points) {
			out = append(out, with(q.Settings, p.Name, v))
		}
		return out
	}
	first, second := q.Knobs[0], q.Knobs[1]
	a, b := Values(first, at(first), mapPoints), Values(second, at(second), mapPoints)
	var out []map[string]float64
	for ring := range max(len(a), len(b)) { // corners of growing squares: the map is coarse first
		for i := range a {
			for j := range b {
				if max(i, j) == ring {
					out = append(out, with(with(q.Settings, first.Name, a[i]), second.Name, b[j]))
				}
			}
		}
	}
	return out
}

// with returns settings with another value of a parameter.
func with(s map[string]float64, name string, v float64) map[string]float64 {
	out := maps.Clone(s)
	if out == nil {
		out = map[string]float64{}
	}
	out[name] = v
	return out
}

// Run simulates the configurations of a question with the seed and confidence
// of o, and tells of every one as soon as it is known; those that the ledger has
// come at once.
func Run(ctx context.Context, r *experiment.Runner, q Question, o simulation.Options, arrived func([]experiment.Point)) error {
	plan, err := r.PlanPoints(ctx, asked(o), q.Configurations())
	if err != nil {
		return err
	}
	known := 0
	tell := func(points []experiment.Point) {
		if len(points) > known {
			arrived(points[known:])
			known = len(points)
		}
	}
	var old []experiment.Point
	for _, p := range plan.Points {
		if p.Result != nil {
			old = append(old, p)
		}
	}
	if len(old) > 0 {
		arrived(old)
	}
	quick := *r
	quick.Progress = func(p experiment.Progress) { tell(p.Finished) }
	_, err = quick.Run(ctx, plan)
	return err
}

// Inputs are those of the runs that Run makes.
func Inputs(o simulation.Options) simulation.Inputs {
	e := asked(o)
	return e.Options().Inputs()
}

func asked(o simulation.Options) experiment.Experiment {
	return experiment.Experiment{Name: Name, Seed: o.Seed, Replications: Replications, Confidence: o.Confidence, Duration: o.Duration, Warmup: o.Warmup}
}

// AnchorOf is a metric of a result as a point of a curve; false where the
// result has no such mean, or where it depends on how long one looks (Grows).
func AnchorOf(r *simulation.Result, at float64, key string) (Anchor, bool) {
	m, ok := r.Find(key)
	if !ok || m.Estimate.N == 0 || Grows(r, key) {
		return Anchor{}, false
	}
	e := m.Estimate
	return Anchor{At: at, Mean: e.Mean, Lo: e.Lo, Hi: e.Hi}, true
}

// Grows reports whether queues grow for ever where a result is of, or for longer than it is of, so that the metric has no
// mean, or none that is known.
func Grows(r *simulation.Result, key string) bool {
	m, ok := r.Find(key)
	return r.Unstable || ok && r.Short && math.IsInf(m.Estimate.Hi, 1)
}
