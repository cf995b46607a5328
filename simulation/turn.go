package simulation

import (
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
	"tierscope/simulation/variate"
)

// service is how a server begins with a task: it takes it from the only instance of
// a queue, waiting for as long as it takes, and computes. Servers do little else, so
// these fragments (in, fetch and CPU) are wired as one step. They are plain and
// of one group, the in fragment is direct, and the queue starts no threads.
type service struct {
	in, fetch *step // fetch: see step.passed
	queue     *resource.Queue
	object    *objectState
	instance  int32 // of the queue
	work      *variate.Ahead
	cpu       int32 // fragment
	compute   *step // the same
}

// turn is what a server does between two tasks: it sends one to a sink, which is a
// plain fragment of the same group, and begins with the next.
type turn struct {
	finish *step
	in     int32 // fragment
	next   *service
}

// wireServices finds the services, and what follows CPU fragments at once: others, or turns.
func (r *replica) wireServices() {
	for i := range r.steps {
		in := &r.steps[i]
		if in.op != opIn || !in.direct || in.next == none || in.def.timed || in.def.try || in.object.def.starts != none {
			continue
		}
		if cpu := &r.steps[in.next]; cpu.op == opCPU && cpu.group == in.group {
			in.service = &service{
				in: in, fetch: in.passed, queue: in.queue, object: in.object, instance: in.object.first,
				work: cpu.work, cpu: in.next, compute: cpu,
			}
		}
	}
	for i := range r.fragments {
		s := &r.steps[i]
		if s.op != opCPU {
			continue
		}
		s.onward = r.onwardOf(s)
		if !s.plain || s.next == none {
			continue
		}
		finish := &r.steps[s.next]
		if finish.op == opCPU && finish.group == s.group { // follow
			s.then = finish.work
			continue
		}
		if finish.op != opFinish || !finish.plain || finish.group != s.group || finish.next == none {
			continue
		}
		if in := &r.steps[finish.next]; in.service != nil && in.group == s.group {
			s.turn = &turn{finish, finish.next, in.service}
		}
	}
}

// visit counts a visit of the fragments before the computation.
func (u *service) visit() {
	u.in.count++
	u.fetch.count++
}

// begin gives a thread the task that it has taken, in a fragment that it has entered now.
func (u *service) begin(th *thread, task int32, x *task, now des.Time) {
	u.object.leave(x, now)
	th.task, th.since, th.at, th.state, th.then = task, now, u.cpu, inReady, u.compute.then
}

// takeTurn ends the task of a thread and begins with the next, or waits for it.
func (r *replica) takeTurn(t int32, th *thread, u *turn, now des.Time) (work des.Time, computes bool) {
	task := th.task
	th.task = none
	r.complete(task)
	u.finish.count++
	th.at, th.entered = u.in, now
	if r.finished {
		return 0, false
	}
	if next, ok := u.next.queue.Take(); ok {
		u.next.visit()
		u.next.begin(th, next, &r.tasks[next], now)
		return u.next.work.Time(), true
	}
	return r.awaitTurn(t, th, u.next)
}

// awaitTurn lets a thread that finds no task wait for one.
func (r *replica) awaitTurn(t int32, th *thread, u *service) (work des.Time, computes bool) {
	if u.queue.Wait(resource.Thread(t)) {
		r.awaitTask(th, u.instance)
	} else {
		work, computes = r.walk(t, th)
	}
	if !computes && len(r.woken) > 0 {
		r.drain() // before the core is free
	}
	return work, computes
}

// waitingServer returns a thread that waits for nothing but a task from a queue,
// which computes as soon as it gets one, and is the next to get one; or none.
func (r *replica) waitingServer(q *resource.Queue) int32 {
	t := int32(q.Receiver())
	if t == none {
		return none
	}
	th := r.threads[t]
	if th.at == none || th.unusual != 0 || r.assistDebt > 0 || r.steps[th.at].service == nil {
		return none
	}
	return t
}

// serve lets a waiting server begin with a task.
func (r *replica) serve(t, task int32) {
	th, now := r.threads[t], r.Now()
	u := r.steps[th.at].service
	th.waitsFor, th.waiting = none, false
	r.busy[th.pool].rise(now)
	u.in.time += now - th.entered
	th.entered = now
	u.visit()
	u.begin(th, task, &r.tasks[task], now)
	r.processor.Submit(t, u.work.Time(), none)
}
