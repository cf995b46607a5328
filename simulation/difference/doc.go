// Package difference compares the models of two builds of a program: what
// changed in the model, and what each change costs.
//
//	Match    which element of the new model is which of the old: by name without
//	         line numbers and closure numbers, which move when source is edited
//	Changes  parameters that differ, with their significance; what was added and removed
//	Run      both models simulated with common random numbers, and in between models
//	         with one change swapped in, or out, at a time
//
// The share of a change is the mean of its effect as the first and as the last
// one that is made; what the shares do not add up to is the interaction of the
// changes.
package difference
