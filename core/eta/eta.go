// Package eta estimates how long work still takes that does the same thing in many
// configurations, from those that are done:
//
//	ln time = m + Σ over axes (slope · ln value + effect of the value)
//
// A mean over what is done would do if configurations took equally long, or came in a random
// order and were many. Slopes reach values that nothing was done for yet; effects follow
// what is no power law, and are shrunk as far as they rest on little (ridge regression).
package eta

import (
	"encoding/binary"
	"math"
	"slices"
)

// Estimator is told what took how long. It is not safe for concurrent use.
type Estimator struct {
	x      [][]float64 // by configuration and axis, the logarithm if all values of the axis have one
	done   []bool
	took   []float64 // s, by configuration; NaN: not known
	known  []int     // configurations with a time, in the order in which they were done
	fitted int       // of known, when expected was computed

	expected []float64 // s, by configuration
	left     float64   // s, of all that is not done
}

const (
	shrink = 1    // how many times each value would have been seen without any effect
	slack  = 0.1  // of slopes: next to nothing, so that none is infinite
	rounds = 50   // of the fit, one coordinate after the other
	growth = 0.05 // of what is known, until it is fitted again
	atMost = 5000 // configurations that are fitted
)

// New returns an estimator for configurations, each the values of the same axes. The same
// configuration may be there several times.
func New(configurations [][]float64) *Estimator {
	e := &Estimator{x: make([][]float64, len(configurations)), done: make([]bool, len(configurations)),
		took: make([]float64, len(configurations)), expected: make([]float64, len(configurations))}
	for i, c := range configurations {
		e.x[i], e.took[i] = slices.Clone(c), math.NaN()
	}
	if len(e.x) == 0 {
		return e
	}
	for a := range e.x[0] {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, c := range e.x {
			lo, hi = min(lo, c[a]), max(hi, c[a])
		}
		scale := func(v float64) float64 { return v }
		if lo > 0 {
			scale = math.Log
		}
		lo, hi = scale(lo), scale(hi)
		for _, c := range e.x {
			c[a] = scale(c[a]) - lo
			if hi > lo {
				c[a] /= hi - lo
			}
		}
	}
	return e
}

// Done says that configuration i was done before, and took nobody knows how long.
func (e *Estimator) Done(i int) {
	if !e.done[i] {
		e.done[i] = true
		e.left -= e.expected[i]
	}
}

// Took says that configuration i took so many seconds.
func (e *Estimator) Took(i int, seconds float64) {
	e.Done(i)
	if seconds > 0 {
		e.took[i] = seconds
		e.known = append(e.known, i)
	}
}

// Left returns how many seconds the configurations take that are not done, one after the
// other; known is false as long as nothing was.
func (e *Estimator) Left() (seconds float64, known bool) {
	n := len(e.known)
	if n == 0 {
		return 0, false
	}
	if e.fitted == 0 || float64(n) >= float64(e.fitted)*(1+growth) {
		e.fit()
	}
	return max(e.left, 0), true
}

// fit computes what each configuration is expected to take.
func (e *Estimator) fit() {
	e.fitted = len(e.known)
	sample := e.known
	if n := len(sample); n > atMost {
		sample = nil
		for k := range atMost {
			sample = append(sample, e.known[k*n/atMost])
		}
	}
	m := newModel(len(e.x[0]))
	m.fit(e.x, e.took, sample)
	seen := map[string][]float64{} // times of equal configurations
	for _, i := range e.known {
		k := key(e.x[i])
		seen[k] = append(seen[k], e.took[i])
	}
	e.left = 0
	for i, x := range e.x {
		if same := seen[key(x)]; len(same) > 0 {
			e.expected[i] = mean(same)
		} else {
			e.expected[i] = m.at(x)
		}
		if !e.done[i] {
			e.left += e.expected[i]
		}
	}
}

// key is equal for equal configurations.
func key(x []float64) string {
	b := make([]byte, 0, 8*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return string(b)
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
