package simulation

import "tierscope/simulation/resource"

// spawn starts the threads that a spawn fragment has yet to start, and reports
// whether the thread waits until the pool has room.
func (r *replica) spawn(t int32, th *thread, f *fragment) bool {
	pool := f.object
	for ; th.spawning > 0; th.spawning-- {
		if r.exceeds() {
			return true
		}
		if !r.hasRoom(pool) {
			th.state, th.since = inOther, r.Now()
			r.pushThread(&r.pools[pool].spawners, t)
			return true
		}
		task := none
		if f.passTask && th.task != none {
			task = th.task
			th.task = none // the first thread takes it along
		}
		r.startThread(pool, t, task)
	}
	r.leave(t, th)
	return false
}

// join executes a join fragment: wait for the threads that this one (or
// anybody) has started.
func (r *replica) join(t int32, th *thread, f *fragment) bool {
	op := resource.Await
	if f.all {
		op = resource.AwaitAll
	}
	j := r.joins[r.program.pools[f.object].spawn]
	var o resource.Outcome
	if f.try {
		o = j.Try(resource.Thread(t), op, 1)
	} else {
		o = j.Call(resource.Thread(t), op, 1)
	}
	if o == resource.Blocked {
		th.state, th.since = inOther, r.Now()
		r.setTimer(t, th, f)
		return true
	}
	r.leave(t, th)
	return false
}
