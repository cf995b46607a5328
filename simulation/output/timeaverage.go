package output

import "math"

// TimeAverage accumulates the time average of a piecewise constant signal
// such as a queue length or the number of busy servers. Time is an integer
// count of ticks of any length, as the engine's clock; it must not run
// backwards.
//
// The zero value is the signal 0 from time 0 on. A TimeAverage is not safe
// for concurrent use.
type TimeAverage struct {
	value    float64
	last     int64   // time of the last change
	start    int64   // of the observation
	integral float64 // ∫ value dt from start to last
	max      float64
}

// Set changes the signal to v at time now.
func (a *TimeAverage) Set(now int64, v float64) {
	a.integral += a.value * float64(now-a.last)
	a.last = now
	a.value = v
	if v > a.max {
		a.max = v
	}
}

// Add changes the signal by d at time now.
func (a *TimeAverage) Add(now int64, d float64) { a.Set(now, a.value+d) }

// Restart forgets the past: the average is from now on. The signal keeps its
// value.
func (a *TimeAverage) Restart(now int64) {
	a.last, a.start, a.integral, a.max = now, now, 0, a.value
}

// Value returns the signal's present value.
func (a *TimeAverage) Value() float64 { return a.value }

// Max returns the largest value since the start of the observation.
func (a *TimeAverage) Max() float64 { return a.max }

// Integral returns ∫ value dt from the start of the observation to now, in
// units of the value × ticks.
func (a *TimeAverage) Integral(now int64) float64 {
	return a.integral + a.value*float64(now-a.last)
}

// Mean returns the time average from the start of the observation to now;
// NaN if no time has passed.
func (a *TimeAverage) Mean(now int64) float64 {
	if now == a.start {
		return math.NaN()
	}
	return a.Integral(now) / float64(now-a.start)
}
