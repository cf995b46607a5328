package validate

import (
	"slices"
	"strconv"

	"tierscope/analysis/trace"
	"tierscope/core"
	"tierscope/measure/load"
	"tierscope/measure/table"
	"tierscope/simulation"
)

// AsMeasured ends the name of a model that is a configuration under the arrivals of a measurement.
const AsMeasured = ", arrivals as measured"

// drawn returns a configured model whose source sends its tasks at the very times at which the measurement's load generator
// sent them, if the table says of which draw they are: what so few requests as a short measurement has do beside their mean is no
// error of a model. Its name says what it is: where runs are listed, its settings are in it and not beside it.
func (q Request) drawn(m core.Model, settings map[string]float64, name string) (core.Model, map[string]float64) {
	seed, err := strconv.ParseUint(q.Measured.Note(table.ArrivalSeed), 10, 64)
	if o := q.window(simulation.Options{}); err == nil && o.Duration > 0 && len(m.Sources) == 1 && m.Sources[0].Kind == core.Poisson {
		at, err := m.With(settings)
		if err != nil {
			return m, settings // who simulates it says why
		}
		at.Sources = slices.Clone(at.Sources)
		s := &at.Sources[0]
		s.Kind, s.Times, s.Rate = core.Replay, load.Arrivals(trace.Load{Rate: s.Rate, Warmup: max(o.Warmup, 0), Duration: o.Duration, Seed: seed}), 0
		at.Name = name + AsMeasured
		return at, nil
	}
	return m, settings
}
