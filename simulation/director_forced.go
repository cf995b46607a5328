package simulation

import (
	"slices"

	"tierscope/core"
	"tierscope/simulation/resource"
)

// lack is what a thread waits for that nobody does again.
type lack uint8

const (
	anEvent lack = iota
	theEnd       // of what others send
	theRest      // of what others send before it closes
	somePermits
	aCount // of a latch, to zero
	anItem
	room  // for what it sends, in a channel
	tasks // it ended in the recording, and its queue has nothing more
	noLack
)

// goOn lets a scripted thread go on where nothing else can: the one that has waited longest for an event that did not
// happen again, else for the end of a channel, and so on. In the recording it went on. With fewer threads nobody does what the others
// did; what their walks raise is missed by none, nor is an end that nobody is left to send behind. Other waits that end so are counted: an
// answer with many is none.
func (r *replica) goOn() bool {
	if r.scripts == nil {
		return false
	}
	first, lacks := none, noLack
	for t, th := range r.threads {
		if l := r.lacks(th); l > somePermits && !r.scripts.anyhow {
			continue
		} else if l < lacks || l == lacks && l != noLack && th.since < r.threads[first].since {
			first, lacks = int32(t), l
		}
	}
	if lacks == noLack {
		return false
	}
	r.supply(r.threads[first], lacks)
	r.drain()
	return true
}

// lacks is what a thread waits for that can be supplied to it.
func (r *replica) lacks(th *thread) lack {
	if th.at == none || th.moves == nil || th.upto == 0 {
		return noLack
	}
	f := &r.fragments[th.at]
	switch {
	case th.doing == awaitingEvent, f.op == opLock && f.lockOp == resource.Wait && th.move().token != 0 && th.waitsFor != none:
		if r.event(r.awaited(th)).raised { // it only waits for its lock
			return noLack
		}
		return anEvent
	case r.closedByNobody(th):
		return theEnd
	case th.doing == awaitingTurn && r.program.closes(th.at):
		return theRest
	case f.op == opIn && th.task == none && th.waitsFor != none && r.copies[th.waitsFor].queue != nil && r.scripts.walks[th.walk].ended:
		return tasks
	case f.op == opLock && th.waitsFor != none:
		return r.supplies(f)
	case th.doing == awaitingCase && th.waitsFor != none && !r.program.objects[r.copies[th.waitsFor].object].isQueue:
		if sends(f, following(th.moves, th.upto-1)) {
			return room
		}
		return anItem
	}
	return noLack
}

// sends reports whether what leads from a select to a fragment is that it sends something.
func sends(f *fragment, to int32) bool {
	return slices.ContainsFunc(f.cases, func(k selectCase) bool { return k.send && k.to == to })
}

// supplies is what an operation on a lock waits for that anybody can supply.
func (r *replica) supplies(f *fragment) lack {
	switch kind := r.program.objects[f.object].lock.Kind; {
	case f.lockOp == resource.Enter && kind == core.Semaphore:
		return somePermits
	case f.lockOp == resource.Await && kind == core.Latch:
		return aCount
	case f.lockOp == resource.Receive:
		return anItem
	case f.lockOp == resource.Send:
		return room
	}
	return noLack
}

// supply does for a thread what nobody else does.
func (r *replica) supply(th *thread, l lack) {
	i := th.waitsFor
	switch l {
	case anEvent:
		r.forceEvent(th)
		return
	case theEnd, tasks:
		r.copies[i].queue.Close()
		r.tellLookers(i)
		if l == theEnd {
			return
		}
	case theRest:
		r.raise(r.allSentTo(th.move().object))
		return
	case somePermits:
		r.copies[i].lock.Call(resource.NoThread, resource.Exit, 1)
	case aCount:
		r.copies[i].lock.Call(resource.NoThread, resource.CountDown, int32(r.copies[i].lock.Held()))
	case anItem:
		r.copies[i].queue.Put(resource.NoThread, resource.NoItem, 0)
	case room:
		r.copies[i].queue.Get(resource.NoThread)
	case noLack:
		return
	}
	r.followed.forced++
	r.account(i)
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
