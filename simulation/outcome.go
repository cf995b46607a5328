package simulation

import (
	"tierscope/simulation/output"
	"tierscope/simulation/timeline"
)

// quantity identifies one number that every replication of a program
// observes: a Metric without its estimate.
type quantity struct {
	Name, Of, Stat, Unit string // as in Metric
}

// ratio is one replication's observation of a quantity, Sum/Weight: a mean
// over visits or tasks (ΣR over the number of tasks) or over time (∫Q dt over
// the observed seconds). Keeping both parts lets the estimate over
// replications be the ratio of the sums, which has no bias of short
// replications, and leaves out nothing when Weight is 0.
type ratio struct {
	Sum, Weight float64
}

// outcome is what one replication observed between the end of its warm-up and
// its end. It does not change afterwards.
type outcome struct {
	Observed    float64 // simulated seconds since the last restart
	Until       float64 // simulated time that was reached, seconds from 0
	Ended       bool    // the program came to its end by itself: a batch program, or a deadlock
	Halted      bool    // that was a deadlock, or a defect of the model: it has no makespan
	Endless     bool    // a program that should have ended was stopped
	Broken      bool    // by a defect of the model, or because it exceeds its limits: others would do the same
	Makespan    float64 // seconds from 0 to the end of a batch program that Ended
	Completions int64   // tasks that reached a sink after the warm-up
	Arrivals    int64   // tasks that sources sent after the warm-up, lost ones included
	Events      int64   // executed, the warm-up included
	Fingerprint uint64  // of all executed events

	Ratios    []ratio         // in the order of the program's quantities, those that have a mean
	Responses []output.Sketch // per class: response times, for the percentiles of R

	// The course of the run from time 0, the warm-up included, for finding
	// the warm-up, growth, and for plots over time.
	ResponseCourse []*output.Series // per class: response times by time of completion
	SystemCourse   *output.Series   // tasks in the system, at every arrival and completion

	// Timeline is shared with the replication, which must not go on once it is
	// finished; nil: not recorded.
	Timeline *timeline.Recording

	Strays   int     // looks of scripted threads at what has another answer than in the recording
	Miscast  int     // threads that scripts lack or have no thread for, where every thread has its own
	Forced   float64 // share of their waits that had to be ended, as what they waited for did not happen again
	Untaken  float64 // share of what was sent to queues that were drained in the recording
	Followed float64 // share of the recorded work that was executed, of scripted threads

	Warnings []string // such as a deadlock and who waits for whom
}

// courseBins is the number of bins of a course: after the last doubling at
// least half of them are in use, enough for MSER-5 (50 batches of 5).
const courseBins = 512
