package simulation

import (
	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
)

// desk is a queue whose tasks nobody sees but the servers of one pool, which do nothing but take one, compute and
// send it to a sink (M/G/c and its like). Of such a task nothing is kept but when it came.
type desk struct {
	*service
	turn    *turn
	account *classAccount // of the class of all its tasks
	waiting instants
}

// makeDesks finds the desks, if nobody wants to see tasks.
func (r *replica) makeDesks() {
	if r.observer != nil || r.tape != nil || r.scripts != nil {
		return
	}
	for i := range r.sources {
		s := &r.sources[i]
		pool := r.poolOf(s)
		if pool == none {
			continue
		}
		in := &r.steps[r.graphs[r.program.pools[pool].graph].entry]
		s.desk = &desk{service: in.service, turn: in.service.compute.turn, account: s.account}
		for _, th := range r.threads {
			if th.source == none && th.pool == pool {
				th.desk = s.desk
			}
		}
	}
}

// poolOf returns the pool whose threads are the servers of a source's desk, or none.
func (r *replica) poolOf(s *sourceState) int32 {
	queue := &s.object.def.queue
	if !s.simple || queue.Capacity != core.Unbounded || queue.Discipline != "" && queue.Discipline != core.FIFO {
		return none
	}
	for i := range r.sources {
		if other := &r.sources[i]; other != s && other.def.to == s.def.to {
			return none
		}
	}
	entry := none // of the one fragment that works on the queue
	for i := range r.fragments {
		if r.fragments[i].uses(s.def.to) {
			if entry != none {
				return none
			}
			entry = int32(i)
		}
	}
	if entry == none || r.steps[entry].service == nil {
		return none
	}
	if turn := r.steps[entry].service.compute.turn; turn == nil || turn.in != entry {
		return none
	}
	pool := none
	for i := range r.program.pools {
		if p := &r.program.pools[i]; r.graphs[p.graph].entry == entry {
			if pool != none || p.kind != core.FixedPool {
				return none
			}
			pool = int32(i)
		}
	}
	return pool
}

// uses reports whether a fragment works on a task queue.
func (f *fragment) uses(queue int32) bool {
	switch f.op {
	case opIn, opSend, opNew, opClose, opMake:
		return f.object == queue
	case opSelect:
		for _, k := range f.cases {
			if k.object == queue {
				return true
			}
		}
	case opCPU, opDispatch, opMark, opDelay, opLock, opFinish, opIO, opLoop, opSpawn, opJoin:
	}
	return false
}

// atDesk is an arrival at a desk, and those that follow before anything else happens.
func (r *replica) atDesk(s *sourceState, x *desk) {
	for proceeds := true; proceeds; {
		now := r.Now()
		at := now + min(s.gaps.Time(), des.Never-now)
		s.sent++
		r.arrivals++
		r.allCreated++
		x.account.arrive(now)
		r.inSystem++
		r.systemCourse.Add(int64(now), float64(r.inSystem))
		x.object.offered++
		if t := int32(x.queue.Receiver()); t != none {
			r.Set(s.alarm, at)
			r.meets(t, x, now)
			return
		}
		x.object.waiting.rise(now)
		x.waiting.push(now)
		proceeds = r.Proceed(s.alarm, at)
	}
}

// meets lets a waiting server begin with the task that comes.
func (r *replica) meets(t int32, x *desk, now des.Time) {
	r.table.Leave(resource.Thread(t))
	th := r.threads[t]
	th.waitsFor, th.waiting = none, false
	r.busy[th.pool].rise(now)
	x.in.time += now - th.entered
	x.serve(th, now, now)
	r.processor.Submit(t, x.work.Time(), none)
}

// serve gives a server the task that came at a time.
func (x *desk) serve(th *thread, came, now des.Time) {
	x.visit()
	x.object.visits++
	th.at, th.state, th.then = x.cpu, inReady, nil
	th.came, th.entered, th.since = came, now, now
}

// nextAtDesk is the end of the burst of a server of a desk: it begins with the next task, or waits for it.
func (r *replica) nextAtDesk(t int32, th *thread, x *desk, used, now des.Time) (work des.Time, computes bool) {
	c, seconds := x.account, (now - th.came).Seconds()
	if !c.sketch.Note(seconds) {
		c.sketch.Add(seconds)
	}
	c.completed++
	c.course.Add(int64(now), seconds)
	took := now - th.entered
	c.spent[inQueue] += th.entered - th.came
	c.spent[inReady] += took - used
	c.spent[inCPU] += used
	c.present.fall(now)
	r.inSystem--
	r.systemCourse.Add(int64(now), float64(r.inSystem))
	x.compute.count++
	x.compute.time += took
	x.turn.finish.count++
	if x.waiting.head == x.waiting.tail {
		th.at, th.entered = x.turn.in, now
		return r.awaitTurn(t, th, x.service)
	}
	came := x.waiting.pop()
	x.object.waiting.fall(now)
	x.object.waited += float64(now - came)
	x.serve(th, came, now)
	return x.work.Time(), true
}

// instants is a queue of points in time: those from head to before tail, in places modulo the size, a power of two.
type instants struct {
	times      []des.Time
	head, tail uint
}

func (q *instants) push(at des.Time) {
	q.reserve()
	q.set(at)
	q.tail++
}

// reserve makes room for one more.
func (q *instants) reserve() {
	if q.tail-q.head == uint(len(q.times)) {
		q.grow()
	}
}

// set writes what is to be the last.
func (q *instants) set(at des.Time) { q.times[q.tail&uint(len(q.times)-1)] = at }

func (q *instants) pop() des.Time {
	at := q.times[q.head&uint(len(q.times)-1)]
	q.head++
	return at
}

// grow doubles the queue.
func (q *instants) grow() {
	const least = 64
	times := make([]des.Time, max(least, 2*len(q.times)))
	for i := q.head; i != q.tail; i++ {
		times[i&uint(len(times)-1)] = q.times[i&uint(len(q.times)-1)]
	}
	q.times = times
}
