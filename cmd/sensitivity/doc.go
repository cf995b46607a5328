// Sensitivity finds the numbers that decide about a model, and what they decide.
//
// Between a recording and a model stand thresholds: how rare is rare, how long is a wait.
// Each is a choice, and a choice has a source (a paper, a law, a measurement, or that one
// had to agree on something), and a weight: what becomes of the models when the number is
// half as large, and twice.
//
//	sensitivity list       the numbers of the rooms of analysis and what they are for
//	sensitivity measure    halves and doubles each threshold, on all recordings of testdata/traces
//	sensitivity page       writes the table of docs/sensitivity.md from testdata/sensitivity.json
//
// Measure compiles a small program (runner) with the number replaced, by an overlay: nothing
// of the tree changes. It builds the models of all recordings, and simulates those
// that are not the ones of the source as it is. What it found is kept by the content of the source, so
// that it goes on where it was interrupted.
//
// A share above one half is not doubled, what it lacks to the whole is halved; of a factor below
// two, what it has beyond one is varied; a grid has half as many values, and twice. Models are
// simulated ten times with common random numbers, and a change counts that is certain (99.9 %).
// Numbers of package calibrate are varied on calibrated models.
//
// A test demands that testdata/sensitivity.json has every threshold of the source, with its value, and
// that its comment names the source.
package main
