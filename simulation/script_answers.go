package simulation

import "tierscope/simulation/resource"

// answered is how a task was answered: the token of what its sender received next, the channel that it found closed, or the latch, such as a
// future, that it waited for.
type answered struct {
	tokens  map[int64]int64 // task, by token of the answer
	objects map[int32]int64 // task, by object that is closed, or counted down
}

// answersTo finds what the senders of the tasks of a queue wait for next.
func (c *compiler) answersTo(s *scripts, queue int32, all [][]move) answered {
	out := answered{map[int64]int64{}, map[int32]int64{}}
	for _, moves := range all {
		task := int64(0)
		for k := range moves {
			m, after := &moves[k], following(moves, k)
			switch {
			case c.sendings(m, after) == 1 && m.token != 0 && m.object != none && s.objects[m.object].object == queue:
				task = m.token
			case task == 0 || !c.mayWait(m.at) || c.sendings(m, after) > 0:
			case m.token != 0:
				out.tokens[m.token], task = task, 0
			case m.object != none && (s.objects[m.object].closed || c.awaits(m.at)):
				out.objects[m.object], task = task, 0
			}
		}
	}
	return out
}

// to returns the task that a move answers, 0: none.
func (a answered) to(c *compiler, m *move, after int32) int64 {
	switch {
	case m.object != none && (c.closes(m.at) || c.countsDown(m.at)):
		return a.objects[m.object]
	case m.token != 0 && (c.sendings(m, after) > 0 || c.fragments[m.at].raises()):
		return a.tokens[m.token]
	}
	return 0
}

// among returns which of some moves answer tasks.
func (a answered) among(c *compiler, moves []move) (out responses) {
	for k := range moves {
		if task := a.to(c, &moves[k], following(moves, k)); task != 0 {
			out.answers, out.to = append(out.answers, k), append(out.to, task)
		}
	}
	return out
}

// awaits reports whether a fragment waits for a latch, and countsDown whether it counts one down.
func (p *program) awaits(at int32) bool {
	f := &p.fragments[at]
	return f.op == opLock && f.lockOp == resource.Await
}

func (p *program) countsDown(at int32) bool {
	f := &p.fragments[at]
	return f.op == opLock && f.lockOp == resource.CountDown
}
