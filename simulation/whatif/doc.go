// Package whatif says how an answer depends on one number of a configuration:
// the curve that stands beside a knob.
//
// The number is simulated at a few values only, with common random numbers
// (Values chooses them). Between them the curve follows the shape that explains
// the simulated points best, with a band that holds the noise of the points and
// what may happen between them (NewCurve). What operational analysis knows of every
// value at once, bounds, an estimate and where the bottleneck changes, is Sketch; it
// is no simulation, and figures never draw it as one.
package whatif
