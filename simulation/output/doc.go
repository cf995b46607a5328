// Package output turns what a simulation observes into numbers that can be
// believed.
//
// A simulation's output is random: its observations are correlated, begin in
// an unusual state, and are few where they matter most. So there are two
// parts. Accumulators follow the run at a few nanoseconds per observation and
// in bounded memory:
//
//	Sketch       counts in buckets of equal relative width: quantiles, CDF
//	Tally        mean and variance
//	TimeAverage  average of a piecewise constant signal, such as a queue length
//	Series       the course of a quantity over time, in batches that double
//
// Estimates come from the accumulators of several independent replications,
// always with an interval and with the doubts about it:
//
//	Replications  mean of one number per replication, t interval
//	Ratio         E[ΣR]/E[n], jackknifed: response time, wait per visit
//	Quantile      of all observations, by sectioning
//	Percentile    of one number per replication: the makespan of a program
//	BatchMeans    of one long run, with a check of the correlation
//	Paired        difference of two configurations on common random numbers
//
// MSER5 finds the end of the warm-up, Growth sees a queue that never comes to
// rest, and Stopping decides how many replications a precision needs. The
// coverage of every interval is tested.
package output
