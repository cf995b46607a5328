package simulation

import (
	"tierscope/core"
	"tierscope/simulation/resource"
)

// goOn lets a scripted thread go on where nothing else can: the one that has waited longest for an event that did not
// happen again, else for permits. In the recording it went on. With fewer threads nobody does what the others did; what
// their walks raise is missed by none. Other waits that end so are counted: an answer with many is none.
func (r *replica) goOn() bool {
	if r.scripts == nil {
		return false
	}
	event, permits, end := none, none, none
	longer := func(t, than int32) bool { return than == none || r.threads[t].since < r.threads[than].since }
	for i, th := range r.threads {
		t := int32(i)
		if th.at == none || th.moves == nil || th.upto == 0 {
			continue
		}
		f := &r.fragments[th.at]
		switch {
		case th.doing == awaitingEvent, f.op == opLock && f.lockOp == resource.Wait && th.move().token != 0 && th.waitsFor != none:
			if !r.event(r.awaited(th)).raised && longer(t, event) { // else it only waits for its lock
				event = t
			}
		case f.op == opLock && f.lockOp == resource.Enter && th.waitsFor != none && r.program.objects[f.object].lock.Kind == core.Semaphore:
			if longer(t, permits) {
				permits = t
			}
		case r.closedByNobody(th) && longer(t, end):
			end = t
		}
	}
	switch {
	case event != none:
		r.forceEvent(r.threads[event])
	case end != none:
		i := r.threads[end].waitsFor
		r.copies[i].queue.Close()
		r.tellLookers(i)
	case permits != none:
		th := r.threads[permits]
		r.followed.forced++
		r.copies[th.waitsFor].lock.Call(resource.NoThread, resource.Exit, 1)
		r.account(th.waitsFor)
	default:
		return false
	}
	r.drain()
	return true
}

// closedByNobody reports whether a thread waits at a channel that is closed by a walk that no thread follows.
func (r *replica) closedByNobody(th *thread) bool {
	m := th.move()
	if th.waitsFor == none || m.object == none || r.copies[th.waitsFor].queue == nil {
		return false
	}
	o := &r.scripts.objects[m.object]
	return o.closed && r.followed.played[o.closer] == 0
}

// awaited is the number of the event that a thread waits for.
func (r *replica) awaited(th *thread) int64 {
	if m := th.move(); r.fragments[th.at].lockOp == resource.Do {
		return -int64(m.object) - 1
	}
	return th.move().token
}

// forceEvent raises what a thread waits for.
func (r *replica) forceEvent(th *thread) {
	number := r.awaited(th)
	if raiser, ok := r.scripts.raisers[number]; !ok || r.followed.played[raiser] > 0 {
		r.followed.forced++
	}
	r.raise(number)
}

// forcedShare is the share of waits that had to be ended.
func (r *replica) forcedShare() float64 {
	if r.followed.forced == 0 {
		return 0
	}
	return float64(r.followed.forced) / float64(r.followed.waits+r.followed.forced)
}

// stuck reports whether all threads that came to their end in the recording wait for what only they do, or for each other's ends, though
// others go on, such as clocks.
func (r *replica) stuck() bool {
	waits := false
	for _, th := range r.threads {
		if th.at == none || th.moves == nil || th.upto == 0 || !r.scripts.walks[th.walk].ended {
			continue
		}
		f := &r.fragments[th.at]
		switch {
		case f.op == opJoin && th.state == inOther:
		case th.state != inLock:
			return false
		case th.doing == awaitingEvent, f.op == opLock && f.lockOp == resource.Wait && th.move().token != 0:
			number := r.awaited(th)
			raiser, known := r.scripts.raisers[number]
			if !known || r.event(number).raised || !r.scripts.walks[raiser].ended {
				return false
			}
			waits = true
		case f.op != opLock || f.lockOp != resource.Enter:
			return false
		}
	}
	return waits
}
