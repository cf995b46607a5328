// Package advise says which run of a program would tell most about a question.
//
// A model is off by a factor that is not the same in every configuration, but alike in those that
// are near. So every measured configuration tells something of others:
//
//	core.Field   ln(measured/predicted) over configurations: mean and interval anywhere
//	Next         the run after which the intervals of what is asked are narrowest, for what it costs
//
// and one can stop when the intervals are narrow enough or on one side of a limit.
package advise
