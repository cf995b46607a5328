package simulation

import "tierscope/simulation/resource"

// A queue or channel is closed when all has been sent to it: who closes it has made sure of that, by whatever it
// waited for. In another order of events the same waits may be over earlier, so a scripted close also waits for
// what was sent in the recording.

// countSendings counts what was sent to the objects that are closed.
func (c *compiler) countSendings(s *scripts, all [][]move) {
	for _, moves := range all {
		for _, m := range moves {
			if m.object != none && c.closes(m.at) {
				s.objects[m.object].closed = true
				s.objects[m.object].sent = make([]int64, len(c.pools))
			}
		}
	}
	for i, moves := range all {
		pool := s.walks[i].pool
		for k := range moves {
			if m := &moves[k]; m.object != none && s.objects[m.object].closed {
				s.objects[m.object].sent[pool] += c.sendings(m, following(moves, k))
			}
		}
	}
}

// following is the fragment of the move after moves[k], or none.
func following(moves []move, k int) int32 {
	if k+1 < len(moves) {
		return moves[k+1].at
	}
	return none
}

// closes reports whether a fragment closes a queue or channel.
func (p *program) closes(at int32) bool {
	f := &p.fragments[at]
	return f.op == opClose || f.op == opLock && f.lockOp == resource.Close
}

// sendings is how much a move sends to its object; after is the fragment that follows it.
func (p *program) sendings(m *move, after int32) int64 {
	f := &p.fragments[m.at]
	if f.otherwise != none && after == f.otherwise {
		return 0 // in vain
	}
	switch {
	case f.op == opNew:
		return max(m.amount, 1)
	case f.op == opSend, f.op == opLock && f.lockOp == resource.Send:
		return 1
	case f.op == opSelect:
		for _, k := range f.cases {
			if k.send && k.to == after {
				return 1
			}
		}
	}
	return 0
}

// noteSending counts what the move that a thread ends has sent to an object that is closed, and lets who closes it go on
// if it was the last.
func (r *replica) noteSending(th *thread, m *move) {
	n := r.program.sendings(m, following(th.moves, th.upto-1))
	if n == 0 {
		return
	}
	r.followed.sent[m.object] += n
	if r.followed.sent[m.object] >= r.dueSendings(m.object) {
		r.wakeWaiting(r.allSent(m.object))
	}
}

// allSent is the event that all has been sent to an object; the events of Onces have the numbers above.
func (r *replica) allSent(object int32) *event {
	return r.event(-int64(object) - 1 - int64(len(r.scripts.objects)))
}

// closing is the event that a task queue of the model is closed; the events that all has been sent have the numbers above.
func (r *replica) closing(queue int32) *event {
	return r.event(-int64(queue) - 1 - 2*int64(len(r.scripts.objects)))
}

// dueSendings is what has to be sent to an object before it is closed.
func (r *replica) dueSendings(object int32) (due int64) {
	for p, times := range r.times() {
		due += int64(times * float64(r.scripts.objects[object].sent[p]))
	}
	return due
}

// closeMove closes a queue or channel, as soon as all has been sent, and tells those that look at it.
func (r *replica) closeMove(t int32, th *thread, f *fragment, m *move) bool {
	if m.object != none && r.followed.sent[m.object] < r.dueSendings(m.object) {
		r.await(t, th, r.allSent(m.object), awaitingTurn)
		return true
	}
	i := r.instanceOf(th, f.object, f.stream, true, 0)
	if f.op == opClose {
		r.closeQueue(t, th, f)
		r.wakeWaiting(r.closing(f.object))
	} else {
		r.lockOperation(t, th, f)
	}
	r.tellLookers(i)
	return false
}
