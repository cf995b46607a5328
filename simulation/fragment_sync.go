package simulation

import (
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
)

// lockOperation executes an operation on a lock and reports whether the thread
// waits.
func (r *replica) lockOperation(t int32, th *thread, f *fragment) bool {
	acquires := f.lockOp == resource.Enter || f.lockOp == resource.EnterRead
	i := r.instanceOf(th, f.object, f.stream, acquires, f.earlier)
	lock := r.copies[i].lock
	th.waitsFor = i
	if f.lockOp == resource.Close && r.othersClose(th, f) {
		r.lockCompleted(t, th, f, resource.Granted)
		return false
	}
	n := f.n
	if th.moves != nil && f.lockOp == resource.Send {
		n = itemOf(th.move().token)
	}
	if f.varies {
		if n = r.permits(t, f, i); n == 0 {
			r.lockCompleted(t, th, f, resource.Granted)
			return false
		}
	}
	if f.lockOp == resource.Add {
		if n = r.stillToCount(i, max(n, 1)); n == 0 {
			r.lockCompleted(t, th, f, resource.Granted)
			return false
		}
	}
	th.asks = n
	if f.lockOp == resource.Enter && !f.try && r.spinsAt(t, th, lock) {
		th.unusual |= spins
		return true
	}
	var o resource.Outcome
	r.near = r.writes(f)
	if f.try {
		o = lock.Try(resource.Thread(t), f.lockOp, n)
	} else {
		o = lock.Call(resource.Thread(t), f.lockOp, n)
	}
	r.near = false
	if o == resource.Negative && (th.moves != nil || f.lockOp == resource.CountDown) {
		o = r.countEarly(th, f, i, max(n, 1))
	}
	r.account(i)
	if o == resource.Blocked {
		th.state, th.since = inLock, r.Now()
		if spin := r.program.objects[f.object].spin; spin > 0 {
			r.beginLooking(th, spin, lock.Waiting() == 1)
		}
		r.setTimer(t, th, f)
		return true
	}
	if f.lockOp == resource.Exit && r.core != none && r.served == 0 {
		r.yield(resource.Heir(lock))
	}
	r.lockCompleted(t, th, f, o)
	return false
}

// writes reports whether who executes a fragment writes to a connection or pipe.
func (r *replica) writes(f *fragment) bool {
	return f.lockOp == resource.Send && r.program.objects[f.object].lock.Stream
}

// yield lets the heir of a mutex, which the thread that occupies the present core has just woken, go on at once in its
// place, where the processor does that.
func (r *replica) yield(heir resource.Thread) {
	last := len(r.woken) - 1
	if heir == resource.NoThread || last < 0 || r.woken[last].thread != int32(heir) || !r.processor.HandOver(r.core, int32(heir)) {
		return
	}
	r.woken = r.woken[:last]
	th := r.threads[heir]
	r.charge(th)
	th.unusual, th.state = th.unusual|retries, inReady
}

// setTimer starts the timeout of a wait.
func (r *replica) setTimer(t int32, th *thread, f *fragment) {
	if !f.timed {
		return
	}
	if d, counts := r.patience(th, f); counts {
		th.timer = r.After(d, onTimeout, t)
	}
}

// lockCompleted ends the operation of a thread on a lock.
func (r *replica) lockCompleted(t int32, th *thread, f *fragment, o resource.Outcome) {
	i := th.waitsFor
	th.waitsFor = none
	if o.Defect() {
		r.fail("fragment %q of graph %q: a thread %s: lock %q", f.id, r.graphs[f.graph].id, o, r.program.objects[f.object].id)
		return
	}
	if th.failed {
		th.failed, o = false, resource.Failed
	}
	if th.moves != nil && f.lockOp == resource.Receive {
		r.receivedToken(t, th, o)
	}
	def := &r.program.objects[f.object]
	r.visited(th, f, def, o)
	if def.tracked && o == resource.Granted {
		r.track(th, f, i, def)
	}
	if def.lends && f.lockOp == resource.Enter && o == resource.Granted {
		r.copies[i].lend(t, th.asks)
	}
	switch {
	case f.once:
		if o != resource.First && f.otherwise != none {
			r.leaveTo(t, th, f.otherwise)
			return
		}
	case o == resource.Failed && f.otherwise != none:
		r.leaveTo(t, th, f.otherwise)
		return
	}
	r.leave(t, th)
}

// track remembers which copy a thread holds, and how fast that makes it.
func (r *replica) track(th *thread, f *fragment, i int32, def *objectDef) {
	switch f.lockOp {
	case resource.Enter, resource.EnterRead:
		th.held = append(th.held, holding{f.object, i})
		th.hasten(th.speedUp * def.speedUp)
	case resource.Exit, resource.ExitRead:
		for k := len(th.held) - 1; k >= 0; k-- {
			if th.held[k].copy == i {
				th.held = append(th.held[:k], th.held[k+1:]...)
				th.hasten(th.speedUp / def.speedUp)
				break
			}
		}
		if len(th.held) == 0 {
			th.hasten(1)
		}
	default:
	}
}

// hasten lets a thread compute faster.
func (th *thread) hasten(factor float64) {
	th.speedUp = factor
	if th.unusual &^= hastened; factor != 1 {
		th.unusual |= hastened
	}
}

// retried lets a thread that is on a core compete for what woke it.
func (r *replica) retried(t int32, th *thread) (des.Time, bool) {
	th.unusual &^= retries
	if th.late { // its timeout has fired on the way to the core
		th.late = false
		return r.regained(t, th, resource.Failed)
	}
	i := th.waitsFor
	if r.spinsAt(t, th, r.copies[i].lock) {
		th.unusual |= retries
		return r.program.spin, true
	}
	o := r.copies[i].lock.Retry(resource.Thread(t))
	r.account(i)
	if o == resource.Blocked {
		th.state = inLock
		return 0, false
	}
	return r.regained(t, th, o)
}

// regained ends the wait of a thread that is on a core.
func (r *replica) regained(t int32, th *thread, o resource.Outcome) (des.Time, bool) {
	r.endWait(t, th)
	if !r.resumed(t, th, o, resource.NoItem) {
		return 0, false
	}
	return r.walk(t, th)
}

// timedOut ends the wait of a thread whose time is up.
func (r *replica) timedOut(t int32) {
	th := r.threads[t]
	f := &r.fragments[th.at]
	switch f.op {
	case opJoin:
		o := r.joins[r.program.pools[f.object].spawn].Cancel(resource.Thread(t))
		r.Resume(resource.Thread(t), o, resource.NoItem)
		return
	case opSend, opNew:
		r.sendTimedOut(t, th)
		return
	case opSelect: // leaves the queues of all its cases
		i := r.instanceOf(th, f.cases[0].object, f.stream, true, f.cases[0].earlier)
		r.Resume(resource.Thread(t), r.copies[i].lock.Cancel(resource.Thread(t)), resource.NoItem)
		return
	default:
	}
	i := th.waitsFor
	o := r.copies[i].lock.Cancel(resource.Thread(t))
	r.account(i)
	switch o {
	case resource.Failed:
		if th.unusual&retries != 0 { // on its way to a core, where it will find that it is too late
			th.late = true
			return
		}
		r.Resume(resource.Thread(t), o, resource.NoItem)
	case resource.Retry:
		th.failed = true
		r.Resume(resource.Thread(t), o, resource.NoItem)
	default: // what it waits for has come, it only waits for its monitor
	}
}

// selects executes a select over channels and queues: the ready cases are
// tried in random order.
func (r *replica) selects(t int32, th *thread, f *fragment) bool {
	if th.task != none && receivesTask(r, f) {
		// A task that is still held when the next one is received is done with.
		sends := false
		for _, k := range f.cases {
			sends = sends || k.send && r.program.objects[k.object].isQueue
		}
		if !sends {
			r.taskDone(th)
		}
	}
	r.cases, r.order = r.cases[:0], r.order[:0]
	for k, c := range f.cases {
		i := r.instanceOf(th, c.object, f.stream, true, c.earlier)
		x := resource.Case{Queue: r.copies[i].queue, Send: c.send}
		if c.send && r.program.objects[c.object].isQueue {
			if th.task == none {
				th.task = r.newTask(0, none, none)
			}
			x.Item, x.Rank = th.task, r.classList[r.tasks[th.task].class].rank
		}
		r.cases = append(r.cases, x)
		j := int(r.random[f.stream].Uint32n(uint32(k + 1))) // Fisher–Yates, inside out
		r.order = append(r.order, int32(k))
		r.order[k], r.order[j] = r.order[j], int32(k)
	}
	chosen, o := r.table.Select(resource.Thread(t), r.cases, r.order, f.fallback == none && !f.try)
	r.accountCases(th, f)
	switch o {
	case resource.Blocked:
		th.state, th.since = inLock, r.Now()
		r.setTimer(t, th, f)
		r.rest(th, f, true)
		return true
	case resource.Failed:
		r.leaveTo(t, th, r.afterFailure(f))
	default:
		r.selected(t, th, f, chosen, o, r.table.Item(resource.Thread(t)))
	}
	return false
}

func receivesTask(r *replica, f *fragment) bool {
	for _, k := range f.cases {
		if !k.send && r.program.objects[k.object].isQueue {
			return true
		}
	}
	return false
}

// rest marks a thread that waits for a task as idle, or as busy again.
func (r *replica) rest(th *thread, f *fragment, idle bool) {
	if idle && th.task == none && receivesTask(r, f) {
		th.waiting = true
		r.busy[th.pool].fall(r.Now())
	}
	if !idle && th.waiting {
		th.waiting = false
		r.busy[th.pool].rise(r.Now())
	}
}

// afterFailure is where a select goes when no case is ready (in time).
func (r *replica) afterFailure(f *fragment) int32 {
	switch {
	case f.fallback != none:
		return f.fallback
	case f.otherwise != none:
		return f.otherwise
	}
	return f.next
}

func (r *replica) accountCases(th *thread, f *fragment) {
	for _, k := range f.cases {
		if !r.program.objects[k.object].isQueue {
			r.account(r.instanceOf(th, k.object, f.stream, true, k.earlier))
		}
	}
}

// selected ends a select by one of its cases.
func (r *replica) selected(t int32, th *thread, f *fragment, chosen int, o resource.Outcome, item int32) {
	r.rest(th, f, false)
	r.accountCases(th, f)
	r.visitedCases(th, f, chosen, o)
	if th.failed || o == resource.Failed {
		th.failed = false
		r.leaveTo(t, th, r.afterFailure(f))
		return
	}
	if o.Defect() {
		r.fail("fragment %q of graph %q: a thread %s", f.id, r.graphs[f.graph].id, o)
		return
	}
	k := f.cases[chosen]
	if state := &r.objects[k.object]; r.program.objects[k.object].isQueue {
		switch {
		case k.send:
			r.enqueued(th.task, state, r.instanceOf(th, k.object, f.stream, true, k.earlier))
			th.task = none
		case o == resource.Granted:
			r.received(th, item, state)
		}
	}
	if o == resource.Closed {
		r.leaveTo(t, th, k.closed)
		return
	}
	r.leaveTo(t, th, k.to)
}
