package normalise

import (
	"tierscope/analysis/trail"
)

// The passes over the records of a trace: each puts records in the place of others, and leaves
// the trace that it is given as it is.

// Children lets threads that wait for processes compute what these computed.
func Children(tr *trail.Trail) {
	assumeChildren(tr)
	tr.Trace = ChildrenCompute(tr.Trace)
}

// Rendezvous makes barriers of waits for the last of several threads.
func Rendezvous(tr *trail.Trail) { tr.Trace = rendezvous(tr.Trace) }

// Hosts makes a thread of what those who start threads do of their work.
func Hosts(tr *trail.Trail) { tr.Trace = hosted(tr.Trace, tr.Input.Facts, tr.Input.Samples) }

// Tickers makes a thread of every ticker that threads share, and of every clock and bucket of tokens of the
// program's own.
func Tickers(tr *trail.Trail) { tr.Trace = pacedSleeps(tokenBuckets(sharedTickers(tr.Trace))) }

// Onces makes regions of the calls of many Onces at one place.
func Onces(tr *trail.Trail) { tr.Trace = OnceCalls(tr.Trace) }

// Latches takes channels that are closed when a value is there for the wait for it.
func Latches(tr *trail.Trail) { tr.Trace = values(tr.Trace) }

// LazyMakes lets channels be made by who started all that use them.
func LazyMakes(tr *trail.Trail) { tr.Trace = startedBefore(tr.Trace) }

// Counters makes queues of counters that share out work.
func Counters(tr *trail.Trail) { tr.Trace = counterQueues(tr.Trace) }

// Monitors makes queues of lists under a lock with wait and notify, or hand-overs, and semaphores of stocks.
func Monitors(tr *trail.Trail) { tr.Trace = monitored(tr.Trace) }

// Inboxes makes queues of the locks with which threads are given work, one each.
func Inboxes(tr *trail.Trail) { tr.Trace = givenThroughInboxes(tr.Trace) }

// Leaders makes a thread of what threads do by turns for all that wait.
func Leaders(tr *trail.Trail) { tr.Trace = ledGroups(tr.Trace) }

// Streams makes messages of what threads write to each other through connections and pipes.
func Streams(tr *trail.Trail) { tr.Trace = StreamMessages(tr.Trace) }

// EventLoops lets requests enter where threads read them that serve many connections by turns.
func EventLoops(tr *trail.Trail) {
	t, told := AcceptEvents(tr.Trace)
	tr.Trace = t
	tr.Assumed = append(tr.Assumed, told...)
}

// Timeouts makes one wait of receives in vain that follow each other.
func Timeouts(tr *trail.Trail) { tr.Trace = WaitOnce(tr.Trace) }

// Backlogs lets threads that hold what they take pass it on as they get it.
func Backlogs(tr *trail.Trail) { tr.Trace = withoutBacklogs(tr.Trace) }

// Sentinels closes queues where messages end threads.
func Sentinels(tr *trail.Trail) { tr.Trace = CloseSentinels(tr.Trace) }

// Joins makes joins of sleeps until threads have ended.
func Joins(tr *trail.Trail) {
	t, told := PolledJoins(tr.Trace)
	tr.Trace = t
	tr.Assumed = append(tr.Assumed, told...)
}

// SemaphoreQueues makes bounded queues of two semaphores that pass things on.
func SemaphoreQueues(tr *trail.Trail) { tr.Trace = semaphoreQueues(tr.Trace) }
