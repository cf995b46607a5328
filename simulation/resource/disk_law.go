package resource

import (
	"math"

	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/variate"
)

// law is a service law with the requests of its types that are in the device.
//
// Its clock counts the work that a request would have got since the clock was
// set: nanoseconds when a service time once drawn stays, means when it depends
// on the number in flight. All requests get work at the same rate, so they
// complete in the order of clock + work at dispatch.
type law struct {
	rows   []lawRow
	given  core.LawCondition
	shared bool    // given the number in flight
	clock  float64 // 0 whenever nothing is served, which keeps it precise
	served []service
}

// lawRow is a row of the table; times in nanoseconds.
type lawRow struct {
	x       int
	time    variate.Sampler // ns
	mean    float64
	perByte float64
}

// service is a request in the device: it ends when the clock shows end.
type service struct {
	end     float64
	request int32
}

func newLaw(l *core.ServiceLaw, factor float64) law {
	w := law{given: l.Given, shared: l.Given == core.InFlight}
	for i := range l.Rows {
		r := &l.Rows[i]
		w.rows = append(w.rows, lawRow{
			x: r.X, time: variate.Compile(r.Time, factor*1e9),
			mean: r.Time.Expectation() * factor * 1e9, perByte: r.PerByte * factor * 1e9,
		})
	}
	return w
}

// alone returns the row by which a request is served that is alone in the
// device, and that nothing overtook; false if that is between two rows.
func (w *law) alone() (*lawRow, bool) {
	x := 0
	if w.shared {
		x = 1
	}
	i, part := w.at(x)
	return &w.rows[i], part == 0
}

// at returns the row for x, and how far x is on the way to the next row, 0…1.
// Beyond the first and the last row their laws hold.
func (w *law) at(x int) (int, float64) {
	i := len(w.rows) - 1
	for i > 0 && w.rows[i].x > x {
		i--
	}
	if i == len(w.rows)-1 || x <= w.rows[i].x {
		return i, 0
	}
	return i, float64(x-w.rows[i].x) / float64(w.rows[i+1].x-w.rows[i].x)
}

// mean is the mean service time given x, linear between rows, ns without bytes.
func (w *law) mean(x int) float64 {
	i, part := w.at(x)
	if part == 0 {
		return w.rows[i].mean
	}
	return w.rows[i].mean + part*(w.rows[i+1].mean-w.rows[i].mean)
}

// draw draws a service time given x: from the row, scaled to the mean between
// the rows.
func (w *law) draw(x int, bytes float64, random *des.Stream) float64 {
	i, part := w.at(x)
	r := &w.rows[i]
	t := r.time.Draw(random)
	if part == 0 || r.mean == 0 || math.IsInf(r.mean, 0) {
		return t + bytes*r.perByte
	}
	next := &w.rows[i+1]
	return t*(1+part*(next.mean/r.mean-1)) + bytes*(r.perByte+part*(next.perByte-r.perByte))
}

// unit is the work done by one tick of the clock, ns, with x in flight.
func (w *law) unit(x int) float64 {
	if !w.shared {
		return 1
	}
	if m := w.mean(x); m > 0 && !math.IsInf(m, 0) {
		return m
	}
	return 1
}

// advance lets ns pass with x in flight.
func (w *law) advance(ns float64, x int) {
	if len(w.served) > 0 {
		w.clock += ns / w.unit(x)
	}
}

// push starts a service that takes ns if x stay in flight.
func (w *law) push(request int32, ns float64, x int) {
	if len(w.served) == 0 {
		w.clock = 0
	}
	w.served = append(w.served, service{w.clock + ns/w.unit(x), request})
	for i := len(w.served) - 1; i > 0; {
		up := (i - 1) / 2
		if w.served[up].end <= w.served[i].end {
			break
		}
		w.served[up], w.served[i] = w.served[i], w.served[up]
		i = up
	}
}

// pop ends the service that is due.
func (w *law) pop() int32 {
	first := w.served[0]
	w.clock = max(w.clock, first.end) // rounding of the alarm to whole ns
	last := len(w.served) - 1
	w.served[0] = w.served[last]
	w.served = w.served[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			break
		}
		if c+1 < last && w.served[c+1].end < w.served[c].end {
			c++
		}
		if w.served[i].end <= w.served[c].end {
			break
		}
		w.served[i], w.served[c] = w.served[c], w.served[i]
		i = c
	}
	return first.request
}

// next is when the first service ends if x stay in flight.
func (w *law) next(now des.Time, x int) des.Time {
	if len(w.served) == 0 {
		return des.Never
	}
	left := (w.served[0].end - w.clock) * w.unit(x)
	return now + des.Time(max(0, left)+0.5)
}
