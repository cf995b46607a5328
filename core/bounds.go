package core

import "math"

// Bounds are what no scheduling, locking or luck can better: the asymptotic
// bounds of operational analysis (Denning & Buzen 1978; Lazowska et al. 1984,
// ch. 5). A simulated value outside them means that the model contradicts
// itself.
type Bounds struct {
	Batch      bool
	Bottleneck Station // with the least limit; its Limit is where every curve bends
	Throughput float64 // upper bound of X, units of work per second
	Response   float64 // lower bound of R in seconds; of the makespan for a batch program. +Inf: arrivals exceed capacity
	// Saturation is the load at which the bottleneck is always busy: tasks per
	// second of open sources, N* users of closed ones; 0 for a batch program.
	Saturation float64
	Closed     bool // the load is users who wait for their answers: Saturation counts them
	Stable     bool // arrivals do not exceed capacity
	// Utilization of every station by the utilization law U = X·D/capacity, at
	// the throughput that the bounds allow.
	Utilization map[string]float64
}

// Bounds computes the asymptotic bounds from the demands.
func (d *Demands) Bounds() Bounds {
	b := Bounds{Batch: d.Batch, Throughput: math.Inf(1), Response: d.Response, Stable: true, Utilization: map[string]float64{}}
	for _, s := range d.Stations {
		if limit := s.Limit(); limit < b.Throughput {
			b.Throughput, b.Bottleneck = limit, s
		}
	}
	limit := b.Throughput
	switch {
	case d.Batch:
		if !math.IsInf(limit, 1) {
			b.Response = max(b.Response, 1/limit)
		}
		b.Throughput = 1 / b.Response
	case d.Users > 0 && d.Rate == 0:
		b.Closed = true
		b.Saturation = limit * (d.Response + d.Think)
		b.Throughput = min(limit, float64(d.Users)/(d.Response+d.Think))
		if !math.IsInf(limit, 1) {
			b.Response = max(d.Response, float64(d.Users)/limit-d.Think)
		}
	default:
		b.Saturation = limit
		if d.Rate > limit {
			b.Stable, b.Response = false, math.Inf(1)
		}
		b.Throughput = min(limit, d.Rate)
	}
	for _, s := range d.Stations {
		switch {
		case s.Demand == 0 || math.IsInf(s.Capacity, 1):
			b.Utilization[s.Of] = 0
		case math.IsInf(b.Throughput, 1):
			b.Utilization[s.Of] = 1
		default:
			b.Utilization[s.Of] = min(1, b.Throughput*s.Demand/s.Capacity)
		}
	}
	return b
}

// Knee returns the arrival rate (open) or population (closed) at which the
// model saturates under each of the values of one setting, in the order given:
// the saturation curve of a knob.
func (m Model) Knee(setting string, values []float64) ([]float64, error) {
	knees := make([]float64, len(values))
	for i, v := range values {
		c, err := m.With(map[string]float64{setting: v})
		if err != nil {
			return nil, err
		}
		d := c.Demands()
		knees[i] = d.Bounds().Saturation
	}
	return knees, nil
}
