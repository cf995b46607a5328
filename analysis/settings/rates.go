package settings

import (
	"strconv"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// rateParameter returns the limit of the limiter that a group stands for: how often
// it sends a token.
func rateParameter(tr *trail.Trail, m *core.Model, g *trail.Pool) (knob, bool) {
	if g.Start != trace.LimiterStart {
		return knob{}, false
	}
	for _, graph := range m.Graphs {
		for i := range graph.Fragments {
			f := &graph.Fragments[i]
			if graph.ID != g.Name || !f.Periodic {
				continue
			}
			// a period is a whole number of ns, a limit has a few digits
			limit, _ := strconv.ParseFloat(strconv.FormatFloat(1/f.Delay.Expectation(), 'g', 5, 64), 64)
			p := core.Parameter{Name: g.Name + "-rate", Unit: "1/s", Default: limit, Min: limit / 1000, Max: limit * 1000,
				Targets:      []core.Target{{Path: "graphs/" + g.Name + "/fragments/" + f.ID + "/scale", Factor: limit, Power: -1}},
				SupportedMin: limit / trail.RangeFactor, SupportedMax: limit * trail.RangeFactor,
				Description: "events per second that the limiter at " + trace.ShortPlace(g.Place) + " lets pass"}
			return knob{Parameter: p, use: trace.UseRate, place: onlyUse(tr, trace.UseRate, g.Place)}, true
		}
	}
	return knob{}, false
}
