package scenarios

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"tierscope/core"
	"tierscope/gui/session"
	"tierscope/simulation"
	"tierscope/simulation/whatif"
)

// drawing is what is known of a metric of a scenario over a knob.
type drawing struct {
	sketch  []whatif.Outline
	through float64         // times of the sketch are multiplied by it: its estimate goes through a simulated point
	dots    []whatif.Anchor // that are simulated
	curve   *whatif.Curve   // through them; nil: too few are, or some of those that are asked for are not yet
	line    []whatif.Anchor // of the curve, close enough for the eye
	grows   []float64       // values of the knob where queues grow
}

// sketched is how many values of a knob are estimated, and shown of a curve.
const sketched = 41

// quick is the number of fragments up to which estimates of all values of a
// knob take some milliseconds: the window waits for them.
const quick = 300

// draw returns what is known of a metric (by its key) of a scenario over a
// knob. What takes long, or can wait, is worked out in the background; until it is
// there the last is returned.
func (e *explorer) draw(c session.Scenario, p core.Parameter, key string, now bool) drawing {
	anchors, grows, whole := e.anchors(c, p, key)
	at := fmt.Sprint(e.key(e.of(c), c.Settings), p.Name, key)
	id := fmt.Sprint(at, len(anchors), len(grows), whole)
	if d, ok := e.drawn[id]; ok {
		return d
	}
	model := e.ses.Model()
	name, _, _ := strings.Cut(key, " ")
	work := func(ctx context.Context) drawing {
		m, err := session.Scenario{Edits: c.Edits}.Apply(*model)
		if err != nil {
			return drawing{}
		}
		settings := question{of: e.of(c), knobs: []core.Parameter{p}}.settings()
		d := drawing{sketch: whatif.Sketch(ctx, m, settings, p, sketched), through: 1, dots: anchors, grows: grows}
		forecast := whatif.Forecast(m, settings, p.Name, name)
		if name == "R" || name == "T" {
			d.through = whatif.Through(anchors, forecast)
		}
		if !whole { // between the first points it would be drawn where others are on their way
			return d
		}
		if d.curve = whatif.NewCurve(anchors, forecast); d.curve != nil {
			d.line = between(d.curve, p.Integer)
		}
		return d
	}
	if now && fragments(model) <= quick {
		d := work(context.Background())
		e.drawn[id], e.drawn[at] = d, d
		return d
	}
	e.drawing.Ask(fmt.Sprint(c.Name, p.Name, key), id, work, func(d drawing) {
		if e.ses.Model() == model {
			e.drawn[id], e.drawn[at] = d, d
			e.changed()
		}
	})
	return e.drawn[at]
}

func fragments(m *core.Model) int {
	n := 0
	for _, g := range m.Graphs {
		n += len(g.Fragments)
	}
	return n
}

// anchors are the simulated points of a scenario over a knob, and the values where queues grow, which ascend; whole: no value that
// is asked for is missing.
func (e *explorer) anchors(c session.Scenario, p core.Parameter, key string) (out []whatif.Anchor, grows []float64, whole bool) {
	settings := question{of: e.of(c), knobs: []core.Parameter{p}}.settings()
	results := map[float64]*simulation.Result{}
	look := func(v float64) bool {
		settings[p.Name] = v
		r := e.result(e.of(c), settings)
		if r == nil {
			return false
		}
		results[v] = r
		if a, ok := whatif.AnchorOf(r, v, key); ok {
			out = append(out, a)
		} else if whatif.Grows(r, key) {
			grows = append(grows, v)
		}
		return true
	}
	whole = true
	for _, v := range whatif.Values(p, value(c, p), whatif.Points) {
		whole = look(v) && whole
	}
	for range whatif.Refinements {
		v, ok := whatif.Next(p, results, whatif.Response(e.ses.Model()))
		if !whole || !ok || !look(v) {
			break
		}
	}
	slices.Sort(grows)
	return out, grows, whole
}

// value is that of a parameter in a scenario.
func value(c session.Scenario, p core.Parameter) float64 {
	if v, ok := c.Settings[p.Name]; ok {
		return v
	}
	return p.Default
}

// between are the values of a curve that are drawn.
func between(c *whatif.Curve, integer bool) []whatif.Anchor {
	all := c.Anchors()
	lo, hi := all[0].At, all[len(all)-1].At
	var out []whatif.Anchor
	last := math.NaN()
	for i := range sketched {
		f := float64(i) / (sketched - 1)
		v := lo + (hi-lo)*f
		if lo > 0 {
			v = min(max(lo*math.Pow(hi/lo, f), lo), hi)
		}
		if integer {
			v = math.Round(v)
		}
		if a, ok := c.At(v); ok && v != last {
			out = append(out, a)
		}
		last = v
	}
	return out
}
