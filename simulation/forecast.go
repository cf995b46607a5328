package simulation

import (
	"context"
	"fmt"
	"math"

	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/output"
)

// What an estimate may cost: some tens of milliseconds.
const (
	fewestForecasts   = 3
	mostForecasts     = 100
	forecastPrecision = 0.01    // relative standard error of the mean makespan that is enough
	forecastEvents    = 300_000 // executed in all of them
	forecastLooks     = 16      // per lower bound of the makespan: how often they are counted
)

// Forecast is the instant estimate of a model as it is. That of tasks is analytic (see
// core.Demands.Estimate). How long a program runs that ends by itself depends on who waits
// for whom from its start to its end, which no mean value knows: a few runs of it are
// simulated, unless they cost more than an estimate may. Both are of the model as its checks
// say that it should be, as Run is.
func Forecast(ctx context.Context, m core.Model) (core.Estimate, core.Bounds, error) {
	m = m.AsChecked()
	d := m.Demands()
	e, b := d.Estimate(), d.Bounds()
	if !e.Batch {
		return e, b, nil
	}
	p, err := compile(&m, &m)
	if err != nil {
		return e, b, fmt.Errorf("model %q: %w", m.Name, err)
	}
	var spans output.Tally
	left := int64(forecastEvents)
	for i := range mostForecasts {
		r := p.replica(0, uint64(i), 0, nil)
		step := max(des.Seconds(b.Response/forecastLooks), des.Microsecond)
		for until := step; !r.ended() && r.executed() < left && ctx.Err() == nil; until += step {
			r.advance(ctx, until)
			step += step / forecastLooks // a bound may be far too low
		}
		left -= r.executed()
		if !r.ended() || r.halted {
			break
		}
		spans.Add(r.now().Seconds() * orOne(m.Dilation))
		n := float64(spans.Count())
		if n >= fewestForecasts && spans.Variance() <= n*math.Pow(forecastPrecision*spans.Mean(), 2) {
			break
		}
	}
	if spans.Count() < 1 {
		return e, b, ctx.Err()
	}
	e.Response = max(spans.Mean(), b.Response)
	e.Throughput = 1 / e.Response
	e.Assumptions = []string{fmt.Sprintf("mean of simulated runs (%d)", spans.Count())}
	for _, s := range d.Stations {
		if _, known := e.Utilization[s.Of]; known {
			e.Utilization[s.Of] = min(1, s.Demand/s.Capacity/e.Response)
		}
	}
	return e, b, nil
}
