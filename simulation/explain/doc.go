// Package explain finds what limits a configuration, and proves it.
//
// A utilization says how busy a resource is, not what would happen if it were
// faster. So explain makes the experiment: each resource and each piece of
// code in turn becomes 10 % and 30 % faster in the model (a virtual speed-up,
// as Curtsinger & Berger 2015 do it to lines of a running program), on the
// same random numbers as the baseline, so that the intervals of the paired
// differences are narrow. Resources are ranked by the lower confidence limit
// of their effect: noise never wins.
//
//	baseline ─┬─ breakdown   where a task's time goes
//	          ├─ ranking     effect of making each thing faster
//	          ├─ findings    rules over both, with what to try; also what is fine
//	          └─ verdict     one sentence, generated from the numbers
//
// Everything is plain data with its texts: a window and a command line show
// the same report.
package explain
