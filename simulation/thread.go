package simulation

import (
	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
	"tierscope/simulation/variate"
)

const coreFixed = core.FixedPool

// state is what a thread does, for the question where a task's time went.
type state uint8

const (
	inQueue state = iota
	inReady
	inCPU
	inLock
	inDiskWait
	inDiskService
	inDelay
	inOther
	states
)

// stateNames are the statistics of metric B.
var stateNames = [states]string{"queue", "ready", "cpu", "lock", "disk_wait", "disk_service", "delay", "other"}

// thread is a simulated thread: a program counter into the compiled graph.
type thread struct {
	at       int32          // fragment
	task     int32          // that it works on, or none
	since    des.Time       // when the state began
	entered  des.Time       // when the fragment began
	began    des.Time       // when the last one began that may wait, but for a delay
	used     des.Time       // CPU time of the fragment
	then     *variate.Ahead // what follows the CPU fragment that it is in (step.then)
	desk     *desk          // whose server it is, or nil
	group    int32          // of the last fragment
	state    state
	unusual  unusual
	late     bool  // timed out on its way to a core, where it was to retry
	failed   bool  // its timeout has fired while it must still regain a monitor
	waiting  bool  // for a task: not busy
	carried  bool  // was started with its task, which it has not fetched yet
	burden   int32 // background that it belongs to, or none
	source   int32
	asks     int32 // permits
	speedUp  float64
	waitsFor int32 // instance of a lock or queue, or none
	sending  int32 // task on its way to a queue, or none
	timer    des.Timer
	pool     int32
	loops    []lap
	marks    []des.Time // when it was at the fragments from which timeouts count
	held     []holding
	copies   int32     // 1 + its first own instance of a lock or queue
	calls    []holding // instances that it or an ancestor has made for a call
	spawning int       // threads still to start
	next     int32     // in the list of spawners that wait
	life     uint32
	io       ioState
	client   int32    // thread in whose place it works, or none
	taken    int32    // tasks since it went through a loop that goes round once for each
	came     des.Time // the task of the desk that it works on
	spun     int8     // rounds at the mutex that it wants
	looks    des.Time // until when it looks again whether all have come, in place of giving up its core; 0: it does not
	counts   bool     // the CPU time of that
	stayed   bool     // it has just looked, and so does what takes no time without waiting for a core
	role
}

// unusual is what keeps a thread from just going on with the next fragment when its
// burst has ended.
type unusual uint8

const (
	retries  unusual = 1 << iota // it competes for a lock as soon as it is on a core
	burdens                      // it is background work
	rings                        // it tells a disk of its request
	hastened                     // it computes faster, because of a lock that it holds
	spins                        // it spins at a mutex
	returns                      // it has waited, and does something for which it must be on a core, but that takes no CPU time
)

// lap is a loop that a thread is in, with the iterations left.
type lap struct {
	loop int32
	left int32
}

// holding is a lock that a thread holds, if that must be remembered.
type holding struct {
	object, copy int32
}

type poolState struct {
	alive    int
	begun    int64
	spawners list // threads that wait until they may start one
}

// list is a FIFO list of threads, linked through thread.next.
type list struct{ head, tail int32 }

func (r *replica) pushThread(l *list, t int32) {
	r.threads[t].next = none
	if l.head == none {
		l.head = t
	} else {
		r.threads[l.tail].next = t
	}
	l.tail = t
}

func (r *replica) popThread(l *list) int32 {
	t := l.head
	if t != none {
		l.head = r.threads[t].next
	}
	return t
}

// goesOn reports whether a thread that another one wakes begins at once, as it stands in for that one, or the other way round.
func (r *replica) goesOn(t int32, th *thread) bool {
	if r.core == none {
		return false
	}
	switch w := r.threads[r.burst]; {
	case th.waiting && r.program.pools[th.pool].standsIn:
		th.client = r.burst
	case w.client == t:
		w.client = none
	default:
		return false
	}
	return true
}

// newThread returns the number of a thread that does nothing yet.
func (r *replica) newThread() int32 {
	if n := len(r.idle); n > 0 {
		t := r.idle[n-1]
		r.idle = r.idle[:n-1]
		th := r.threads[t]
		*th = thread{loops: th.loops[:0], marks: th.marks[:0], held: th.held[:0], calls: th.calls[:0], life: th.life + 1, io: th.io}
		th.reset()
		return t
	}
	th := new(thread)
	th.reset()
	r.threads = append(r.threads, th)
	r.table.Grow(len(r.threads))
	r.processor.Grow(len(r.threads))
	return int32(len(r.threads) - 1)
}

func (th *thread) reset() {
	th.at, th.task, th.source, th.burden, th.waitsFor, th.group, th.next, th.sending, th.client = none, none, none, none, none, none, none, none, none
	th.speedUp = 1
}

// startThread starts a thread of a pool, with a task or none.
func (r *replica) startThread(pool, parent, task int32) {
	t := r.newThread()
	th := r.threads[t]
	def := &r.program.pools[pool]
	th.pool, th.task, th.carried = pool, task, task != none
	th.state, th.since = inOther, r.Now()
	r.processor.SetWeight(t, def.weight)
	r.pools[pool].alive++
	r.pools[pool].begun++
	r.busy[pool].rise(r.Now())
	if def.spawn != none {
		r.joins[def.spawn].Start(resource.Thread(parent), resource.Thread(t))
	}
	var parentThread *thread
	if parent != none {
		parentThread = r.threads[parent]
		r.inherit(th, parentThread)
	}
	r.castThread(th, parentThread)
	if cap(th.loops) < r.graphs[def.graph].nesting {
		th.loops = make([]lap, 0, r.graphs[def.graph].nesting)
	}
	if r.observer != nil {
		r.observer.ThreadStarted(r.Now(), t, def.id, parent)
	}
	r.wake(wakeUp{thread: t, outcome: resource.Granted, item: resource.NoItem})
}

// endThread ends a thread. Its number is free after the present event.
func (r *replica) endThread(t int32, th *thread) {
	pool := &r.pools[th.pool]
	def := &r.program.pools[th.pool]
	if th.task != none {
		r.taskDone(th)
	}
	for _, h := range th.held {
		if r.program.objects[h.object].lock.Kind == core.Semaphore {
			continue // another thread may give permits back
		}
		r.fail("a thread of pool %q ends while it holds lock %q", def.id, r.program.objects[h.object].id)
	}
	r.followed.halts = r.scripts != nil
	r.dropCopies(&th.copies)
	r.dropCalls(th)
	pool.alive--
	r.busy[th.pool].fall(r.Now())
	if def.spawn != none {
		r.joins[def.spawn].End(resource.Thread(t))
	}
	for _, j := range r.joins {
		j.Forget(resource.Thread(t))
	}
	th.at = none
	if r.observer != nil {
		r.observer.ThreadEnded(r.Now(), t)
	}
	r.dying = append(r.dying, t)
	r.Restless = true
	if s := r.popThread(&pool.spawners); s != none {
		r.wake(wakeUp{thread: s, outcome: resource.Granted, item: resource.NoItem})
	}
	if def.from != none {
		r.feedPool(th.pool)
	}
	if def.main && pool.alive == 0 {
		r.finish()
	}
}

// bury frees the numbers of the threads that have ended.
func (r *replica) bury() {
	for _, t := range r.dying {
		r.processor.Forget(t)
		r.idle = append(r.idle, t)
	}
	r.dying = r.dying[:0]
}

// charge adds the time since the last change of state to the task of a thread.
func (r *replica) charge(th *thread) {
	now := r.Now()
	if th.task != none {
		x := &r.tasks[th.task]
		x.spent[th.state] += now - th.since
		x.varied = true
	}
	th.since = now
}

// chargeBurst charges a burst: on a core, or ready for one.
func (r *replica) chargeBurst(th *thread, used, now des.Time) {
	th.used += used
	if th.task != none {
		spent := &r.tasks[th.task].spent
		spent[inCPU] += used
		spent[inReady] += now - th.since - used
	}
	th.since = now
}
