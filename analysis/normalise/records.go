package normalise

import (
	"tierscope/analysis/trail"
)

// The passes over the records of a trace: each puts records in the place of others, and leaves
// the trace that it is given as it is.

func Children(tr *trail.Trail) {
	assumeChildren(tr)
	tr.Trace = ChildrenCompute(tr.Trace)
}

func Tickers(tr *trail.Trail) { tr.Trace = sharedTickers(tr.Trace) }

func Onces(tr *trail.Trail) { tr.Trace = OnceCalls(tr.Trace) }

func Counters(tr *trail.Trail) { tr.Trace = counterQueues(tr.Trace) }

func Monitors(tr *trail.Trail) { tr.Trace = MonitorQueues(tr.Trace) }

func Timeouts(tr *trail.Trail) { tr.Trace = WaitOnce(tr.Trace) }

func Sentinels(tr *trail.Trail) { tr.Trace = CloseSentinels(tr.Trace) }

func Joins(tr *trail.Trail) {
	t, told := PolledJoins(tr.Trace)
	tr.Trace = t
	tr.Assumed = append(tr.Assumed, told...)
}
