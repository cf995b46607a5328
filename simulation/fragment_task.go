package simulation

import (
	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
)

// fetch executes an in fragment: the thread takes the next task of a queue.
func (r *replica) fetch(t int32, th *thread, s *step) bool {
	f := s.def
	if th.carried && r.program.objects[f.object].starts == th.pool { // it was started with its task
		th.carried = false
		if th.task != none {
			th.got = r.tasks[th.task].token
		}
		r.leaveTo(t, th, f.next)
		return false
	}
	r.taskDone(th) // it is done with the last one
	q, i := s.queue, s.object.first
	if q == nil || th.moves != nil {
		i = r.instanceOf(th, f.object, f.stream, true, 0)
		q = r.copies[i].queue
	}
	var item int32
	var o resource.Outcome
	if f.try {
		item, o = q.TryGet()
	} else {
		item, o = q.Get(resource.Thread(t))
	}
	switch o {
	case resource.Granted:
		r.receive(t, th, s, item)
		return false
	case resource.Blocked:
		r.awaitTask(th, i)
		r.setTimer(t, th, f)
		return true
	default:
		r.fetched(t, th, s, o, item)
		return false
	}
}

// awaitTask accounts for a thread that waits for a task from an instance of a queue.
func (r *replica) awaitTask(th *thread, instance int32) {
	th.waitsFor = instance
	th.state, th.since = inOther, r.Now()
	th.waiting = true
	r.busy[th.pool].fall(r.Now())
}

// fetched ends an in fragment: fetch with a task, nofetch without.
func (r *replica) fetched(t int32, th *thread, s *step, o resource.Outcome, item int32) {
	th.waitsFor = none
	if th.waiting {
		th.waiting = false
		r.busy[th.pool].rise(r.Now())
	}
	if o == resource.Granted {
		r.receive(t, th, s, item)
		return
	}
	th.failed = true
	r.leaveTo(t, th, s.def.otherwise) // none: the thread ends
	th.failed = false
}

// receive ends an in fragment with a task.
func (r *replica) receive(t int32, th *thread, s *step, item int32) {
	if s.direct {
		r.take(th, s, item, r.Now())
		return
	}
	r.received(th, item, s.object)
	r.leaveTo(t, th, s.next)
}

// take is receive for a direct step.
func (r *replica) take(th *thread, s *step, item int32, now des.Time) {
	s.object.leave(&r.tasks[item], now)
	th.task, th.since = item, now
	th.taken++
	s.leave(th, now)
	s.passed.count++
}

// handed lets a thread go on that waits for nothing but a task, and gets one.
func (r *replica) handed(t int32, th *thread, s *step, item int32) {
	now := r.Now()
	goesOn := r.program.standIns && r.goesOn(t, th)
	th.waitsFor, th.waiting = none, false
	r.busy[th.pool].rise(now)
	r.take(th, s, item, now)
	if work, computes := r.toCore(t, th); computes {
		if goesOn {
			r.processor.GoesOn(t)
		}
		r.processor.Submit(t, work, r.core)
	}
}

// received gives a thread the task that it took from a queue.
func (r *replica) received(th *thread, task int32, o *objectState) {
	r.leftQueue(task, o)
	th.task, th.got = task, r.tasks[task].token
	th.taken++
	th.since = r.Now()
}

// send executes an out fragment that sends the current task to a queue.
func (r *replica) send(t int32, th *thread, f *fragment) bool {
	if th.task == none {
		th.task = r.newTask(0, none, none)
	}
	th.sending, th.task = th.task, none
	if r.put(t, th, f) {
		return true
	}
	r.leaveTo(t, th, r.afterSend(th, f))
	return false
}

// create executes an out fragment that sends new tasks.
func (r *replica) create(t int32, th *thread, f *fragment) bool {
	th.spawning = r.number(&r.steps[th.at])
	return r.createMore(t, th, f)
}

func (r *replica) createMore(t int32, th *thread, f *fragment) bool {
	for th.spawning > 0 {
		th.spawning--
		th.sending = r.newTask(f.class, none, th.task)
		if f.object == none {
			r.complete(th.sending)
			th.sending = none
		} else if r.put(t, th, f) {
			return true
		}
		if r.exceeds() {
			return true
		}
	}
	r.leaveTo(t, th, r.afterSend(th, f))
	return false
}

// afterSend is the successor of an out fragment.
func (r *replica) afterSend(th *thread, f *fragment) int32 {
	if th.failed && f.otherwise != none {
		th.failed = false
		return f.otherwise
	}
	th.failed = false
	if th.moves != nil {
		return none
	}
	return r.successor(&r.steps[th.at])
}

// put sends th.sending to the queue of the fragment and reports whether the
// thread waits for room.
func (r *replica) put(t int32, th *thread, f *fragment) bool {
	task := th.sending
	def := &r.program.objects[f.object]
	r.tokenOf(th, task)
	if r.startsThread(task, f.object) {
		th.sending = none
		return false
	}
	i := r.instanceOf(th, f.object, f.stream, true, 0)
	q := r.copies[i].queue
	r.enqueued(task, &r.objects[f.object], i)
	var o resource.Outcome
	if f.try && th.moves == nil { // what went in in the recording waits until there is room
		o = q.TryPut(task, r.rank(task))
	} else {
		o = q.Put(resource.Thread(t), task, r.rank(task))
	}
	if o != resource.Blocked {
		r.sent(th, f, o)
		return false
	}
	th.waitsFor = i
	th.state, th.since = inOther, r.Now()
	switch {
	case f.timed:
		r.setTimer(t, th, f)
	case def.queue.WhenFull == core.Timeout:
		th.timer = r.After(des.Seconds(def.queue.FullTimeout), onTimeout, t)
	}
	r.feedPool(def.starts)
	return true
}

func (r *replica) rank(task int32) int32 {
	if r.ranks == 1 {
		return 0
	}
	return r.classList[r.tasks[task].class].rank
}

// sent ends the sending of one task.
func (r *replica) sent(th *thread, f *fragment, o resource.Outcome) {
	task := th.sending
	th.waitsFor, th.sending = none, none
	switch {
	case o.Defect():
		r.fail("fragment %q of graph %q: a thread %s: queue %q", f.id, r.graphs[f.graph].id, o, r.program.objects[f.object].id)
		return
	case o == resource.Failed: // full
		th.failed = true
		if f.op == opSend && f.otherwise != none {
			r.refused(th, task, f.object)
		} else {
			r.lostInQueue(task, f.object)
		}
	}
	r.feedPool(r.program.objects[f.object].starts)
}

// sendTimedOut ends the wait of a sender, whose task is lost.
func (r *replica) sendTimedOut(t int32, th *thread) {
	r.copies[th.waitsFor].lock.Cancel(resource.Thread(t))
	r.Resume(resource.Thread(t), resource.Failed, resource.NoItem)
}

// closeQueue closes a task queue.
func (r *replica) closeQueue(t int32, th *thread, f *fragment) {
	if r.othersClose(th, f) {
		r.leave(t, th)
		return
	}
	i := r.instanceOf(th, f.object, f.stream, true, 0)
	if o := r.copies[i].queue.Close(); o.Defect() {
		r.fail("fragment %q of graph %q: a thread %s: queue %q", f.id, r.graphs[f.graph].id, o, r.program.objects[f.object].id)
		return
	}
	r.leave(t, th)
}

// startsThread gives a task to a new thread of the pool that takes from the
// queue, if there is one and it has room.
func (r *replica) startsThread(task, object int32) bool {
	pool := r.program.objects[object].starts
	if pool == none || !r.hasRoom(pool) {
		return false
	}
	i := r.objects[object].first
	if r.copies[i].queue.Len() > 0 || r.copies[i].queue.Closed() {
		return false
	}
	o := &r.objects[object]
	r.enqueued(task, o, i)
	r.leftQueue(task, o)
	r.startThread(pool, none, task)
	return true
}

// feedPool starts threads for the tasks that wait for them.
func (r *replica) feedPool(pool int32) {
	if pool == none {
		return
	}
	from := &r.objects[r.program.pools[pool].from]
	q := r.copies[from.first].queue
	for r.hasRoom(pool) {
		task, o := q.TryGet()
		if o != resource.Granted {
			return
		}
		r.leftQueue(task, from)
		r.startThread(pool, none, task)
	}
}

// hasRoom reports whether a pool may have one more thread.
func (r *replica) hasRoom(pool int32) bool {
	limit := r.program.pools[pool].limit
	return limit == 0 || r.pools[pool].alive < limit
}
