package simulation

import (
	"context"

	"tierscope/simulation/des"
)

// simulator is a compiled program as the replications' conductor sees it. It
// is not changed by its replications, which may run in parallel.
type simulator interface {
	// quantities are what every outcome has a ratio for, in the same order.
	quantities() []quantity
	// classes are the task classes, in the order of outcome.Responses.
	classes() []string
	// start returns a replication at time 0, before its first event. Equal
	// arguments give equal replications. It records a timeline of at most
	// spans spans when spans > 0.
	start(seed, replication uint64, spans int) replication
}

// replication is one independent simulation of a program. It belongs to one
// goroutine.
type replication interface {
	// advance executes all events up to and including the time until. It
	// returns early when the program has ended, and soon after ctx is done;
	// a replication that was interrupted in this way can only be observed.
	advance(ctx context.Context, until des.Time)
	// now is the simulated time that was reached: until, or the time of the
	// last event when the program has ended or was interrupted.
	now() des.Time
	// ended reports that nothing will ever happen again.
	ended() bool
	whoWaits() string // what threads wait for that have work to do
	// completed is the number of tasks that reached a sink since time 0, and
	// executed that of events.
	completed() int64
	executed() int64
	// restart forgets all statistics so far, the courses excepted: the end
	// of the warm-up or of a batch.
	restart()
	// observe returns what was seen since the last restart. The outcome
	// shares nothing with the replication.
	observe() outcome
}
