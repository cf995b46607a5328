package simulation

import (
	"slices"

	"tierscope/simulation/resource"
)

// A queue or channel is closed when all has been sent to it: who closes it has made sure of that, by whatever it
// waited for. In another order of events the same waits may be over earlier, so a scripted close also waits for
// what was sent in the recording.

// countSendings counts what was sent to the objects that are closed.
func (c *compiler) countSendings(s *scripts, all [][]move) {
	closed := map[int32]int{} // objects of the run, by that of the model
	for i, moves := range all {
		for _, m := range moves {
			if m.object == none || !c.closes(m.at) {
				continue
			}
			if o := &s.objects[m.object]; !o.closed {
				o.closed, o.closer = true, int32(i)
				closed[o.object]++
			}
		}
	}
	for k := range s.objects { // each has its own end
		s.objects[k].apart = s.objects[k].apart || closed[s.objects[k].object] > 1
	}
	for i, moves := range all {
		for k := range moves {
			if m := &moves[k]; m.object != none && s.objects[m.object].closed {
				s.objects[m.object].sends(int32(i), c.sendings(m, following(moves, k)))
			}
		}
	}
}

// sends counts what a walk sends; walks come one after the other.
func (o *scriptObject) sends(walk int32, n int64) {
	if n == 0 {
		return
	}
	if last := len(o.sent) - 1; last < 0 || o.sent[last].walk != walk {
		o.sent = append(o.sent, sendings{walk: walk})
	}
	o.sent[len(o.sent)-1].n += n
}

// countBeginnings counts what is sent to the objects that are closed before the first task is taken.
func (c *compiler) countBeginnings(s *scripts) {
	for i := range s.walks {
		moves := s.walks[i].prologue
		for k := range moves {
			if m := &moves[k]; m.object != none && s.objects[m.object].closed {
				sent := s.objects[m.object].sent
				if at := slices.IndexFunc(sent, func(x sendings) bool { return x.walk == int32(i) }); at >= 0 {
					sent[at].begin += c.sendings(m, following(moves, k))
				}
			}
		}
	}
}

// closesItsOwn reports whether what a scripted thread closes stands for one object of the run alone.
func (r *replica) closesItsOwn(th *thread) bool {
	if th.moves == nil {
		return false
	}
	object := th.move().object
	return object != none && r.scripts.objects[object].apart
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
	if r.followed.sent[m.object] < r.dueSendings(m.object) {
		return
	}
	r.wakeWaiting(r.allSent(m.object))
	if i, late := r.followed.late[m.object]; late {
		delete(r.followed.late, m.object)
		r.copies[i].queue.Close()
		r.wakeWaiting(r.closing(r.program.fragments[m.at].object))
		r.tellLookers(i)
	}
}

// allSent is the event that all has been sent to an object; the events of Onces have the numbers above.
func (r *replica) allSent(object int32) *event { return r.event(r.allSentTo(object)) }

func (r *replica) allSentTo(object int32) int64 {
	return -int64(object) - 1 - int64(len(r.scripts.objects))
}

// closing is the event that a task queue of the model is closed; the events that all has been sent have the numbers above.
func (r *replica) closing(queue int32) *event {
	return r.event(-int64(queue) - 1 - 2*int64(len(r.scripts.objects)))
}

// dueSendings is what has to be sent to an object before it is closed: as often as there is a thread that follows the walk,
// and of pools with a queue of their own what is sent for tasks as often as they get these.
func (r *replica) dueSendings(object int32) int64 {
	due, times := 0.0, r.times()
	o := &r.scripts.objects[object]
	for _, x := range o.sent {
		threads := float64(r.followed.played[x.walk])
		often := threads
		if walk := &r.scripts.walks[x.walk]; r.scripts.casts[walk.pool].home != none {
			often = times[walk.pool]
			if walk.copied || o.mine && slices.Contains(r.scripts.casts[walk.pool].owns, o.object) {
				often = 0 // the tasks are those of another walk, or who has them sends to its own
			}
		}
		due += threads*float64(x.begin) + often*float64(x.n-x.begin)
	}
	return int64(due + rounding)
}

// rounding is what sums of shares may lack of a whole number. Theory: an error of floating point.
const rounding = 1e-6

// closeMove closes a queue or channel, as soon as all has been sent, and tells those that look at it. Who takes from it what
// others, and itself, send to it goes on with that: it closes the queue for who sends the last.
func (r *replica) closeMove(t int32, th *thread, f *fragment, m *move) bool {
	missing := m.object != none && r.followed.sent[m.object] < r.dueSendings(m.object) && !r.allSent(m.object).raised
	if missing && (f.op != opClose || !r.scripts.casts[th.pool].isHome(f.object)) {
		r.await(t, th, r.allSent(m.object), awaitingTurn)
		return true
	}
	i := r.instanceOf(th, f.object, f.stream, true, 0)
	switch q := r.copies[i].queue; {
	case missing:
		r.followed.late[m.object] = i
		r.leaveTo(t, th, none)
		return false
	case q != nil && q.Closed() && r.closesItsOwn(th): // by another thread that does the same
		r.leaveTo(t, th, none)
	case f.op == opClose:
		r.closeQueue(t, th, f)
		r.wakeWaiting(r.closing(f.object))
	default:
		r.lockOperation(t, th, f)
	}
	r.tellLookers(i)
	return false
}
