package des

import (
	"math"
	"time"
)

// Time is a point or a length of simulated time in nanoseconds.
type Time int64

// Units of time.
const (
	Nanosecond  Time = 1
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond

	// Never is later than every event.
	Never Time = math.MaxInt64
)

// Seconds converts a number of seconds to Time, rounded to the nearest
// nanosecond. More than 292 years become Never.
func Seconds(s float64) Time {
	ns := math.Round(s * 1e9)
	if ns >= float64(Never) {
		return Never
	}
	return Time(ns)
}

// Seconds returns t as a number of seconds.
func (t Time) Seconds() float64 { return float64(t) * 1e-9 }

// String formats t as time.Duration does: "1.5ms".
func (t Time) String() string { return time.Duration(t).String() }
