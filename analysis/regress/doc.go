// Package regress builds input-aware models of thread behaviour: it finds how
// a behaviour of a thread (instructions, cache misses, synchronization time,
// …) depends on the inputs of the program, from a profile of runs with
// different inputs (Wu et al. 2010, "ThreadMarks").
//
// The input is a Profile: one Row per run with the values of the program's
// variables when the threads were created, the number of threads n, and the
// behaviours seen. The steps are
//
//	Variables   drop constants and affine duplicates of other variables
//	Fit         search the model pool for the simplest model that is accurate
//	Evaluate    hold out a quarter of the rows, never seen by Fit, and score
//
// The model pool has two parts (§4.1). The terms are, in the order in which
// they are tried, the constant; the variables I and I/n; their products II;
// and II/n. The functions are, in order, linear, log-log, and a regression
// tree of at most ten levels. Within a function, terms are added one at a time
// (forward stepwise selection, with Efroymson's backward step) until the
// cross-validated accuracy reaches the target.
//
// Two departures from the paper, both measured (see docs/decisions): the
// target is a descending ladder instead of one number, because a greedy search
// with a low target stops at the first poor model; and least squares weighs
// rows by 1/y, because accuracy is a relative error.
//
// The package imports nothing of Tierscope.
package regress
