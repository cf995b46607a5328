package guards

import (
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// Threads that look in every round whether a channel is closed work until it is:
//
//	for { select { case jobs <- next(): case <-stop: return } }        time.Sleep(limit); close(stop)
//
// The graphs have all of it. But where a clock closes the channel, a run is no amount of work.

// mostOfIt is the share of the run for which a thread sleeps that closes it for the end, and not for a part of the program.
// Convention, sensitivity slight.
const mostOfIt = 0.5

// closedByClock reports whether a thread, after it had slept for most of the run, closed a channel at which another one had looked round
// after round, and which that then found closed.
func closedByClock(tr *trail.Trail) bool {
	closed := map[uint64]int64{} // channel → when
	for _, q := range tr.AllSequences() {
		slept := int64(0)
		for i := range q.Steps {
			switch s := &q.Steps[i]; {
			case s.Node.Op == trace.OpSleep:
				slept = s.Wall()
			case s.Node.Op == trace.OpClose && float64(slept) > mostOfIt*float64(tr.Trace.End):
				closed[s.Object] = s.Start
			case s.Node.Op != trace.OpNone:
				slept = 0
			}
		}
	}
	if len(closed) == 0 {
		return false
	}
	for _, q := range tr.AllSequences() {
		looks := map[*trail.Node]int{}
		for i := range q.Steps {
			s := &q.Steps[i]
			if s.Node.Op != trace.OpSelect && s.Node.Op != trace.OpTryReceive {
				continue
			}
			looks[s.Node]++
			if at, known := closed[s.Object]; known && s.End >= at && looks[s.Node] >= toldRounds {
				return true
			}
		}
	}
	return false
}
