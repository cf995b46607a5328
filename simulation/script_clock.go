package simulation

import "tierscope/simulation/resource"

// A queue or channel that others look at is closed for one of two reasons. Enough has been done:
//
//	if n++; n == limit { close(stop) }
//
// or the time is over:
//
//	time.Sleep(budget); close(stop)
//
// In another order of events the first close has to come behind what was done before it, and the second one may not
// wait. It is by the clock if the last wait of the thread before it is for some time, and comes to its end as often as
// something is closed behind it: of a wait that all tasks have, the close is a task's.

// findClocks finds the objects that are closed by the clock.
func (c *compiler) findClocks(s *scripts, all [][]move) {
	closings, visits := map[int32][]int32{}, map[int32]int{} // by fragment of the wait: objects closed behind it
	for _, moves := range all {
		wait := none
		for k := range moves {
			m := &moves[k]
			switch {
			case c.passesTime(m, following(moves, k)):
				wait = m.at
				visits[m.at]++
			case c.closes(m.at) && wait != none && m.object != none:
				closings[wait] = append(closings[wait], s.objects[m.object].object)
			case c.mayWait(m.at):
				wait = none
			}
		}
	}
	for wait, objects := range closings {
		for _, object := range objects {
			s.byClock[object] = s.byClock[object] || visits[wait] <= len(objects)
		}
	}
}

// passesTime reports whether a move waits for some time, and for nothing else that came before it was over.
func (p *program) passesTime(m *move, after int32) bool {
	f := &p.fragments[m.at]
	return f.op == opDelay || f.timed && f.otherwise != none && after == f.otherwise
}

// mayWait reports whether a fragment waits for what others do, and not only until they leave a lock.
func (p *program) mayWait(at int32) bool {
	switch f := &p.fragments[at]; f.op {
	case opIn, opSend, opSelect, opJoin, opIO:
		return true
	case opLock:
		switch f.lockOp {
		case resource.Receive, resource.Send, resource.Wait, resource.Await, resource.AwaitAll, resource.Exchange, resource.Park:
			return true
		}
	}
	return false
}
