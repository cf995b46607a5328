package output

import "math"

// Tally accumulates the mean and variance of observations in constant
// memory: sums of the differences to the first observation, which are exact
// enough where plain sums of squares cancel and need no division as
// Welford's recurrence does (Chan, Golub & LeVeque 1983).
//
// The zero value is an empty tally. A Tally is not safe for concurrent use.
type Tally struct {
	n     int64
	shift float64 // first observation
	s1    float64 // Σ(x − shift)
	s2    float64 // Σ(x − shift)²
	min   float64
	max   float64
}

// Add counts one observation.
func (t *Tally) Add(x float64) {
	if t.n == 0 {
		t.shift, t.min, t.max = x, x, x
	}
	t.n++
	d := x - t.shift
	t.s1 += d
	t.s2 += d * d
	if x < t.min {
		t.min = x
	}
	if x > t.max {
		t.max = x
	}
}

// Merge adds all observations of o.
func (t *Tally) Merge(o *Tally) {
	if o.n == 0 {
		return
	}
	if t.n == 0 {
		*t = *o
		return
	}
	d := o.shift - t.shift
	n := float64(o.n)
	t.s2 += o.s2 + 2*d*o.s1 + n*d*d
	t.s1 += o.s1 + n*d
	t.n += o.n
	t.min = min(t.min, o.min)
	t.max = max(t.max, o.max)
}

// Reset forgets all observations.
func (t *Tally) Reset() { *t = Tally{} }

// Count returns the number of observations.
func (t *Tally) Count() int64 { return t.n }

// Sum returns the sum of the observations.
func (t *Tally) Sum() float64 { return t.s1 + float64(t.n)*t.shift }

// Mean returns the mean of the observations; NaN if there are none.
func (t *Tally) Mean() float64 {
	if t.n == 0 {
		return math.NaN()
	}
	return t.shift + t.s1/float64(t.n)
}

// Variance returns the unbiased sample variance; NaN below two observations.
func (t *Tally) Variance() float64 {
	if t.n < 2 {
		return math.NaN()
	}
	n := float64(t.n)
	return max(0, t.s2-t.s1*t.s1/n) / (n - 1)
}

// Min returns the smallest observation; NaN if there are none.
func (t *Tally) Min() float64 {
	if t.n == 0 {
		return math.NaN()
	}
	return t.min
}

// Max returns the largest observation; NaN if there are none.
func (t *Tally) Max() float64 {
	if t.n == 0 {
		return math.NaN()
	}
	return t.max
}
