package whatif

import (
	"context"
	"math"
	"slices"

	"tierscope/core"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// Refinements is how many more values are simulated where the curve through the first ones is known least.
const Refinements = 3

// wellKnown is the factor to which a curve, or the value from which on queues grow, is known well enough. Theory: what grade A promises of models.
const wellKnown = 1.1

// Refine simulates up to Refinements further configurations of a question about one knob, each chosen by what is there already, and tells of
// every one as soon as it is known. simulated are the points of Run.
func Refine(ctx context.Context, r *experiment.Runner, q Question, o simulation.Options, simulated []experiment.Point, arrived func([]experiment.Point)) error {
	if len(q.Knobs) != 1 {
		return nil
	}
	knob, key := q.Knobs[0], Response(&r.Model)
	results := map[float64]*simulation.Result{}
	for _, p := range simulated {
		if p.Result != nil {
			results[p.Settings[knob.Name]] = p.Result
		}
	}
	for range Refinements {
		v, ok := Next(knob, results, key)
		if !ok {
			return nil
		}
		plan, err := r.PlanPoints(ctx, asked(o), []map[string]float64{with(q.Settings, knob.Name, v)})
		if err != nil {
			return err
		}
		quick := *r
		quick.Progress = nil
		if plan, err = quick.Run(ctx, plan); err != nil {
			return err
		}
		results[v] = plan.Points[0].Result
		arrived(plan.Points)
	}
	return nil
}

// Response is the key of the metric by which curves are refined: how long the program takes, or the tasks of its first clients.
func Response(m *core.Model) string {
	if len(m.Sources) == 0 {
		return "T program mean"
	}
	return "R class/" + m.Sources[0].Class + " mean"
}

// Next is the value of a knob of which a simulation tells most beside those whose results are there: in the middle between two
// where queues grow at one of them only, or between which the curve of a metric may stray farthest. False: what is there is enough.
func Next(p core.Parameter, results map[float64]*simulation.Result, key string) (v float64, ok bool) {
	var anchors []Anchor
	var values []float64
	grows := map[float64]bool{}
	for v, r := range results {
		if a, known := AnchorOf(r, v, key); known {
			anchors, values = append(anchors, a), append(values, v)
		} else if Grows(r, key) {
			grows[v], values = true, append(values, v)
		}
	}
	slices.Sort(values)
	curve, widest := NewCurve(anchors, nil), 0.0
	for i := 1; i < len(values); i++ {
		a, b := values[i-1], values[i]
		width := 0.0
		switch {
		case grows[a] != grows[b] && b > wellKnown*a:
			width = math.Inf(1)
		case !grows[a] && !grows[b] && curve != nil:
			width = curve.strays(a)
		}
		m := middle(a, b, values[0] > 0)
		if p.Integer {
			m = math.Round(m)
		}
		if width > widest && m > a && m < b {
			v, ok, widest = m, true, width
		}
	}
	return v, ok
}

// strays is by how much the curve may stray between a point and the next, on its scale, if that is more than what simulations leave unknown of both and than
// how well it has to be known; else 0.
func (c *Curve) strays(at float64) float64 {
	i := min(before(c.anchors, at), len(c.anchors)-2)
	stray := max(c.surprise[i], c.surprise[i+1])
	enough := math.Log(wellKnown)
	if !c.ratios {
		enough = (wellKnown - 1) * max(math.Abs(c.anchors[i].Mean), math.Abs(c.anchors[i+1].Mean))
	}
	for _, a := range c.anchors[i : i+2] {
		below, above := a.noise(c.y)
		enough = max(enough, below, above)
	}
	if stray <= enough {
		return 0
	}
	return stray
}
