package analysis

import (
	"strconv"

	"tierscope/core"
)

// ticks reports whether a group stands for a ticker or a limiter.
func (g *group) ticks() bool { return g.start == tickerStart || g.start == limiterStart }

// rateParameter returns the limit of the limiter that a group stands for: how often
// it sends a token.
func (b *build) rateParameter(m *core.Model, g *group) (knob, bool) {
	if g.start != limiterStart {
		return knob{}, false
	}
	for _, graph := range m.Graphs {
		for i := range graph.Fragments {
			f := &graph.Fragments[i]
			if graph.ID != g.name || !f.Periodic {
				continue
			}
			// a period is a whole number of ns, a limit has a few digits
			limit, _ := strconv.ParseFloat(strconv.FormatFloat(1/f.Delay.Expectation(), 'g', 5, 64), 64)
			p := core.Parameter{Name: g.name + "-rate", Unit: "1/s", Default: limit, Min: limit / 1000, Max: limit * 1000,
				Targets:      []core.Target{{Path: "graphs/" + g.name + "/fragments/" + f.ID + "/scale", Factor: limit, Power: -1}},
				SupportedMin: limit / rangeFactor, SupportedMax: limit * rangeFactor,
				Description: "events per second that the limiter at " + shortPlace(g.place) + " lets pass"}
			return knob{Parameter: p, use: UseRate, place: b.onlyUse(UseRate, g.place)}, true
		}
	}
	return knob{}, false
}
